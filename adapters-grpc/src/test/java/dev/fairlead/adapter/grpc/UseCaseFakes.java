package dev.fairlead.adapter.grpc;

import dev.fairlead.application.port.in.ControllerUseCases;
import dev.fairlead.application.port.in.DriverProfile;
import dev.fairlead.application.port.in.GroupUseCases;
import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.list.ListSnapshots;
import dev.fairlead.application.port.in.list.Listing;
import dev.fairlead.application.port.in.node.DescribeNode;
import dev.fairlead.application.port.in.node.MeasureVolume;
import dev.fairlead.application.port.in.node.MountVolume;
import dev.fairlead.application.port.in.node.ReportHealth;
import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.application.port.in.snapshot.GroupView;
import dev.fairlead.application.port.in.snapshot.SnapshotView;
import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.ExpandVolume;
import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.application.port.in.volume.ReportCapacity;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.ValidateVolume;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.health.HealthCondition;
import dev.fairlead.domain.health.HealthReason;
import dev.fairlead.domain.health.VolumeHealth;
import dev.fairlead.domain.topology.TopologySegment;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/**
 * The use cases as seen from the wire: what each was called with is kept, and the answer can be scripted.
 *
 * <p>Where nothing is scripted, a call gets a plain answer.
 */
public final class UseCaseFakes {
    public static final VolumeView VOLUME = new VolumeView(
            "v:tank/pvc-1",
            Capacity.ofBytes(4096),
            Map.of("node_attach_driver", "hostpath"),
            Source.NONE,
            List.of(TopologySegment.of(Map.of("example.org/zone", "a"))));
    static final SnapshotView SNAPSHOT = new SnapshotView(
            "s:tank/pvc-1-s1",
            "v:tank/pvc-1",
            Capacity.ofBytes(4096),
            Instant.ofEpochSecond(1_700_000_000, 5),
            Optional.empty());
    static final GroupView GROUP = new GroupView(
            "g:tank/group-1",
            List.of(new SnapshotView(
                    "s:tank/pvc-1@group-1",
                    "v:tank/pvc-1",
                    Capacity.ofBytes(4096),
                    Instant.ofEpochSecond(1_700_000_000, 5),
                    Optional.of("g:tank/group-1"))),
            Instant.ofEpochSecond(1_700_000_000, 5));

    /** A call of a use case: its name, its arguments without the work, and the work. */
    public record Call(String useCase, List<Object> arguments, Work work) {}

    public final ConcurrentLinkedQueue<Call> calls = new ConcurrentLinkedQueue<>();
    private volatile Function<Call, Object> script = _ -> "plain";

    /** What the use cases do from now on; {@code "plain"} stands for the plain answer. */
    public void script(Function<Call, Object> behaviour) {
        script = behaviour;
    }

    public Call onlyCall() {
        if (calls.size() != 1) {
            throw new AssertionError("calls: " + calls + " (expected: one)");
        }
        return calls.element();
    }

    @SuppressWarnings("unchecked") // the test that scripts an answer knows its type
    private <T> T called(T plain, String useCase, Work work, Object... arguments) {
        Call call = new Call(useCase, Arrays.asList(arguments), work);
        calls.add(call);
        Object answer = script.apply(call);
        return "plain".equals(answer) ? plain : (T) answer;
    }

    ControllerUseCases controller() {
        return new ControllerUseCases(
                (CreateVolume.Command command, Work work) -> called(VOLUME, "createVolume", work, command),
                (handle, work) -> called("", "deleteVolume", work, handle),
                (handle, range, work) -> called(
                        new ExpandVolume.Result(Capacity.ofBytes(8192), true), "expandVolume", work, handle, range),
                (ValidateVolume.Command command, Work work) ->
                        called(Optional.<String>empty(), "validateVolume", work, command),
                (PublishVolume.Command command, Work work) ->
                        called(Map.<String, String>of(), "publishVolume", work, command),
                (handle, node, work) -> called("", "unpublishVolume", work, handle, node),
                (token, max, work) -> called(
                        new Listing<>(List.of(VOLUME), Optional.of("tank/pvc-1")), "listVolumes", work, token, max),
                (handle, work) -> called(VOLUME, "getVolume", work, handle),
                (ReportCapacity.Command command, Work work) -> called(
                        new ReportCapacity.Result(Capacity.ofBytes(100), Optional.of(Capacity.ofBytes(60))),
                        "reportCapacity",
                        work,
                        command),
                (name, source, parameters, work) -> called(SNAPSHOT, "takeSnapshot", work, name, source, parameters),
                (handle, work) -> called("", "deleteSnapshot", work, handle),
                (handle, work) -> called(SNAPSHOT, "getSnapshot", work, handle),
                (ListSnapshots.Query query, Work work) -> called(
                        new Listing<>(List.of(SNAPSHOT), Optional.of("tank/pvc-1-s1")), "listSnapshots", work, query),
                (handle, mutable, work) -> called("", "modifyVolume", work, handle, mutable),
                new GroupUseCases(
                        (name, sources, parameters, work) ->
                                called(GROUP, "takeGroup", work, name, sources, parameters),
                        (handle, snapshots, work) -> called("", "deleteGroup", work, handle, snapshots),
                        (handle, snapshots, work) -> called(GROUP, "getGroup", work, handle, snapshots)));
    }

    public NodeUseCases node() {
        return new NodeUseCases(
                (StageVolume.Command command, Work work) -> called("", "stageVolume", work, command),
                (handle, staging, work) -> called("", "unstageVolume", work, handle, staging),
                (MountVolume.Command command, Work work) -> called("", "mountVolume", work, command),
                (handle, target, work) -> called("", "unmountVolume", work, handle, target),
                (handle, path, work) -> called(
                        new MeasureVolume.Usage(false, 100, 60, 40, 10, 6, 4), "measureVolume", work, handle, path),
                (handle, path, range, work) ->
                        called(Optional.of(Capacity.ofBytes(8192)), "growFilesystem", work, handle, path, range),
                new HealthFakes(),
                () -> new DescribeNode.Description(
                        "node-1", 0, Optional.of(TopologySegment.of(Map.of("example.org/zone", "a")))));
    }

    /** A volume of which one way is lost. */
    private final class HealthFakes implements ReportHealth {
        private static final HealthCondition LOST = new HealthCondition(HealthReason.PATHS_LOST, "1 of 2 ways");

        @Override
        public VolumeHealth ofVolume(String handle, List<Path> places, Work work) {
            return called(new VolumeHealth(List.of(LOST)), "healthOfVolume", work, handle, places);
        }

        @Override
        public List<HealthCondition> ofStorage(Work work) {
            return called(List.of(LOST), "healthOfStorage", work);
        }

        @Override
        public List<Report> ofAll(Work work) {
            return called(List.of(), "healthOfAll", work);
        }
    }

    /** A driver that offers all that there is. */
    public static DriverProfile profile(String name) {
        return new DriverProfile(
                name,
                "1.2.3",
                EnumSet.allOf(DriverProfile.Service.class),
                EnumSet.allOf(DriverProfile.Expansion.class),
                EnumSet.allOf(DriverProfile.Controller.class),
                EnumSet.allOf(DriverProfile.Node.class));
    }
}
