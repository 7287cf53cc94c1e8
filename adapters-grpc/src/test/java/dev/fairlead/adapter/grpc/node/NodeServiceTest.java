package dev.fairlead.adapter.grpc.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedInputStream;
import csi.v1.CapacityRange;
import csi.v1.NodeExpandVolumeRequest;
import csi.v1.NodeGetCapabilitiesRequest;
import csi.v1.NodeGetInfoRequest;
import csi.v1.NodeGetStorageHealthRequest;
import csi.v1.NodeGetVolumeHealthRequest;
import csi.v1.NodeGetVolumeStatsRequest;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.StorageHealthErrorType;
import csi.v1.VolumeCapability;
import csi.v1.VolumeHealth;
import csi.v1.VolumeHealthErrorType;
import csi.v1.VolumeUsage;
import dev.fairlead.adapter.grpc.Wire;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.in.node.MeasureVolume;
import dev.fairlead.application.port.in.node.MountVolume;
import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.domain.volume.AccessMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeServiceTest {
    private static final Wire wire = new Wire();

    private static final VolumeCapability BLOCK = VolumeCapability.newBuilder()
            .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
            .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                    .setMode(VolumeCapability.AccessMode.Mode.MULTI_NODE_MULTI_WRITER))
            .build();
    private static final dev.fairlead.domain.volume.VolumeCapability DECODED_BLOCK =
            new dev.fairlead.domain.volume.VolumeCapability(
                    new dev.fairlead.domain.volume.VolumeCapability.Block(), AccessMode.MULTI_NODE_MULTI_WRITER);

    @BeforeEach
    void forget() {
        wire.useCases.calls.clear();
        wire.useCases.script(_ -> "plain");
    }

    @AfterAll
    static void close() throws Exception {
        wire.close();
    }

    @Test
    void stage_hands_over_every_field() {
        var _ = wire.node()
                .nodeStageVolume(NodeStageVolumeRequest.newBuilder()
                        .setVolumeId("v:t/x")
                        .setStagingTargetPath("/stage/here/")
                        .setVolumeCapability(BLOCK)
                        .putVolumeContext("c", "1")
                        .putPublishContext("p", "2")
                        .putSecrets("password", "hunter2")
                        .build());

        assertThat(wire.useCases.onlyCall().arguments())
                .containsExactly(new StageVolume.Command(
                        "v:t/x",
                        Path.of("/stage/here"),
                        DECODED_BLOCK,
                        Map.of("c", "1"),
                        Map.of("p", "2"),
                        Map.of("password", new Secret("hunter2"))));
    }

    @Test
    void unstage_hands_over_the_place() {
        var _ = wire.node()
                .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                        .setVolumeId("v:t/x")
                        .setStagingTargetPath("/stage")
                        .build());

        assertThat(wire.useCases.onlyCall().arguments()).containsExactly("v:t/x", Path.of("/stage"));
    }

    @Test
    void publish_hands_over_every_field() {
        var _ = wire.node()
                .nodePublishVolume(NodePublishVolumeRequest.newBuilder()
                        .setVolumeId("v:t/x")
                        .setStagingTargetPath("/stage")
                        .setTargetPath("/target")
                        .setVolumeCapability(BLOCK)
                        .setReadonly(true)
                        .putVolumeContext("c", "1")
                        .putPublishContext("p", "2")
                        .build());

        assertThat(wire.useCases.onlyCall().arguments())
                .containsExactly(new MountVolume.Command(
                        "v:t/x",
                        Optional.of(Path.of("/stage")),
                        Path.of("/target"),
                        DECODED_BLOCK,
                        true,
                        Map.of("c", "1"),
                        Map.of("p", "2")));
    }

    @Test
    void publish_without_staging_has_no_staging_path() {
        var _ = wire.node()
                .nodePublishVolume(NodePublishVolumeRequest.newBuilder()
                        .setVolumeId("v:t/x")
                        .setTargetPath("/target")
                        .setVolumeCapability(BLOCK)
                        .build());

        assertThat(wire.useCases.onlyCall().arguments())
                .containsExactly(new MountVolume.Command(
                        "v:t/x", Optional.empty(), Path.of("/target"), DECODED_BLOCK, false, Map.of(), Map.of()));
    }

    @Test
    void unpublish_hands_over_the_place() {
        var _ = wire.node()
                .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId("v:t/x")
                        .setTargetPath("/target")
                        .build());

        assertThat(wire.useCases.onlyCall().arguments()).containsExactly("v:t/x", Path.of("/target"));
    }

    @Test
    void stats_answer_bytes_and_inodes() {
        var answer = wire.node()
                .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId("v:t/x")
                        .setVolumePath("/target")
                        .build());

        assertThat(wire.useCases.calls.peek().arguments()).containsExactly("v:t/x", Path.of("/target"));
        assertThat(answer.getUsageList())
                .containsExactly(usage(VolumeUsage.Unit.BYTES, 100, 60, 40), usage(VolumeUsage.Unit.INODES, 10, 6, 4));
    }

    @Test
    void stats_have_the_condition_where_callers_before_csi_1_13_read_it() throws Exception {
        var answer = wire.node()
                .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId("v:t/x")
                        .setVolumePath("/target")
                        .build());

        CodedInputStream condition = CodedInputStream.newInstance(answer.getUnknownFields()
                .getField(2)
                .getLengthDelimitedList()
                .getFirst()
                .newInput());
        assertThat(condition.readTag()).isEqualTo(1 << 3);
        assertThat(condition.readBool()).isTrue();
        assertThat(condition.readTag()).isEqualTo(2 << 3 | 2);
        assertThat(condition.readString()).isEqualTo("PathsLost: 1 of 2 ways");
    }

    @Test
    void health_is_asked_where_the_volume_is_staged_and_published() {
        var answer = wire.node()
                .nodeGetVolumeHealth(NodeGetVolumeHealthRequest.newBuilder()
                        .setVolumeId("v:t/x")
                        .setVolumePublishPath("/target")
                        .setStagingTargetPath("/stage")
                        .build());

        assertThat(wire.useCases.onlyCall().arguments())
                .containsExactly("v:t/x", List.of(Path.of("/stage"), Path.of("/target")));
        assertThat(answer.getVolumeHealth().getVolumeId()).isEqualTo("v:t/x");
        assertThat(answer.getVolumeHealth().getHealthStatusesList())
                .containsExactly(VolumeHealth.VolumeHealthEntry.newBuilder()
                        .setStatus(VolumeHealthErrorType.DEGRADED)
                        .setReason("PathsLost")
                        .setMessage("1 of 2 ways")
                        .build());
    }

    @Test
    void the_health_of_storage_is_answered() {
        var answer = wire.node().nodeGetStorageHealth(NodeGetStorageHealthRequest.getDefaultInstance());

        assertThat(answer.getBackendHealthList()).singleElement().satisfies(it -> {
            assertThat(it.getStatus()).isEqualTo(StorageHealthErrorType.STORAGE_DEGRADED);
            assertThat(it.getReason()).isEqualTo("PathsLost");
        });
    }

    @Test
    void every_capability_has_the_number_of_its_version_of_csi() {
        var answer = wire.node().nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance());

        assertThat(answer.getCapabilitiesList().stream().map(it -> it.getRpc().getTypeValue()))
                .containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8);
    }

    @Test
    void stats_leave_inodes_out_where_nobody_counts_them() {
        wire.useCases.script(call -> call.useCase().equals("measureVolume")
                ? new MeasureVolume.Usage(false, 100, 60, 40, 0, 0, 0)
                : "plain");

        var answer = wire.node()
                .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId("v:t/x")
                        .setVolumePath("/target")
                        .build());

        assertThat(answer.getUsageList()).containsExactly(usage(VolumeUsage.Unit.BYTES, 100, 60, 40));
    }

    private static VolumeUsage usage(VolumeUsage.Unit unit, long total, long available, long used) {
        return VolumeUsage.newBuilder()
                .setUnit(unit)
                .setTotal(total)
                .setAvailable(available)
                .setUsed(used)
                .build();
    }

    @Test
    void expand_hands_over_the_range_and_answers_the_size() {
        var answer = wire.node()
                .nodeExpandVolume(NodeExpandVolumeRequest.newBuilder()
                        .setVolumeId("v:t/x")
                        .setVolumePath("/target")
                        .setStagingTargetPath("/stage")
                        .setVolumeCapability(BLOCK)
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(5))
                        .build());

        assertThat(wire.useCases.onlyCall().arguments())
                .containsExactly("v:t/x", Path.of("/target"), dev.fairlead.domain.capacity.CapacityRange.of(5, 0));
        assertThat(answer.getCapacityBytes()).isEqualTo(8192);
    }

    @Test
    void expand_needs_no_range_and_may_not_know_the_size() {
        wire.useCases.script(_ -> Optional.empty());

        var answer = wire.node()
                .nodeExpandVolume(NodeExpandVolumeRequest.newBuilder()
                        .setVolumeId("v:t/x")
                        .setVolumePath("/target")
                        .build());

        assertThat(wire.useCases.onlyCall().arguments())
                .containsExactly("v:t/x", Path.of("/target"), dev.fairlead.domain.capacity.CapacityRange.ANY);
        assertThat(answer.getCapacityBytes()).isZero();
    }

    @Test
    void info_tells_the_node_and_its_place() {
        var answer = wire.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());

        assertThat(answer.getNodeId()).isEqualTo("node-1");
        assertThat(answer.getMaxVolumesPerNode()).isZero();
        assertThat(answer.getAccessibleTopology().getSegmentsMap()).containsExactly(Map.entry("example.org/zone", "a"));
    }
}
