package dev.fairlead.adapter.node.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.kernel.MountTable;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.Mounter.Usage;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real mounts; each is made by the newest calls of this kernel and, where it matters, as on the oldest. */
class LinuxMountsTest {
    private final TestWork work = TestWork.patient();

    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_bind_mount_shows_the_source_with_its_flags_in_force(boolean newest) throws IOException {
        LinuxMounter mounter = MountSandbox.mounter(newest);
        Path source = sandbox.directory("source");
        Path target = sandbox.directory("target");

        mounter.bind(source, target, List.of("ro", "noatime", "nosuid", "nfsvers=4"), work);

        MountEntry entry = mounter.at(target, work).orElseThrow();
        assertThat(entry.options()).contains("ro", "noatime", "nosuid").doesNotContain("relatime", "nodev");
        assertThat(target.resolve("is-source")).exists();
        assertThatThrownBy(() -> Files.createFile(target.resolve("x"))).isInstanceOf(FileSystemException.class);
        assertThat(Files.createFile(source.resolve("y"))).exists();
        assertThat(work.effects()).containsExactly(new Effect("bind", target.toString()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void binding_what_is_bound_changes_nothing(boolean newest) throws IOException {
        LinuxMounter mounter = MountSandbox.mounter(newest);
        Path source = sandbox.directory("source");
        Path target = sandbox.directory("target");
        mounter.bind(source, target, List.of("ro"), work);

        mounter.bind(source, target, List.of("ro"), work);

        assertThat(sandbox.mounts()).hasSize(1);
        assertThat(work.effects()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void something_else_at_the_target_is_a_conflict(boolean newest) throws IOException {
        LinuxMounter mounter = MountSandbox.mounter(newest);
        Path target = sandbox.directory("target");
        mounter.bind(sandbox.directory("other"), target, List.of(), work);

        Path source = sandbox.directory("source");

        assertThatThrownBy(() -> mounter.bind(source, target, List.of(), work))
                .extracting("failure")
                .isInstanceOf(Failure.MountConflict.class);
        assertThat(sandbox.mounts()).hasSize(1);
    }

    @Test
    void other_flags_at_the_target_are_a_conflict() throws IOException {
        LinuxMounter mounter = MountSandbox.mounter();
        Path source = sandbox.directory("source");
        Path target = sandbox.directory("target");
        mounter.bind(source, target, List.of(), work);

        assertThatThrownBy(() -> mounter.bind(source, target, List.of("ro"), work))
                .extracting("failure")
                .isInstanceOf(Failure.MountConflict.class);
        assertThat(mounter.at(target, work))
                .get()
                .extracting(MountEntry::readOnly)
                .isEqualTo(false);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_bind_of_a_read_only_mount_stays_read_only(boolean newest) throws IOException {
        LinuxMounter mounter = MountSandbox.mounter(newest);
        Path staging = sandbox.directory("staging");
        Path target = sandbox.directory("target");
        mounter.bind(sandbox.directory("source"), staging, List.of("ro", "nosuid"), work);

        mounter.bind(staging, target, List.of("noatime"), work);

        assertThat(mounter.at(target, work).orElseThrow().options()).contains("ro", "nosuid", "noatime");
    }

    @Test
    void the_kernels_word_on_one_mount_equals_the_table() throws IOException {
        LinuxMounter mounter = MountSandbox.mounter();
        Path target = sandbox.directory("a b\\040c\"#");
        mounter.bind(sandbox.directory("s o\nurce"), target, List.of("nodev", "strictatime", "nodiratime"), work);

        assertThat(mounter.at(target, work))
                .isEqualTo(MountSandbox.mounter(false).at(target, work));
        assertThat(mounter.at(target, work)).isPresent();
        for (MountEntry entry : MountTable.read()) {
            Path point = Path.of(entry.mountPoint());
            assertThat(mounter.at(point, work)).isEqualTo(MountView.inTable(point));
        }
    }

    @Test
    void a_path_that_is_no_mount_point_has_no_mount() throws IOException {
        Path source = sandbox.directory("source");
        Files.createSymbolicLink(sandbox.path("link"), Path.of("/proc"));

        for (boolean newest : List.of(true, false)) {
            LinuxMounter mounter = MountSandbox.mounter(newest);
            assertThat(mounter.at(source, work)).isEmpty();
            assertThat(mounter.at(sandbox.path("missing"), work)).isEmpty();
            assertThat(mounter.at(source.resolve("is-source/below"), work)).isEmpty();
            assertThat(mounter.at(sandbox.path("link"), work)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_mount_is_found_through_a_linked_parent(boolean newest) throws IOException {
        LinuxMounter mounter = MountSandbox.mounter(newest);
        sandbox.directory("real/target");
        Path linked = Files.createSymbolicLink(sandbox.path("kubelet"), sandbox.path("real"));

        mounter.bind(sandbox.directory("source"), linked.resolve("target"), List.of("ro"), work);

        assertThat(mounter.at(linked.resolve("target"), work)).isPresent();
        mounter.unmount(linked.resolve("target"), work);
        assertThat(sandbox.mounts()).isEmpty();
    }

    @Test
    void a_link_is_neither_bound_nor_bound_over() throws IOException {
        LinuxMounter mounter = MountSandbox.mounter();
        Path source = sandbox.directory("source");
        Path link = Files.createSymbolicLink(sandbox.path("link"), sandbox.directory("elsewhere"));

        assertThatThrownBy(() -> mounter.bind(link, source, List.of(), work)).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> mounter.bind(source, link, List.of(), work)).isInstanceOf(StorageException.class);
        assertThat(sandbox.mounts()).isEmpty();
    }

    @Test
    void all_layers_are_unmounted_and_nothing_mounted_is_done() throws IOException {
        LinuxMounter mounter = MountSandbox.mounter();
        Path target = sandbox.directory("target");
        for (String name : List.of("one", "two", "three")) {
            sandbox.mountOver(sandbox.directory(name), target);
        }

        mounter.unmount(target, work);
        mounter.unmount(target, work);

        assertThat(sandbox.mounts()).isEmpty();
        assertThat(work.effects()).hasSize(3);
        assertThat(target.resolve("is-target")).exists();
    }

    @Test
    void a_mount_in_use_stays_and_says_so() throws IOException {
        LinuxMounter mounter = MountSandbox.mounter();
        Path target = sandbox.directory("target");
        mounter.bind(sandbox.directory("source"), target, List.of(), work);

        try (InputStream open = Files.newInputStream(target.resolve("is-source"))) {
            assertThat(open.read()).isPositive();
            assertThatThrownBy(() -> mounter.unmount(target, work))
                    .extracting("failure")
                    .isInstanceOf(Failure.InUse.class);
        }

        assertThat(mounter.at(target, work)).isPresent();
    }

    @Test
    void a_mount_that_is_in_use_for_a_moment_is_unmounted_after_it() throws IOException, InterruptedException {
        LinuxMounter mounter = MountSandbox.mounter();
        Path target = sandbox.directory("target");
        mounter.bind(sandbox.directory("source"), target, List.of(), work);
        InputStream open = Files.newInputStream(target.resolve("is-source"));
        Thread closing = Thread.ofPlatform().start(() -> closeAfter(open, Duration.ofMillis(200)));

        mounter.unmount(target, work);

        closing.join();
        assertThat(sandbox.mounts()).isEmpty();
    }

    private static void closeAfter(InputStream open, Duration time) {
        try (open) {
            Thread.sleep(time);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_full_directory_and_a_mounted_one_are_not_removed() throws IOException {
        LinuxMounter mounter = MountSandbox.mounter();
        Path target = sandbox.directory("target");

        assertThatThrownBy(() -> mounter.removeDirectory(target, work)).hasMessageContaining("left alone");
        Files.delete(target.resolve("is-target"));
        mounter.bind(sandbox.directory("source"), target, List.of(), work);
        assertThatThrownBy(() -> mounter.removeDirectory(target, work)).isInstanceOf(StorageException.class);

        assertThat(sandbox.path("source/is-source")).exists();
        mounter.unmount(target, work);
        mounter.removeDirectory(target, work);
        assertThat(target).doesNotExist();
    }

    @Test
    void usage_is_that_of_the_file_system() throws IOException {
        Path source = sandbox.directory("source");

        Usage usage = MountSandbox.mounter().usage(source, work);

        assertThat(usage.totalBytes()).isEqualTo(Files.getFileStore(source).getTotalSpace());
        assertThat(usage.usedBytes() + usage.availableBytes()).isPositive().isLessThanOrEqualTo(usage.totalBytes());
        assertThat(usage.usedInodes() + usage.freeInodes()).isEqualTo(usage.totalInodes());
    }

    @Test
    void measuring_what_is_not_there_fails() {
        assertThatThrownBy(() -> MountSandbox.mounter().usage(sandbox.path("missing"), work))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("missing");
    }
}
