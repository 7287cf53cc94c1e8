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

    private void check(FilesystemSettings settings, String type) {
        CommandRunner programs = new CommandRunner() {
            @Override
            public Ended run(Command command, Work work) {
                ran.add(String.join(" ", command.argv()));
                return Ended.with(exitCode, "", "said");
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
