package dev.fairlead.adapter.node.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.linux.PathHandle;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A base folder that is unmounted while a volume in it is bound: trying again helps once it is back. */
class UnmountedSourceTest {
    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_volume_whose_base_is_unmounted_before_it_is_bound_is_out_of_reach(boolean newest) throws Exception {
        Path base = mountedBase();
        Path target = sandbox.directory("target");
        var gone = new AtomicBoolean();
        TestWork work = TestWork.patient().cancelledWhen(() -> {
            if (!gone.getAndSet(true)) {
                unmount();
            }
            return false;
        });

        assertThatThrownBy(() -> MountSandbox.mounter(newest)
                        .bind(new Attached.Directory(base, Path.of("v/pvc-1")), target, List.of(), work))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class));
        assertThat(sandbox.mounts()).isEmpty();
    }

    @Test
    void what_another_file_system_has_there_by_now_is_not_bound() throws Exception {
        Path base = sandbox.directory("base");
        Path target = sandbox.directory("target");
        long here = (Long) Files.getAttribute(sandbox.directory("base/v/pvc-1"), "unix:dev");

        assertThatThrownBy(
                        () -> bind(new Attached.Directory(base, Path.of("v/pvc-1"), OptionalLong.of(here + 1)), target))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class));
        assertThat(sandbox.mounts()).isEmpty();
        bind(new Attached.Directory(base, Path.of("v/pvc-1"), OptionalLong.of(here)), target);
        assertThat(target.resolve("is-pvc-1")).exists();
    }

    private static void bind(Attached.Directory source, Path target) {
        MountSandbox.mounter().bind(source, target, List.of(), TestWork.patient());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void an_open_directory_whose_mount_has_gone_is_told_from_a_fault(boolean newest) throws Exception {
        Path base = mountedBase();
        try (PathHandle handle = PathHandle.ofDirectory(base.resolve("v/pvc-1"))) {
            unmount();

            assertThatThrownBy(() -> new MountView(newest).shownBy(handle)).isInstanceOf(UnmountedException.class);
        }
    }

    private Path mountedBase() throws IOException {
        Path disk = sandbox.directory("disk");
        Files.createDirectories(disk.resolve("v/pvc-1"));
        return sandbox.mountOver(disk, sandbox.directory("base"));
    }

    private void unmount() {
        try {
            int code = new ProcessBuilder(
                            "umount", "--lazy", sandbox.path("base").toString())
                    .start()
                    .waitFor();
            assertThat(code).isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
