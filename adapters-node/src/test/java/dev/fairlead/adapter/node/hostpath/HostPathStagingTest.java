package dev.fairlead.adapter.node.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.hostpath.DirectoryStaging.Stage;
import dev.fairlead.adapter.node.mount.LinuxMounter;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.linux.MountCalls;
import dev.fairlead.linux.PathHandle;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostPathStagingTest {
    private static final long MS_NOSUID = 2;
    private static final long MS_NOATIME = 0x400;

    private final TestWork work = TestWork.patient();

    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    private Path staging = Path.of("/nonexistent");

    @BeforeEach
    void make_volumes() throws IOException {
        sandbox.directory("base/v/one");
        sandbox.directory("base/v/two");
        sandbox.directory("outside/secret");
        staging = sandbox.directory("staging");
    }

    @Test
    void a_volume_is_staged_once_and_found_staged() throws IOException {
        DirectoryStaging attacher = attacher();

        assertThat(attacher.isStaged(stage("base/v/one"), work)).isFalse();
        attacher.stage(stage("base/v/one"), work);
        attacher.stage(stage("base/v/one"), work);

        assertThat(attacher.isStaged(stage("base/v/one"), work)).isTrue();
        assertThat(staging.resolve("is-one")).exists();
        assertThat(sandbox.mounts()).hasSize(1);
    }

    @Test
    void a_mount_of_one_volume_is_certainly_not_of_another_even_when_its_directory_is_gone() throws IOException {
        var attacher = attacher();
        attacher.stage(stage("base/v/one"), work);
        Mounter.MountEntry entry = MountSandbox.mounter().at(staging, work).orElseThrow();
        Files.delete(sandbox.path("base/v/one/is-one"));
        Files.delete(sandbox.path("base/v/one"));
        Mounter.MountEntry deleted = MountSandbox.mounter().at(staging, work).orElseThrow();

        assertThat(attacher.attacher().mayShow(new NativeId("one"), entry)).isTrue();
        assertThat(attacher.attacher().mayShow(new NativeId("two"), entry)).isFalse();
        assertThat(attacher.attacher().mayShow(new NativeId("one"), deleted)).isTrue();
        assertThat(attacher.attacher().mayShow(new NativeId("two"), deleted)).isFalse();
    }

    @Test
    void a_directory_that_is_in_no_store_may_be_any_volume() throws IOException {
        sandbox.directory("base/photos");
        var attacher = attacher();
        attacher.stage(stage("base/photos"), work);
        Mounter.MountEntry entry = MountSandbox.mounter().at(staging, work).orElseThrow();

        assertThat(attacher.attacher().mayShow(new NativeId("holidays"), entry)).isTrue();
    }

    @Test
    void another_volume_at_the_staging_path_is_a_conflict() {
        DirectoryStaging attacher = attacher();
        attacher.stage(stage("base/v/one"), work);

        assertThatThrownBy(() -> attacher.isStaged(stage("base/v/two"), work))
                .extracting("failure")
                .isInstanceOf(Failure.MountConflict.class);
        assertThatThrownBy(() -> attacher.stage(stage("base/v/two"), work))
                .extracting("failure")
                .isInstanceOf(Failure.MountConflict.class);
    }

    @Test
    void a_directory_made_anew_is_not_the_one_that_was_staged() throws IOException {
        DirectoryStaging attacher = attacher();
        attacher.stage(stage("base/v/one"), work);
        Files.delete(sandbox.path("base/v/one/is-one"));
        Files.delete(sandbox.path("base/v/one"));

        sandbox.directory("base/v/one");

        assertThatThrownBy(() -> attacher.isStaged(stage("base/v/one"), work)).hasMessageContaining("//deleted");
    }

    @Test
    void a_volume_that_is_gone_is_not_found() {
        assertThatThrownBy(() -> attacher().stage(stage("base/v/missing"), work))
                .extracting("failure")
                .isInstanceOf(Failure.VolumeNotFound.class);
    }

    @Test
    void a_volume_whose_storage_is_not_mounted_on_this_node_is_not_said_to_be_missing() throws IOException {
        Path shelf = sandbox.path("base/v");
        Files.move(shelf, sandbox.path("away"));

        assertThatThrownBy(() -> attacher().stage(stage("base/v/one"), work))
                .extracting("failure")
                .isInstanceOf(Failure.BackendUnavailable.class);
        Files.move(sandbox.path("away"), shelf);
        attacher().stage(stage("base/v/one"), work);

        assertThat(staging.resolve("is-one")).exists();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "outside/secret",
                "outside/missing",
                "outside/none/one",
                "base",
                "base2/v/one",
                "base/v/out",
                "base/v/out/secret"
            })
    void a_path_outside_the_allowed_folders_is_refused_with_the_key_to_set(String path) throws IOException {
        sandbox.directory("base2/v/one");
        Files.createSymbolicLink(sandbox.path("base/v/out"), sandbox.path("outside"));

        assertThatThrownBy(() -> attacher().stage(stage(path), work))
                .extracting("failure")
                .isInstanceOf(Failure.InvalidRequest.class);
        assertThat(sandbox.mounts()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"base/v", "base/s", "base/.fairlead", "base/.fairlead/trash", "base/sub/v"})
    void what_is_the_driver_s_own_and_the_folders_of_all_volumes_are_never_staged(String path) throws IOException {
        sandbox.directory("base/s");
        sandbox.directory("base/.fairlead/trash");
        sandbox.directory("base/sub/v");
        sandbox.directory("base/sub/.fairlead");

        assertThatThrownBy(() -> attacher().stage(stage(path), work))
                .extracting("failure")
                .isInstanceOf(Failure.InvalidRequest.class);
        assertThat(sandbox.mounts()).isEmpty();
    }

    /** A base whose records are elsewhere, or were never made. */
    @ParameterizedTest
    @ValueSource(strings = {"base/v", "base/s"})
    void the_folders_of_all_volumes_are_told_by_their_names_in_an_allowed_folder(String path) throws IOException {
        sandbox.directory("base/s");

        assertThatThrownBy(() -> attacher().stage(stage(path), work))
                .extracting("failure")
                .isInstanceOf(Failure.InvalidRequest.class);
    }

    @Test
    void the_same_flags_in_another_order_are_the_same_and_other_flags_are_a_conflict() {
        DirectoryStaging attacher = attacher();
        attacher.stage(stage("base/v/one", "noexec", "nosuid", "nfsvers=4"), work);

        attacher.stage(stage("base/v/one", "nosuid", "noexec"), work);

        for (List<String> other : List.of(List.of("nosuid"), List.of("nosuid", "noexec", "ro"))) {
            assertThatThrownBy(() -> attacher.stage(stage("base/v/one", other.toArray(String[]::new)), work))
                    .extracting("failure")
                    .isInstanceOf(Failure.MountConflict.class);
        }
    }

    @Test
    void a_volume_that_another_driver_staged_without_the_class_s_flags_is_staged() throws IOException {
        sandbox.mountOver(sandbox.path("base/v/one"), staging);

        attacher().stage(stage("base/v/one", "noatime", "nosuid"), work);

        assertThat(sandbox.mounts()).hasSize(1);
        assertThatThrownBy(() -> attacher().stage(stage("base/v/one", "noatime", "ro"), work))
                .extracting("failure")
                .isInstanceOf(Failure.MountConflict.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_volume_stays_staged_when_the_base_is_remounted_with_other_options(boolean sameProcess) throws IOException {
        sandbox.mountOver(sandbox.path("base"), sandbox.path("base"));
        DirectoryStaging first = attacher();
        first.stage(stage("base/v/one", new String[0]), work);
        try (PathHandle base = PathHandle.ofDirectory(sandbox.path("base"))) {
            MountCalls.remount(base, MS_NOATIME | MS_NOSUID);
        }

        DirectoryStaging later = sameProcess ? first : attacher();
        later.stage(stage("base/v/one", new String[0]), work);

        assertThat(sandbox.mounts()).hasSize(2);
    }

    @Test
    void a_volume_that_was_unstaged_is_staged_with_other_flags() {
        LinuxMounter mounter = MountSandbox.mounter();
        var attacher = new DirectoryStaging(mounter, MountSandbox.threads(), () -> List.of(sandbox.path("base")));
        attacher.stage(stage("base/v/one", "noexec"), work);
        mounter.unmount(staging, work);

        attacher.stage(stage("base/v/one", "nosuid"), work);
        attacher.stage(stage("base/v/one", "nosuid"), work);

        assertThat(mounter.at(staging, work).orElseThrow().options())
                .contains("nosuid")
                .doesNotContain("noexec");
    }

    @Test
    void the_refusal_names_the_key_to_set() {
        assertThatThrownBy(() -> attacher().stage(stage("outside/secret"), work))
                .hasMessageContaining("fairlead.node.hostPathRoots")
                .hasMessageContaining("base");
    }

    @ParameterizedTest
    @ValueSource(strings = {"base/v/../../outside/secret", "base/./v/one", "base/v/one/.."})
    void dots_are_refused(String path) {
        assertThatThrownBy(() -> attacher().stage(stage(path), work)).hasMessageContaining("without '.' and '..'");
    }

    @Test
    void links_that_stay_inside_lead_to_a_volume_and_are_none() throws IOException {
        Files.createSymbolicLink(sandbox.path("base/pool"), sandbox.path("base/v"));
        Files.createSymbolicLink(sandbox.path("base/v/alias"), sandbox.path("base/v/one"));

        attacher().stage(stage("base/pool/one"), work);

        assertThat(staging.resolve("is-one")).exists();
        assertThatThrownBy(() -> attacher().stage(stage("base/v/alias"), work)).hasMessageContaining("symbolic link");
    }

    @Test
    void a_linked_root_and_one_that_is_not_there_are_allowed() throws IOException {
        Path link = Files.createSymbolicLink(sandbox.path("root"), sandbox.path("base"));
        DirectoryStaging attacher = attacher(sandbox.path("not-there"), link);

        attacher.stage(stage("root/v/one"), work);

        assertThat(attacher.isStaged(stage("base/v/one"), work)).isTrue();
    }

    @Test
    void a_file_is_no_volume() {
        assertThatThrownBy(() -> attacher().stage(stage("base/v/one/is-one"), work))
                .hasMessageContaining("is not a directory");
    }

    private DirectoryStaging attacher() {
        return attacher(sandbox.path("base"));
    }

    private static DirectoryStaging attacher(Path... roots) {
        return new DirectoryStaging(MountSandbox.mounter(), MountSandbox.threads(), () -> List.of(roots));
    }

    private Stage stage(String path) {
        return stage(path, "ro");
    }

    private Stage stage(String path, String... flags) {
        return new Stage(
                "v:here/one", new Attachment.HostPath(sandbox.path(path).toString()), staging, List.of(flags));
    }
}
