package dev.fairlead.adapter.node.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.adapter.node.settings.FilesystemSettings;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.format.FormatGuard.Born;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The checks that the operator asks for, beyond those that are always done. */
class WantedChecksTest {
    private static final Path DEVICE = Path.of("/dev/null");
    private static final FilesystemSettings ALL = new FilesystemSettings(
            Map.of(), Map.of("ext4", List.of("-v"), "xfs", List.of("-P"), "btrfs", List.of("-q")));

    private final List<String> ran = new ArrayList<>();
    private int exitCode;
    private String says = "said";

    private void check(FilesystemSettings settings, String type) {
        CommandRunner programs = new CommandRunner() {
            @Override
            public Ended run(Command command, Work work) {
                ran.add(String.join(" ", command.argv()));
                return Ended.with(exitCode, "", says);
            }

            @Override
            public void close() {}
        };
        new LinuxFilesystems(MountSandbox.threads(), programs, settings)
                .check(
                        DEVICE,
                        type,
                        Optional.of("6d2b1a3c-0000-4000-8000-000000000001"),
                        Born.UNTOLD,
                        TestWork.patient());
    }

    @ParameterizedTest
    @CsvSource({
        "ext4, e2fsck -p -f -v /dev/null",
        "ext3, e2fsck -p /dev/null",
        "xfs, xfs_repair -o force_geometry -P /dev/null",
        "btrfs, btrfs -q check /dev/null"
    })
    void each_type_has_its_program(String type, String argv) {
        check(ALL, type);

        assertThat(ran).containsExactly(argv);
    }

    @ParameterizedTest
    @CsvSource({"xfs", "btrfs"})
    void without_a_wish_the_kernel_alone_looks_at_it(String type) {
        check(FilesystemSettings.NONE, type);

        assertThat(ran).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"xfs, 1", "btrfs, 1"})
    void what_is_damaged_is_not_mounted(String type, int code) {
        exitCode = code;

        assertThatThrownBy(() -> check(ALL, type))
                .extracting("failure")
                .isInstanceOfSatisfying(
                        Failure.MountFailed.class,
                        it -> assertThat(it.message()).contains("checkFilesystem"));
    }

    /** Bits of e2fsck's codes: 4 for damage that it leaves, 8 for what it could not do, 32 if it was stopped. */
    @ParameterizedTest
    @CsvSource({
        "ext4, 8, /dev/sda is in use.",
        "ext3, 9, ",
        "ext4, 12, ",
        "ext4, 32, ",
        "ext4, 137, killed by a signal",
        "xfs, 1, xfs_repair: cannot open /dev/sda: Device or resource busy",
        "xfs, 1, xfs_repair: /dev/sda contains a mounted filesystem",
        "btrfs, 1, ERROR: cannot open device '/dev/sda': Device or resource busy",
        "btrfs, 1, ERROR: /dev/sda is currently mounted"
    })
    void a_check_that_has_not_taken_place_says_nothing_of_the_file_system(
            String type, int code, @Nullable String said) {
        exitCode = code;
        says = said == null ? "" : said;

        assertThatThrownBy(() -> check(ALL, type))
                .extracting("failure")
                .isInstanceOfSatisfying(
                        Failure.NotChecked.class,
                        it -> assertThat(it.message()).contains(says).contains("/dev/null"));
    }

    @ParameterizedTest
    @CsvSource({"4", "5"})
    void damage_that_a_check_leaves_is_told_as_such(int code) {
        exitCode = code;

        assertThatThrownBy(() -> check(ALL, "ext4")).extracting("failure").isInstanceOf(Failure.MountFailed.class);
    }

    @ParameterizedTest
    @CsvSource({"16", "126", "128"})
    void a_program_that_does_not_run_is_a_fault_of_the_node(int code) {
        exitCode = code;

        assertThatThrownBy(() -> check(ALL, "ext4")).extracting("failure").isInstanceOf(Failure.NodeFault.class);
    }

    @Test
    void an_xfs_that_a_crash_left_is_mounted_so_that_the_kernel_replays_its_log() {
        exitCode = 2;

        check(ALL, "xfs");

        assertThat(ran).hasSize(1);
    }

    @Test
    void a_missing_program_is_told() {
        exitCode = DevicePrograms.MISSING;

        assertThatThrownBy(() -> check(ALL, "btrfs")).extracting("failure").isInstanceOf(Failure.NodeFault.class);
    }
}
