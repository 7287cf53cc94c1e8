package dev.fairlead.lab;

import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.Snapshot;
import csi.v1.VolumeCapability;
import csi.v1.VolumeContentSource;
import dev.fairlead.domain.node.NodeIdCodec;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.fake.TestNodes;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A call of the controller that changes something on a TrueNAS, and what has to be there before. */
enum TruenasCall {
    CREATE,
    CLONE,
    RESTORE,
    SNAPSHOT,
    EXPAND,
    DELETE_SNAPSHOT,
    DELETE,
    PUBLISH,
    UNPUBLISH,
    COPY,
    GROUP,
    MODIFY;

    /** The initiators that volumes are published to. */
    static final Set<String> INITIATORS = Set.of(TestNodes.node(1).iqn().orElseThrow());

    private static final String VOLUME = "pvc-1";
    private static final String OTHER = "pvc-5";
    private static final String SNAPSHOT_ID = VOLUME + "@snap-1";
    private static final String NODE = new NodeIdCodec(
                    List.of(new NodeIdCodec.Prefix("1", "iqn.1993-08.org.debian:01:")),
                    List.of(new NodeIdCodec.Prefix("u", "nqn.2014-08.org.nvmexpress:uuid:")))
            .format(TestNodes.node(1));
    private static final VolumeCapability CAPABILITY = CsiClient.MOUNT.toBuilder()
            .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                    .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER))
            .build();

    /** Makes what the call needs. */
    void prepare(CsiClient client) {
        if (this != CREATE) {
            create(client, VOLUME, VolumeContentSource.getDefaultInstance());
        }
        if (this == RESTORE || this == DELETE_SNAPSHOT) {
            SNAPSHOT.act(client);
        }
        if (this == UNPUBLISH) {
            PUBLISH.act(client);
        }
        if (this == GROUP) {
            create(client, OTHER, VolumeContentSource.getDefaultInstance());
        }
    }

    /** Says whether a release can do it: a copy needs one that renames datasets. */
    boolean isOf(Profile profile) {
        return this != COPY || profile.since(Profile.V25_10_0);
    }

    /** Makes the call; what it answers is the same each time. */
    String act(CsiClient client) {
        return switch (this) {
            case CREATE -> create(client, VOLUME, VolumeContentSource.getDefaultInstance());
            case CLONE -> create(client, "pvc-2", CsiClient.fromVolume(VOLUME));
            case RESTORE -> create(client, "pvc-3", CsiClient.fromSnapshot(SNAPSHOT_ID));
            case SNAPSHOT -> client.snapshot("snap-1", VOLUME).getSnapshotId();
            case EXPAND -> client.expand(VOLUME, 3L << 30).toString();
            case DELETE_SNAPSHOT -> {
                client.deleteSnapshot(SNAPSHOT_ID);
                yield "";
            }
            case DELETE -> {
                client.delete(VOLUME);
                yield "";
            }
            case PUBLISH ->
                client.admit(ControllerPublishVolumeRequest.newBuilder()
                                .setVolumeId(VOLUME)
                                .setNodeId(NODE)
                                .setVolumeCapability(CAPABILITY)
                                .build())
                        .toString();
            case UNPUBLISH -> {
                client.shutOut(ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(VOLUME)
                        .setNodeId(NODE)
                        .build());
                yield "";
            }
            case COPY ->
                create(client, "pvc-4", CsiClient.fromVolume(VOLUME), Map.of("detachedVolumesFromVolumes", "true"));
            case GROUP ->
                client.groupSnapshot("group-1", List.of(VOLUME, OTHER)).getSnapshotsList().stream()
                        .map(Snapshot::getSnapshotId)
                        .sorted()
                        .toList()
                        .toString();
            case MODIFY -> {
                client.modify(VOLUME, Map.of("compression", "zstd", "sync", "always"));
                yield "";
            }
        };
    }

    private static String create(CsiClient client, String name, VolumeContentSource source) {
        return create(client, name, source, Map.of());
    }

    private static String create(
            CsiClient client, String name, VolumeContentSource source, Map<String, String> parameters) {
        CreateVolumeRequest.Builder request =
                CsiClient.request(name, parameters).clearVolumeCapabilities();
        request.getCapacityRangeBuilder().setRequiredBytes(1L << 30);
        request.addVolumeCapabilities(CAPABILITY);
        if (source.getTypeCase() != VolumeContentSource.TypeCase.TYPE_NOT_SET) {
            request.setVolumeContentSource(source);
        }
        return client.create(request.build()).toString();
    }
}
