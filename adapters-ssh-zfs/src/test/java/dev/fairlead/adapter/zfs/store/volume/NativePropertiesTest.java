package dev.fairlead.adapter.zfs.store.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.property.PropertyForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is read back is compared twice and alike: by the script on the storage host, and by us. */
class NativePropertiesTest {
    @TempDir
    Path folder;

    private boolean isTaken(String key, String asked, String value, String source)
            throws IOException, InterruptedException {
        var natives = new NativeProperties(Map.of(key, asked));
        boolean here = natives.difference(Map.of(PropertyForm.name(key), new Property(value, source)))
                .isEmpty();
        assertThat(isTakenByScript(natives, value, source)).as("by the script").isEqualTo(here);
        return here;
    }

    /** Runs the steps in a real shell, with a {@code zfs} that prints these. */
    private boolean isTakenByScript(NativeProperties natives, String value, String source)
            throws IOException, InterruptedException {
        Path zfs = Files.writeString(
                folder.resolve("zfs"), """
                case "$*" in
                    *" value,source "*) printf '%s\\t%s\\n' '{value}' '{source}' ;;
                    *" value "*) printf '%s\\n' '{value}' ;;
                    *" source "*) printf '%s\\n' '{source}' ;;
                esac
                """.replace("{value}", value).replace("{source}", source));
        var commands = new ZfsCommands(List.of("/bin/sh", zfs.toString()));
        List<String> argv =
                natives.set(commands, new DatasetName("tank/v/pvc-1")).argv();
        return new ProcessBuilder(argv).start().waitFor() == 0;
    }

    @ParameterizedTest
    @CsvSource({
        "atime, off, off, local",
        "atime, off, off, received",
        "atime, off, on, temporary",
        "compression, gzip-6, gzip, local",
        "acltype, posixacl, posix, local",
        "recordsize, 1M, 1048576, local",
        "recsize, 16K, 16384, local",
        "rdonly, on, on, local",
        "quota, none, 0, default",
        "refquota, 10G, 10737418240, local",
        "refreservation, auto, 1090519040, local",
        "volsize, 1048576, 1048576, -",
        "mountpoint, /srv/a, /mnt/srv/a, local",
        "mountpoint, legacy, legacy, local",
        "sharenfs, 'rw=@10.0.0.1,no_root_squash', 'rw=@10.0.0.1,no_root_squash', local"
    })
    void a_property_has_its_value(String key, String asked, String value, String source)
            throws IOException, InterruptedException {
        assertThat(isTaken(key, asked, value, source)).isTrue();
    }

    /** YAML ends a block of text with a line break, which the storage host's shell drops. */
    @Test
    void a_line_break_at_its_end_is_no_part_of_a_value() throws IOException, InterruptedException {
        assertThat(isTaken("sharenfs", "rw=@10.0.0.1\n", "rw=@10.0.0.1", "local"))
                .isTrue();
    }

    @Test
    void what_is_set_once_is_not_set_again_by_its_short_name_either() {
        assertThat(NativeProperties.settable(Map.of("volblock", "16K", "case", "mixed", "recsize", "16K")))
                .containsOnlyKeys("recsize");
    }

    @ParameterizedTest
    @CsvSource({
        "atime, off, on, local",
        "atime, off, off, default",
        "atime, off, off, inherited from tank/v",
        "compression, lz4, zstd, temporary",
        "compression, lz4, lz4, inherited from tank",
        "acltype, posix, off, local",
        "recordsize, 1M, 131072, local",
        "quota, none, 1048576, local",
        "refquota, 10G, 10737418241, local",
        "refreservation, auto, 0, local",
        "refreservation, auto, 1090519040, default",
        "volsize, 1048576, 2097152, -",
        "mountpoint, /srv/a, /tank/v/a, inherited from tank",
        "mountpoint, legacy, none, local",
        "sharenfs, rw=@10.0.0.1, rw=@10.0.0.2, local"
    })
    void one_that_reads_back_otherwise_is_a_difference(String key, String asked, String value, String source)
            throws IOException, InterruptedException {
        assertThat(isTaken(key, asked, value, source)).isFalse();
    }
}
