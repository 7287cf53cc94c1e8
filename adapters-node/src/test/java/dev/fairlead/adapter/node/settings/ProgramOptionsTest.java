package dev.fairlead.adapter.node.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramOptionsTest {
    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : Arrays.asList(text.split(" ", -1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MAKE_EXT | ''",
                "MAKE_EXT | -m 5 -O ^metadata_csum -E nodiscard,lazy_itable_init=1 -J size=64 -q",
                "MAKE_XFS | -K -m reflink=0 -d agcount=4 -l size=64m -L data",
                "MAKE_BTRFS | --csum xxhash -M --nodiscard -n 16k",
                "CHECK_EXT | -fp -tt -E fixes_only",
                "CHECK_ANY | -T -C",
                "CHECK_XFS | -v -o ag_stride=4 -m 512",
                "CHECK_BTRFS | -v --quiet"
            })
    void what_is_safe_is_passed_on(ProgramOptions program, String text) {
        List<String> given = words(text);

        assertThat(program.checked(given)).isEqualTo(given);
    }

    @ParameterizedTest
    @CsvSource({"MAKE_EXT, -m5, '-m 5'", "MAKE_BTRFS, --csum=xxhash, '--csum xxhash'"})
    void a_value_beside_its_option_is_put_behind_it(ProgramOptions program, String word, String argv) {
        assertThat(program.checked(List.of(word))).isEqualTo(words(argv));
        assertThat(ProgramOptions.MAKE_EXT.checked(List.of("-i 4096"))).containsExactly("-i", "4096");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MAKE_EXT | -F",
                "MAKE_EXT | -qF",
                "MAKE_EXT | -FF",
                "MAKE_EXT | -S",
                "MAKE_EXT | -n",
                "MAKE_EXT | -c",
                "MAKE_EXT | -U 6d2b1a3c-0000-4000-8000-000000000001",
                "MAKE_EXT | -d /etc",
                "MAKE_EXT | -z /tmp/undo",
                "MAKE_EXT | -J device=/dev/sdb",
                "MAKE_EXT | -J size=64,device=UUID=1",
                "MAKE_EXT | -O extent,journal_dev",
                "MAKE_EXT | -O +journal_dev",
                "MAKE_EXT | -O extent,+JOURNAL_DEV",
                "MAKE_EXT | -O FEATURE_I3",
                "MAKE_EXT | -E nodiscard,offset=4096",
                "MAKE_EXT | /dev/sdb",
                "MAKE_EXT | -q 4096",
                "MAKE_EXT | -m",
                "MAKE_EXT | -m -F",
                "MAKE_EXT | --",
                "MAKE_XFS | -f",
                "MAKE_XFS | -Kf",
                "MAKE_XFS | -N",
                "MAKE_XFS | -l logdev=/dev/sdb",
                "MAKE_XFS | -l size=64m,logdev=x",
                "MAKE_XFS | -d file",
                "MAKE_XFS | -d agcount=4,name=x",
                "MAKE_XFS | -r rtdev=x",
                "MAKE_XFS | -m uuid=6d2b1a3c-0000-4000-8000-000000000001",
                "MAKE_XFS | -m crc=1,uuid=6d2b1a3c-0000-4000-8000-000000000001",
                "MAKE_XFS | -p proto",
                "MAKE_BTRFS | -f",
                "MAKE_BTRFS | --force",
                "MAKE_BTRFS | --rootdir /etc",
                "MAKE_BTRFS | --uuid x",
                "CHECK_EXT | -y",
                "CHECK_EXT | -fy",
                "CHECK_EXT | -c",
                "CHECK_EXT | -b 32768",
                "CHECK_ANY | -A",
                "CHECK_ANY | -N",
                "CHECK_XFS | -n",
                "CHECK_XFS | -vn",
                "CHECK_XFS | -L",
                "CHECK_XFS | -vL",
                "CHECK_XFS | -d",
                "CHECK_XFS | -l /dev/sdb",
                "CHECK_BTRFS | --repair",
                "CHECK_BTRFS | check"
            })
    void what_forces_names_a_device_or_only_pretends_is_refused(ProgramOptions program, String text) {
        List<String> given = words(text);

        assertThatThrownBy(() -> program.checked(given)).isInstanceOf(IllegalArgumentException.class);
    }

    /** {@code mkfs.ext4} takes a list of features with spaces between them as well. */
    @Test
    void a_journal_of_another_device_is_refused_in_every_spelling() {
        for (String value : List.of("has_journal journal_dev", "extent, +journal_dev", "journal_dev extent")) {
            assertThatThrownBy(() -> ProgramOptions.MAKE_EXT.checked(List.of("-O", value)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(ProgramOptions.MAKE_EXT.checked(List.of("-O", "^journal_dev,has_journal")))
                .hasSize(2);
    }
}
