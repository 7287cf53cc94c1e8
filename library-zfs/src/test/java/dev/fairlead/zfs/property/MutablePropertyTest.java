package dev.fairlead.zfs.property;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.volume.VolumeMedium.Kind;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MutablePropertyTest {
    @ParameterizedTest
    @CsvSource({
        "compression, off, off",
        "compression, on, on",
        "compression, lz4, lz4",
        "compression, lzjb, lzjb",
        "compression, zle, zle",
        "compression, gzip, gzip",
        "compression, gzip-6, gzip",
        "compression, gzip-9, gzip-9",
        "compression, zstd, zstd",
        "compression, zstd-19, zstd-19",
        "compression, zstd-fast, zstd-fast",
        "compression, zstd-fast-1, zstd-fast",
        "compression, zstd-fast-90, zstd-fast-90",
        "compression, zstd-fast-1000, zstd-fast-1000",
        "recordsize, 512, 512",
        "recordsize, 16k, 16384",
        "recordsize, 128K, 131072",
        "recordsize, 1M, 1048576",
        "recordsize, 1048576, 1048576",
        "sync, disabled, disabled",
        "logbias, throughput, throughput",
        "primarycache, metadata, metadata",
        "secondarycache, none, none"
    })
    void what_zfs_takes_is_taken_as_it_is_read_back(String key, String value, String readBack) {
        assertThat(MutableProperty.read(Map.of(key, value), Kind.FILESYSTEM)).isEqualTo(Map.of(key, readBack));
    }

    @ParameterizedTest
    @CsvSource({
        "compression, LZ4",
        "compression, gzip-0",
        "compression, gzip-10",
        "compression, zstd-20",
        "compression, zstd-fast-11",
        "compression, zstd-fast-110",
        "recordsize, 256",
        "recordsize, 3K",
        "recordsize, 2M",
        "recordsize, 9999999M",
        "recordsize, 1G",
        "recordsize, -1",
        "sync, on",
        "logbias, both",
        "primarycache, 'all '",
        "secondarycache, data"
    })
    void what_zfs_does_not_take_is_refused_with_what_it_does(String key, String value) {
        assertThatThrownBy(() -> MutableProperty.read(Map.of(key, value), Kind.FILESYSTEM))
                .hasMessageContaining("mutable_parameters: " + key + ": '" + value + "' (expected: ");
    }

    @Test
    void all_that_is_wrong_is_told_at_once_and_a_slip_with_the_nearest_name() {
        Map<String, String> wrong = Map.of("compresion", "lz4", "sync", "never", "logbias", "latency", "quota", "1G");

        assertThatThrownBy(() -> MutableProperty.read(wrong, Kind.FILESYSTEM))
                .hasMessageContaining("'compresion' cannot be changed (did you mean compression?); ")
                .hasMessageContaining("'quota' cannot be changed (expected: one of [atime, compression, logbias, ")
                .hasMessageContaining("sync: 'never' (expected: standard, always, disabled)");
    }

    @Test
    void a_block_volume_has_no_records() {
        assertThat(MutableProperty.keys(Kind.BLOCK_DEVICE))
                .containsExactlyInAnyOrder("compression", "sync", "logbias", "primarycache", "secondarycache");
        assertThatThrownBy(() -> MutableProperty.read(Map.of("recordsize", "16K"), Kind.BLOCK_DEVICE))
                .hasMessageContaining("recordsize is of filesystems");
    }
}
