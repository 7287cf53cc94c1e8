package dev.fairlead.adapter.node.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.mount.MountOptions;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the program {@code mount} is given, and what is told of its refusal; nothing is mounted. */
class FilesystemMountsTest {
    private static final String CONTEXT = "context=\"a:b:c:s0:c2,c1\"";

    private final List<Command> given = new ArrayList<>();
    private FilesystemMounts.KernelTypes known = Set::of;

    @TempDir
    private Path target = Path.of("/nonexistent");

    private FilesystemMounts mounts(String errors) {
        CommandRunner programs = new CommandRunner() {
            @Override
            public Ended run(Command command, Work work) {
                given.add(command);
                return Ended.with(32, "", errors);
            }

            @Override
            public void close() {}
        };
        return new FilesystemMounts(
                MountSandbox.threads(),
                new MountView(false),
                programs,
                Duration.ofSeconds(5),
                known,
                SteppingClock.standing());
    }

    private static Filesystem share() {
        return new Filesystem(
                "cifs",
                "//nas/vol",
                List.of("vers=3.0", "credentials=/proc/self/fd/0"),
                Optional.of(new Secret("username=keeper\npassword=hunter2\n")));
    }

    @Test
    void a_secret_goes_to_the_input_and_not_into_an_argument() {
        assertThatThrownBy(
                        () -> mounts("mount error(13): Permission denied").mount(share(), target, TestWork.patient()))
                .isInstanceOfSatisfying(
                        StorageException.class, it -> assertThat(it.failure()).isInstanceOf(Failure.MountFailed.class))
                .hasMessageContaining("Permission denied");

        assertThat(given).singleElement().satisfies(command -> {
            assertThat(command.argv())
                    .containsExactly(
                            "mount",
                            "-t",
                            "cifs",
                            "-o",
                            "vers=3.0,credentials=/proc/self/fd/0",
                            "--",
                            "//nas/vol",
                            target.toString());
            assertThat(command.input())
                    .isInstanceOfSatisfying(
                            Command.Input.Text.class,
                            it -> assertThat(it.text().reveal()).isEqualTo("username=keeper\npassword=hunter2\n"));
            assertThat(command.toString()).doesNotContain("hunter2", "keeper");
        });
    }

    @ParameterizedTest
    @CsvSource({"true, ntfs3", "false, 'ntfs3,ntfs'"})
    void ntfs_is_mounted_by_ntfs3_where_the_kernel_has_it(boolean has, String tried) {
        known = () -> has ? Set.of("ext4", "ntfs3") : Set.of("ext4");

        assertThatThrownBy(() -> mounts("wrong fs type")
                        .mount(Filesystem.of("ntfs", "/dev/sdx", List.of()), target, TestWork.patient()))
                .isInstanceOf(StorageException.class);

        assertThat(given).extracting(it -> it.argv().get(2)).containsExactly(tried.split(",", -1));
    }

    @Test
    void a_context_with_categories_is_one_option_of_the_argument() {
        assertThatThrownBy(() -> mounts("")
                        .mount(
                                Filesystem.of("nfs", "nas:/v", List.of("noatime", CONTEXT, "ro")),
                                target,
                                TestWork.patient()))
                .isInstanceOf(StorageException.class);

        assertThat(given)
                .singleElement()
                .satisfies(command ->
                        assertThat(command.argv()).containsSequence("-o", "noatime," + CONTEXT + ",ro", "--"));
    }

    /**
     * A policy may have another name for the same type, so what was mounted counts, and a PersistentVolume stays
     * usable.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {"rw,context=\"a:b:c:s0:c1,c2\"", "rw,relatime", "rw,context=\"a:b:d:s0:c1,c2\"", "rw,seclabel"})
    void a_mount_with_another_context_than_was_asked_for_is_no_conflict(String shown) {
        MountEntry found = new MountEntry(30, 20, "0:50", "/", "/m", List.of("rw"), "nfs4", "nas:/v", List.of("rw"));

        assertThatCode(() -> FilesystemMounts.verify(
                        Filesystem.of("nfs", "nas:/v", List.of(CONTEXT)), found, MountOptions.shown(shown), target))
                .doesNotThrowAnyException();
    }

    @Test
    void a_secret_that_the_program_repeats_is_not_told() {
        assertThatThrownBy(() ->
                        mounts("mount.cifs: bad option password=hunter2,x").mount(share(), target, TestWork.patient()))
                .hasMessageContaining("password=***")
                .hasMessageNotContaining("hunter2");
    }
}
