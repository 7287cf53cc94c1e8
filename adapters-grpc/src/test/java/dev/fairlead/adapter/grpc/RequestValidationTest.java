package dev.fairlead.adapter.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerGetVolumeRequest;
import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateVolumeGroupSnapshotRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeGroupSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.GetCapacityRequest;
import csi.v1.GetSnapshotRequest;
import csi.v1.GetVolumeGroupSnapshotRequest;
import csi.v1.ListSnapshotsRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.NodeExpandVolumeRequest;
import csi.v1.NodeGetVolumeStatsRequest;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.ValidateVolumeCapabilitiesRequest;
import io.grpc.Status;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each request is whole but for one thing; the refusal names it. */
class RequestValidationTest {
    private static final Wire wire = new Wire();

    private static final String MODE = "access_mode { mode: SINGLE_NODE_WRITER }";
    private static final String CAP = "{ mount { } " + MODE + " }";
    private static final String LONG_MAP = "{ key: \"k\" value: \"" + "v".repeat(4096) + "\" }";

    @AfterAll
    static void close() throws IOException {
        wire.close();
    }

    static Stream<Arguments> wrong() {
        Message create = CreateVolumeRequest.getDefaultInstance();
        Message validate = ValidateVolumeCapabilitiesRequest.getDefaultInstance();
        Message expand = ControllerExpandVolumeRequest.getDefaultInstance();
        Message capacity = GetCapacityRequest.getDefaultInstance();
        Message modify = ControllerModifyVolumeRequest.getDefaultInstance();
        Message group = CreateVolumeGroupSnapshotRequest.getDefaultInstance();
        Message snapshot = CreateSnapshotRequest.getDefaultInstance();
        Message stage = NodeStageVolumeRequest.getDefaultInstance();
        Message publish = NodePublishVolumeRequest.getDefaultInstance();
        Message attach = ControllerPublishVolumeRequest.getDefaultInstance();
        Message detach = ControllerUnpublishVolumeRequest.getDefaultInstance();
        Message stats = NodeGetVolumeStatsRequest.getDefaultInstance();
        Message grow = NodeExpandVolumeRequest.getDefaultInstance();
        String vol = "volume_id: 'v:t/x' ";
        String named = "name: 'pvc-1' ";
        return Stream.of(
                wrong(create, "volume_capabilities " + CAP, "name: is missing"),
                wrong(create, "name: '" + "n".repeat(129) + "' volume_capabilities " + CAP, "name: is longer"),
                wrong(create, "name: 'a\\001b' volume_capabilities " + CAP, "name: holds the control character U+0001"),
                wrong(create, named, "volume_capabilities: is missing"),
                wrong(create, named + "volume_capabilities { " + MODE + " }", "volume_capabilities[0].access_type: is"),
                wrong(
                        create,
                        named + "volume_capabilities { mount { } }",
                        "volume_capabilities[0].access_mode: is miss"),
                wrong(
                        create,
                        named + "volume_capabilities " + CAP + " volume_capabilities { block { } access_mode { } }",
                        "volume_capabilities[1].access_mode: is UNKNOWN"),
                wrong(
                        create,
                        named + "volume_capabilities { block { } access_mode { mode: 99 } }",
                        "volume_capabilities[0].access_mode: 99 is not known"),
                wrong(
                        create,
                        named + "volume_capabilities { mount { fs_type: '" + "f".repeat(129) + "' } " + MODE + " }",
                        "volume_capabilities[0].mount.fs_type: 129 bytes"),
                wrong(
                        create,
                        named + "volume_capabilities { mount { mount_flags: '" + "f".repeat(4097) + "' } " + MODE
                                + " }",
                        "volume_capabilities[0].mount.mount_flags: 4097 bytes"),
                wrong(
                        create,
                        named + "volume_capabilities { mount { mount_flags: 'context=\"a,b' } " + MODE + " }",
                        "volume_capabilities[0].mount.mount_flags: has a double quote that no other closes"),
                wrong(
                        create,
                        named + "volume_capabilities { mount { volume_mount_group: 'g' } " + MODE + " }",
                        "volume_capabilities[0].mount.volume_mount_group: is no number"),
                wrong(
                        create,
                        named + "volume_capabilities " + CAP + " parameters " + LONG_MAP,
                        "parameters: 4097 bytes"),
                wrong(
                        create,
                        named + "volume_capabilities " + CAP + " parameters { key: 'k' value: 'a\\000b' }",
                        "parameters: holds a NUL"),
                wrong(
                        create,
                        named + "volume_capabilities " + CAP + " modifiable_parameters " + LONG_MAP,
                        "mutable_parameters: 4097 bytes"),
                wrong(
                        create,
                        named + "volume_capabilities " + CAP + " capacity_range { }",
                        "capacity_range: both sizes"),
                wrong(
                        create,
                        named + "volume_capabilities " + CAP + " volume_content_source { }",
                        "volume_content_source: is of no known type"),
                wrong(
                        create,
                        named + "volume_capabilities " + CAP + " volume_content_source { snapshot { } }",
                        "volume_content_source.snapshot.snapshot_id: is missing"),
                wrong(
                        create,
                        named + "volume_capabilities " + CAP + " volume_content_source { volume { } }",
                        "volume_content_source.volume.volume_id: is missing"),
                wrong(
                        create,
                        named + "volume_capabilities " + CAP
                                + " accessibility_requirements { requisite { segments { key: 'a b' value: 'v' } } }",
                        "accessibility_requirements.requisite[0]: key 'a b'"),
                wrong(
                        create,
                        named + "volume_capabilities " + CAP + " accessibility_requirements { preferred { } "
                                + "preferred { segments { key: 'zone' value: '" + "v".repeat(64) + "' } } }",
                        "accessibility_requirements.preferred[1]: value"),
                wrong(DeleteVolumeRequest.getDefaultInstance(), "", "volume_id: is missing"),
                wrong(DeleteVolumeRequest.getDefaultInstance(), id("volume_id", 513), "volume_id: 513 bytes"),
                wrong(DeleteVolumeRequest.getDefaultInstance(), "volume_id: 'a\\000'", "volume_id: holds a NUL"),
                wrong(expand, "capacity_range { required_bytes: 1 }", "volume_id: is missing"),
                wrong(expand, vol, "capacity_range: is missing"),
                wrong(expand, vol + "capacity_range { }", "capacity_range: both sizes"),
                wrong(
                        expand,
                        vol + "capacity_range { required_bytes: 1 } volume_capability { }",
                        "volume_capability.access_mode: is missing"),
                wrong(validate, "volume_capabilities " + CAP, "volume_id: is missing"),
                wrong(validate, vol, "volume_capabilities: is missing"),
                wrong(
                        validate,
                        vol + "volume_capabilities " + CAP + " modifiable_parameters { key: 'k' value: 'a\\000b' }",
                        "mutable_parameters: holds a NUL"),
                wrong(modify, "mutable_parameters { key: 'k' value: 'v' }", "volume_id: is missing"),
                wrong(modify, vol, "mutable_parameters: are missing"),
                wrong(modify, vol + "mutable_parameters " + LONG_MAP, "mutable_parameters: 4097 bytes"),
                wrong(group, "source_volume_ids: 'v:t/x'", "name: is missing"),
                wrong(group, named, "source_volume_ids: are missing"),
                wrong(group, named + "source_volume_ids: ['v:t/x', '']", "source_volume_ids[1]: is missing"),
                wrong(group, named + "source_volume_ids: 'v:t/x' parameters " + LONG_MAP, "parameters: 4097 bytes"),
                wrong(DeleteVolumeGroupSnapshotRequest.getDefaultInstance(), "", "group_snapshot_id: is missing"),
                wrong(
                        DeleteVolumeGroupSnapshotRequest.getDefaultInstance(),
                        "group_snapshot_id: 'g:t/x' " + id("snapshot_ids", 513),
                        "snapshot_ids[0]: 513 bytes"),
                wrong(GetVolumeGroupSnapshotRequest.getDefaultInstance(), "", "group_snapshot_id: is missing"),
                wrong(
                        validate,
                        vol + "volume_capabilities " + CAP + " volume_context " + LONG_MAP,
                        "volume_context: 4097 bytes"),
                wrong(
                        ListVolumesRequest.getDefaultInstance(),
                        "max_entries: -1",
                        "max_entries: -1 (expected: 0 or more)"),
                wrong(
                        ListVolumesRequest.getDefaultInstance(),
                        id("starting_token", 1025),
                        "starting_token: 1025 bytes"),
                wrong(ControllerGetVolumeRequest.getDefaultInstance(), "", "volume_id: is missing"),
                wrong(capacity, "volume_capabilities { }", "volume_capabilities[0].access_mode: is missing"),
                wrong(capacity, "parameters " + LONG_MAP, "parameters: 4097 bytes"),
                wrong(
                        capacity,
                        "accessible_topology { segments { key: '/x' value: 'v' } }",
                        "accessible_topology: key prefix ''"),
                wrong(snapshot, "source_volume_id: 'v:t/x'", "name: is missing"),
                wrong(snapshot, named, "source_volume_id: is missing"),
                wrong(
                        snapshot,
                        named + "source_volume_id: 'x' accessibility_requirements { }",
                        "accessibility_requirements: are given"),
                wrong(DeleteSnapshotRequest.getDefaultInstance(), "", "snapshot_id: is missing"),
                wrong(GetSnapshotRequest.getDefaultInstance(), "", "snapshot_id: is missing"),
                wrong(ListSnapshotsRequest.getDefaultInstance(), "max_entries: -7", "max_entries: -7"),
                wrong(ListSnapshotsRequest.getDefaultInstance(), id("snapshot_id", 513), "snapshot_id: 513 bytes"),
                wrong(stage, "staging_target_path: '/s' volume_capability " + CAP, "volume_id: is missing"),
                wrong(stage, vol + "volume_capability " + CAP, "staging_target_path: is missing"),
                wrong(stage, vol + "staging_target_path: '/s'", "volume_capability: is missing"),
                wrong(stage, vol + "staging_target_path: 's' volume_capability " + CAP, "staging_target_path: 's'"),
                wrong(
                        stage,
                        vol + "staging_target_path: '/a/../../b' volume_capability " + CAP,
                        "staging_target_path: '/a/../../b'"),
                wrong(stage, vol + "staging_target_path: '/' volume_capability " + CAP, "staging_target_path: '/'"),
                wrong(
                        stage,
                        vol + "staging_target_path: '/a\\000b' volume_capability " + CAP,
                        "staging_target_path: holds a NUL"),
                wrong(
                        stage,
                        vol + "staging_target_path: '/" + "p".repeat(4096) + "' volume_capability " + CAP,
                        "staging_target_path: 4097 bytes"),
                wrong(NodeUnstageVolumeRequest.getDefaultInstance(), vol, "staging_target_path: is missing"),
                wrong(publish, vol + "volume_capability " + CAP, "target_path: is missing"),
                wrong(publish, vol + "target_path: '/t'", "volume_capability: is missing"),
                wrong(
                        publish,
                        vol + "target_path: '/t' volume_capability " + CAP + " publish_context " + LONG_MAP,
                        "publish_context: 4097 bytes"),
                wrong(
                        publish,
                        vol + "target_path: '/t' staging_target_path: 'x' volume_capability " + CAP,
                        "staging_target_path: 'x'"),
                wrong(NodeUnpublishVolumeRequest.getDefaultInstance(), vol, "target_path: is missing"),
                wrong(attach, "node_id: 'n=w' volume_capability " + CAP, "volume_id: is missing"),
                wrong(attach, vol + "volume_capability " + CAP, "node_id: is missing"),
                wrong(attach, vol + id("node_id", 257) + " volume_capability " + CAP, "node_id: 257 bytes"),
                wrong(attach, vol + "node_id: 'a\\000b' volume_capability " + CAP, "node_id: holds a NUL"),
                wrong(attach, vol + "node_id: 'n=w'", "volume_capability: is missing"),
                wrong(
                        attach,
                        vol + "node_id: 'n=w' volume_capability { block { } access_mode { } }",
                        "volume_capability.access_mode: is UNKNOWN"),
                wrong(detach, "node_id: 'n=w'", "volume_id: is missing"),
                wrong(detach, vol + id("node_id", 257), "node_id: 257 bytes"),
                wrong(stats, vol, "volume_path: is missing"),
                wrong(stats, "volume_path: '/t'", "volume_id: is missing"),
                wrong(grow, vol, "volume_path: is missing"),
                wrong(grow, "volume_path: '/t'", "volume_id: is missing"),
                wrong(grow, vol + "volume_path: '/t' capacity_range { }", "capacity_range: both sizes"));
    }

    private static String id(String field, int length) {
        return field + ": '" + "i".repeat(length) + "'";
    }

    private static Arguments wrong(Message kind, String text, String refusal) {
        return Arguments.of(kind.getDescriptorForType().getName(), Wire.message(kind, text), refusal);
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("wrong")
    void a_request_with_one_wrong_thing_is_refused_by_its_name(String rpc, Message request, String refusal) {
        Status status = Wire.refused(() -> wire.call(request));

        assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(status.getDescription()).startsWith("FL-REQ-001 " + refusal);
        assertThat(wire.useCases.calls).isEmpty();
    }

    @Test
    void negative_and_contrary_sizes_are_out_of_range() throws TextFormat.ParseException {
        for (String range : new String[] {
            "required_bytes: -1", "limit_bytes: -9223372036854775808", "required_bytes: 2 limit_bytes: 1"
        }) {
            Message request = Wire.message(
                    CreateVolumeRequest.getDefaultInstance(),
                    "name: 'n' volume_capabilities " + CAP + " capacity_range { " + range + " }");

            assertThat(Wire.refused(() -> wire.call(request)).getCode()).isEqualTo(Status.Code.OUT_OF_RANGE);
        }
    }

    @Test
    void the_largest_that_csi_allows_is_let_through() throws IOException {
        try (Wire own = new Wire()) {
            own.call(Wire.message(
                    CreateVolumeRequest.getDefaultInstance(),
                    "name: '" + "n".repeat(128) + "' volume_capabilities { mount { fs_type: '" + "f".repeat(128)
                            + "' mount_flags: '" + "m".repeat(4096) + "' } " + MODE
                            + " } parameters { key: 'k' value: '"
                            + "v".repeat(4095) + "' } capacity_range { limit_bytes: 9223372036854775807 }"));
            own.call(Wire.message(
                    NodeStageVolumeRequest.getDefaultInstance(),
                    "volume_id: '" + "i".repeat(512) + "' staging_target_path: '/" + "p".repeat(4095)
                            + "' volume_capability " + CAP));

            assertThat(own.useCases.calls).hasSize(2);
        }
    }
}
