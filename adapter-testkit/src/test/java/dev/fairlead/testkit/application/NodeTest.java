package dev.fairlead.testkit.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.in.DescribeNode;
import dev.fairlead.application.port.in.MountVolume;
import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.StageVolume;
import dev.fairlead.application.service.KeyedLocks;
import dev.fairlead.application.service.NodeGrowth;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.BindingAttacher;
import dev.fairlead.testkit.fake.FakeMounts;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NodeTest {
    private static final String HANDLE = "v:nas/pvc-1";
    private static final Path STAGING = Path.of("/kubelet/plugins/pv-1/globalmount");
    private static final Path POD_A = Path.of("/kubelet/pods/a/mount");
    private static final Path POD_B = Path.of("/kubelet/pods/b/mount");
    private static final Map<String, String> CONTEXT = Map.of(
            "node_attach_driver", "hostpath", "path", "/srv/nas/v/pvc-1", "provisioner_driver", "local-hostpath");
    private static final VolumeCapability SINGLE = TestVolumes.mount(AccessMode.SINGLE_NODE_SINGLE_WRITER);

    private final FakeMounts mounts = new FakeMounts();
    private final KeyedLocks locks = new KeyedLocks(SteppingClock.standing());
    private final NodeUseCases node = node(NodeGrowth.ELSEWHERE);
    private final TestWork work = TestWork.patient();

    NodeTest() {
        mounts.existing(Path.of("/srv/nas/v/pvc-1"));
        mounts.existing(Path.of("/srv/nas/v/pvc-2"));
    }

    @Test
    void a_volume_is_staged_published_and_taken_away_again_without_a_trace() {
        String before = mounts.dump();
        stage();
        publish(POD_A, TestVolumes.MOUNT, false);
        publish(POD_B, TestVolumes.MOUNT, true);

        assertThat(mounts.at(POD_A, work))
                .hasValueSatisfying(it -> assertThat(it.root()).isEqualTo("/srv/nas/v/pvc-1"));
        assertThat(mounts.at(POD_B, work))
                .hasValueSatisfying(it -> assertThat(it.readOnly()).isTrue());

        unpublish(POD_A);
        unpublish(POD_B);
        unstage();
        assertThat(mounts.isDirectory(POD_A)).isFalse();
        assertThat(mounts.table(work)).hasSize(1);
        assertThat(before).doesNotContain("globalmount");
    }

    @Test
    void every_call_twice_is_as_once() {
        stage();
        stage();
        publish(POD_A, TestVolumes.MOUNT, false);
        publish(POD_A, TestVolumes.MOUNT, false);
        assertThat(mounts.table(work)).hasSize(3);

        unpublish(POD_A);
        unpublish(POD_A);
        unstage();
        unstage();
        assertThat(mounts.table(work)).hasSize(1);
    }

    @Test
    void a_staging_path_that_shows_another_volume_is_a_conflict() {
        stage();

        Failing.with(Failure.PublishConflict.class, () -> stage("v:nas/pvc-2", context("/srv/nas/v/pvc-2")));
        Failing.with(
                Failure.PublishConflict.class,
                () -> publish("v:nas/pvc-2", POD_A, TestVolumes.MOUNT, false, context("/srv/nas/v/pvc-2")));
    }

    @Test
    void a_context_that_is_not_ours_is_refused_by_its_key() {
        assertThatThrownBy(() -> stage(HANDLE, Map.of())).hasMessageContaining("volume_context.node_attach_driver");
        assertThatThrownBy(() -> stage(HANDLE, Map.of("node_attach_driver", "warp")))
                .hasMessageContaining("'warp'");
        assertThatThrownBy(() -> stage(HANDLE, Map.of("node_attach_driver", "hostpath")))
                .hasMessageContaining("volume_context.path");
    }

    @Test
    void a_protocol_that_the_node_does_not_speak_is_refused() {
        NodeUseCases mute = UseCases.node(
                mounts, List.of(), new HandleCodec.Proxied(), locks, NodeGrowth.ELSEWHERE, NodeTest::description);

        Failing.with(
                Failure.Unsupported.class,
                () -> mute.stageVolume()
                        .stage(new StageVolume.Command(HANDLE, STAGING, TestVolumes.MOUNT, CONTEXT, Map.of()), work));
    }

    @Test
    void block_access_is_refused_with_the_reason_and_nothing_is_made() {
        String before = mounts.dump();

        assertThatThrownBy(() -> node.stageVolume()
                        .stage(new StageVolume.Command(HANDLE, STAGING, TestVolumes.BLOCK, CONTEXT, Map.of()), work))
                .hasMessageContaining("which is a directory and not a device");
        Failing.with(Failure.Unsupported.class, () -> publish(POD_A, TestVolumes.BLOCK, false));
        assertThat(mounts.dump()).isEqualTo(before);
    }

    @Test
    void what_is_not_staged_is_not_published() {
        Failing.with(Failure.NotStaged.class, () -> publish(POD_A, TestVolumes.MOUNT, false));
        Failing.with(
                Failure.NotStaged.class,
                () -> node.mountVolume()
                        .mount(
                                new MountVolume.Command(
                                        HANDLE, Optional.empty(), POD_A, TestVolumes.MOUNT, false, CONTEXT),
                                work));
        assertThat(mounts.isDirectory(POD_A)).isFalse();
    }

    @Test
    void a_target_that_is_in_use_in_another_way_is_a_conflict() {
        stage();
        publish(POD_A, TestVolumes.MOUNT, false);
        publish(POD_B, TestVolumes.MOUNT, true);
        String before = mounts.dump();

        Failing.with(Failure.PublishConflict.class, () -> publish(POD_A, TestVolumes.MOUNT, true));
        Failing.with(Failure.PublishConflict.class, () -> publish(POD_B, TestVolumes.MOUNT, false));
        Failing.with(
                Failure.PublishConflict.class,
                () -> publish(POD_A, TestVolumes.mount(AccessMode.SINGLE_NODE_WRITER, "noexec"), false));
        Failing.with(Failure.PublishConflict.class, () -> publish(Path.of("/"), TestVolumes.MOUNT, false));
        assertThat(mounts.dump()).isEqualTo(before);
    }

    @Test
    void mount_flags_are_put_in_force_where_the_volume_is_published() {
        stage();
        VolumeCapability flags = TestVolumes.mount(AccessMode.SINGLE_NODE_WRITER, "noatime", "noexec");

        publish(POD_A, flags, false);
        publish(POD_A, flags, false);

        assertThat(mounts.at(POD_A, work).orElseThrow().options()).contains("noatime", "noexec", "rw");
    }

    @Test
    void a_mode_for_reading_is_published_read_only() {
        stage();

        publish(POD_A, TestVolumes.mount(AccessMode.MULTI_NODE_READER_ONLY, "rw"), false);

        assertThat(mounts.at(POD_A, work).orElseThrow().readOnly()).isTrue();
    }

    @Test
    void a_single_writer_is_published_at_one_path_and_elsewhere_once_it_left() {
        stage();
        publish(POD_A, SINGLE, false);
        publish(POD_A, SINGLE, false);

        assertThatThrownBy(() -> publish(POD_B, SINGLE, false))
                .hasMessageContaining("FL-NODE-003")
                .hasMessageContaining(POD_A.toString());
        assertThat(mounts.isDirectory(POD_B)).isFalse();

        unpublish(POD_A);
        publish(POD_B, SINGLE, false);
    }

    @ParameterizedTest
    @EnumSource(value = AccessMode.class, names = "SINGLE_NODE_SINGLE_WRITER", mode = EnumSource.Mode.EXCLUDE)
    void every_other_mode_may_be_published_at_two_paths(AccessMode mode) {
        stage();

        publish(POD_A, TestVolumes.mount(mode), false);
        publish(POD_B, TestVolumes.mount(mode), false);

        assertThat(mounts.table(work)).hasSize(4);
    }

    @Test
    void a_cut_call_is_finished_by_the_next() {
        for (int effects = 0; effects < 3; effects++) {
            int cut = effects;
            Failing.works(() -> stage(TestWork.patient().cancelledAfter(cut)));
            stage();
            Failing.works(() -> publish(POD_A, TestWork.patient().cancelledAfter(cut)));
            publish(POD_A, TestVolumes.MOUNT, false);
            assertThat(mounts.table(work)).hasSize(3);

            Failing.works(() -> node.unmountVolume()
                    .unmount(HANDLE, POD_A, TestWork.patient().cancelledAfter(cut)));
            unpublish(POD_A);
            Failing.works(() -> node.unstageVolume()
                    .unstage(HANDLE, STAGING, TestWork.patient().cancelledAfter(cut)));
            unstage();
            assertThat(mounts.table(work)).hasSize(1);
            assertThat(mounts.isDirectory(POD_A)).isFalse();
        }
    }

    @Test
    void usage_is_told_only_of_a_path_where_this_volume_is() {
        stage();
        publish(POD_A, TestVolumes.MOUNT, false);

        assertThat(node.measureVolume().measure(HANDLE, POD_A, work).totalBytes())
                .isPositive();
        Failing.with(Failure.NotMounted.class, () -> node.measureVolume().measure(HANDLE, POD_B, work));
        Failing.with(Failure.NotMounted.class, () -> node.measureVolume().measure(HANDLE, Path.of("some/path"), work));
        Failing.with(Failure.NotMounted.class, () -> node.measureVolume().measure("v:nas/pvc-2", POD_A, work));
        Failing.with(Failure.VolumeNotFound.class, () -> node.measureVolume().measure("nonsense", POD_A, work));
    }

    @Test
    void a_node_without_storage_verifies_the_path_and_leaves_the_size_to_the_controller() {
        stage();
        publish(POD_A, TestVolumes.MOUNT, false);

        assertThat(node.growFilesystem().grow(HANDLE, POD_A, CapacityRange.of(1, 0), work))
                .isEmpty();
        Failing.with(
                Failure.NotMounted.class,
                () -> node.growFilesystem().grow(HANDLE, POD_B, CapacityRange.of(1, 0), work));
    }

    @Test
    void a_node_with_its_storage_in_the_same_process_lets_it_grow() {
        InMemoryStorage nas = InMemoryStorage.named("nas");
        try (Controller controller = Controller.proxy().with(nas)) {
            controller.create("pvc-1", "nas");
            stage();
            NodeUseCases all = node(UseCases.growthBy(controller.useCases.expandVolume()));

            Optional<Capacity> grown = all.growFilesystem().grow(HANDLE, STAGING, CapacityRange.of(1L << 30, 0), work);

            assertThat(grown).contains(Capacity.ofGibibytes(1));
            assertThat(nas.volume(TestVolumes.id("pvc-1")).volume().capacity()).isEqualTo(grown);
        }
    }

    @Test
    void a_node_tells_what_it_is() {
        assertThat(node.describeNode().describe().nodeId()).isEqualTo("node-1");
    }

    private NodeUseCases node(NodeGrowth growth) {
        return UseCases.node(
                mounts,
                List.of(new BindingAttacher(mounts)),
                new HandleCodec.Proxied(),
                locks,
                growth,
                NodeTest::description);
    }

    private static DescribeNode.Description description() {
        return new DescribeNode.Description("node-1", 0, Optional.empty());
    }

    private static Map<String, String> context(String path) {
        return Map.of("node_attach_driver", "hostpath", "path", path);
    }

    private void stage() {
        stage(HANDLE, CONTEXT);
    }

    private void stage(String handle, Map<String, String> context) {
        node.stageVolume().stage(new StageVolume.Command(handle, STAGING, TestVolumes.MOUNT, context, Map.of()), work);
    }

    private void stage(TestWork cut) {
        node.stageVolume().stage(new StageVolume.Command(HANDLE, STAGING, TestVolumes.MOUNT, CONTEXT, Map.of()), cut);
    }

    private void unstage() {
        node.unstageVolume().unstage(HANDLE, STAGING, work);
    }

    private void publish(Path target, VolumeCapability capability, boolean readOnly) {
        publish(HANDLE, target, capability, readOnly, CONTEXT);
    }

    private void publish(Path target, TestWork cut) {
        node.mountVolume()
                .mount(
                        new MountVolume.Command(
                                HANDLE, Optional.of(STAGING), target, TestVolumes.MOUNT, false, CONTEXT),
                        cut);
    }

    private void publish(
            String handle, Path target, VolumeCapability capability, boolean readOnly, Map<String, String> context) {
        node.mountVolume()
                .mount(
                        new MountVolume.Command(handle, Optional.of(STAGING), target, capability, readOnly, context),
                        work);
    }

    private void unpublish(Path target) {
        node.unmountVolume().unmount(HANDLE, target, work);
    }
}
