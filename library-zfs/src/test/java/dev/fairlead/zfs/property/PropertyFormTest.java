package dev.fairlead.zfs.property;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PropertyFormTest {
    @ParameterizedTest
    @CsvSource({
        "quota, 10G, 10737418240",
        "refquota, 1073741824, 1073741824",
        "refquota, 010, 10",
        "reservation, 1.5k, 1536",
        "refreservation, .5MiB, 524288",
        "volsize, 8gb, 8589934592",
        "recordsize, 1M, 1048576",
        "special_small_blocks, 32K, 32768",
        "snapshot_limit, 1k, 1024",
        "userquota@alice, 2T, 2199023255552",
        "quota, 512B, 512",
        "quota, 0, 0"
    })
    void numbers_are_printed_in_bytes(String key, String value, String printed) {
        assertThat(PropertyForm.isNumber(key)).isTrue();
        assertThat(PropertyForm.of(key, value)).containsExactly(printed);
    }

    @Test
    void none_is_printed_as_zero_where_it_is_a_size_and_as_the_largest_number_where_it_is_a_limit() {
        assertThat(PropertyForm.of("quota", "none")).containsExactly("0", "none");
        assertThat(PropertyForm.of("groupquota@staff", "none")).containsExactly("0", "none");
        assertThat(PropertyForm.of("filesystem_limit", "none")).containsExactly("18446744073709551615", "none");
    }

    @ParameterizedTest
    @CsvSource({
        "compression, gzip-6, gzip",
        "compression, zstd-fast-1, zstd-fast",
        "acltype, posixacl, posix",
        "acltype, noacl, off",
        "acltype, posix, posixacl",
        "aclinherit, secure, restricted",
        "xattr, on, dir",
        "xattr, on, sa",
        "xattr, dir, on",
        "volmode, geom, full"
    })
    void words_that_zfs_keeps_as_the_same_may_be_printed_one_for_the_other(String key, String value, String printed) {
        assertThat(PropertyForm.of(key, value)).contains(value, printed);
    }

    @ParameterizedTest
    @CsvSource({
        "compression, on, lz4",
        "compression, gzip-5, gzip",
        "compression, zstd, zstd-3",
        "acltype, posix, nfsv4",
        "xattr, sa, dir",
        "xattr, off, on",
        "atime, off, on",
        "aclmode, passthrough, discard",
        "dnodesize, 1k, 1024",
        "mountpoint, legacy, none"
    })
    void any_other_word_is_printed_as_it_was_set(String key, String value, String other) {
        assertThat(PropertyForm.isNumber(key)).isFalse();
        assertThat(PropertyForm.of(key, value)).contains(value).doesNotContain(other);
    }

    @ParameterizedTest
    @CsvSource({
        "recsize, recordsize",
        "refreserv, refreservation",
        "compress, compression",
        "rdonly, readonly",
        "volblock, volblocksize",
        "recordsize, recordsize"
    })
    void a_short_name_is_told_by_the_name_that_is_printed(String key, String printed) {
        assertThat(PropertyForm.name(key)).isEqualTo(printed);
    }

    @Test
    void case_is_left_to_zfs_which_refuses_another() {
        assertThat(PropertyForm.of("atime", "OFF")).isEqualTo(Set.of("OFF"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "", "-", "1Q", "1 G", "0x10", "."})
    void a_size_that_zfs_computes_or_refuses_has_no_form(String value) {
        assertThat(PropertyForm.of("refreservation", value)).isEmpty();
    }

    @Test
    void a_path_has_no_form_since_the_alternate_root_of_its_pool_is_printed_before_it() {
        assertThat(PropertyForm.of("mountpoint", "/srv/pvc-1")).isEmpty();
        assertThat(PropertyForm.of("mountpoint", "none")).containsExactly("none");
    }
}
