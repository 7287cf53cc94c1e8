package dev.fairlead.application.service.node;

import static dev.fairlead.application.service.NodeFixture.CONTEXT;
import static dev.fairlead.application.service.NodeFixture.HANDLE;
import static dev.fairlead.application.service.NodeFixture.POD_A;
import static dev.fairlead.application.service.NodeFixture.POD_B;
import static dev.fairlead.application.service.NodeFixture.SINGLE;
import static dev.fairlead.application.service.NodeFixture.STAGING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.in.node.MountVolume;
import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.application.service.NodeFixture;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a volume that is staged is published, and which ways do not go together. */
class NodePublishTest {
    private final NodeFixture on = new NodeFixture();

    @Test
    void block_access_is_refused_with_the_reason_and_nothing_is_made() {
        String before = on.mounts.dump();

        assertThatThrownBy(() -> on.node
                        .stageVolume()
                        .stage(
                                new StageVolume.Command(
                                        HANDLE, STAGING, TestVolumes.BLOCK, CONTEXT, Map.of(), Map.of()),
                                on.work))
                .hasMessageContaining("which is a directory and not a device");
        Failing.with(Failure.Unsupported.class, () -> on.publish(POD_A, TestVolumes.BLOCK, false));
        assertThat(on.mounts.dump()).isEqualTo(before);
    }

    @Test
    void what_is_not_staged_is_not_published() {
        Failing.with(Failure.NotStaged.class, () -> on.publish(POD_A, TestVolumes.MOUNT, false));
        Failing.with(
                Failure.NotStaged.class,
                () -> on.node
                        .mountVolume()
                        .mount(
                                new MountVolume.Command(
                                        HANDLE, Optional.empty(), POD_A, TestVolumes.MOUNT, false, CONTEXT, Map.of()),
                                on.work));
        assertThat(on.mounts.isDirectory(POD_A)).isFalse();
    }

    @Test
    void a_target_that_is_in_use_in_another_way_is_a_conflict() {
        on.stage();
        on.publish(POD_A, TestVolumes.MOUNT, false);
        on.publish(POD_B, TestVolumes.MOUNT, true);
        String before = on.mounts.dump();

        Failing.with(Failure.MountConflict.class, () -> on.publish(POD_A, TestVolumes.MOUNT, true));
        Failing.with(Failure.MountConflict.class, () -> on.publish(POD_B, TestVolumes.MOUNT, false));
        Failing.with(
                Failure.MountConflict.class,
                () -> on.publish(POD_A, TestVolumes.mount(AccessMode.SINGLE_NODE_WRITER, "noexec"), false));
        Failing.with(Failure.MountConflict.class, () -> on.publish(Path.of("/"), TestVolumes.MOUNT, false));
        assertThat(on.mounts.dump()).isEqualTo(before);
    }

    @Test
    void mount_flags_are_put_in_force_where_the_volume_is_published() {
        on.stage();
        VolumeCapability flags = TestVolumes.mount(AccessMode.SINGLE_NODE_WRITER, "noatime", "noexec");

        on.publish(POD_A, flags, false);
        on.publish(POD_A, flags, false);

        assertThat(on.mounts.at(POD_A, on.work).orElseThrow().options()).contains("noatime", "noexec", "rw");
    }

    @Test
    void a_word_between_quotes_is_no_flag_and_one_beside_them_is() {
        on.stage();
        VolumeCapability flags =
                TestVolumes.mount(AccessMode.SINGLE_NODE_WRITER, "context=\"a:b:c:s0:c1,suid\",rw,noatime");

        on.publish(POD_A, flags, true);

        assertThat(on.mounts.at(POD_A, on.work).orElseThrow().options())
                .contains("noatime", "ro")
                .doesNotContain("suid", "rw");
    }

    @ParameterizedTest
    @ValueSource(strings = {"suid", "dev", "noatime,suid", "context=\"a:b:c:s0\",suid", "context=\"suid"})
    void flags_that_give_up_what_protects_the_node_are_neither_staged_nor_published(String flag) {
        String before = on.mounts.dump();
        VolumeCapability hostile = TestVolumes.mount(AccessMode.SINGLE_NODE_WRITER, flag);

        Failing.with(
                Failure.InvalidRequest.class,
                () -> on.node
                        .stageVolume()
                        .stage(
                                new StageVolume.Command(HANDLE, STAGING, hostile, CONTEXT, Map.of(), Map.of()),
                                on.work));
        assertThat(on.mounts.dump()).isEqualTo(before);
        on.stage();

        Failing.with(Failure.InvalidRequest.class, () -> on.publish(POD_A, hostile, false));
        Failing.with(
                Failure.InvalidRequest.class,
                () -> on.node
                        .mountVolume()
                        .mount(
                                new MountVolume.Command(
                                        HANDLE, Optional.of(STAGING), POD_A, hostile, false, Map.of(), Map.of()),
                                on.work));
        assertThat(on.mounts.isDirectory(POD_A)).isFalse();
    }

    @Test
    void a_mode_for_reading_is_published_read_only() {
        on.stage();

        on.publish(POD_A, TestVolumes.mount(AccessMode.MULTI_NODE_READER_ONLY, "rw"), false);

        assertThat(on.mounts.at(POD_A, on.work).orElseThrow().readOnly()).isTrue();
    }

    @Test
    void a_single_writer_is_published_at_one_path_and_elsewhere_once_it_left() {
        on.stage();
        on.publish(POD_A, SINGLE, false);
        on.publish(POD_A, SINGLE, false);

        assertThatThrownBy(() -> on.publish(POD_B, SINGLE, false))
                .hasMessageContaining("FL-NODE-003")
                .hasMessageContaining(POD_A.toString());
        assertThat(on.mounts.isDirectory(POD_B)).isFalse();

        on.unpublish(POD_A);
        on.publish(POD_B, SINGLE, false);
    }

    @ParameterizedTest
    @EnumSource(value = AccessMode.class, names = "SINGLE_NODE_SINGLE_WRITER", mode = EnumSource.Mode.EXCLUDE)
    void every_other_mode_may_be_published_at_two_paths(AccessMode mode) {
        on.stage();

        on.publish(POD_A, TestVolumes.mount(mode), false);
        on.publish(POD_B, TestVolumes.mount(mode), false);

        assertThat(on.mounts.table(on.work)).hasSize(4);
    }
}
