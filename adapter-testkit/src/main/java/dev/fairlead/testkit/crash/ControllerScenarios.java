package dev.fairlead.testkit.crash;

import dev.fairlead.application.port.in.CreateVolume;
import dev.fairlead.application.port.in.Source;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Lists scenarios of the RPCs that change something, for any backend that clones and takes snapshots. */
public final class ControllerScenarios {
    private static final String DONE = "done";

    private final Map<String, String> volumeParameters;
    private final Map<String, String> snapshotParameters;
    private final String prefix;
    private final String snapshotId;

    private ControllerScenarios(
            Map<String, String> volumeParameters,
            Map<String, String> snapshotParameters,
            String prefix,
            String snapshotId) {
        this.volumeParameters = new TreeMap<>(volumeParameters);
        this.volumeParameters.putAll(ControllerProcess.ON_NAS);
        this.snapshotParameters = Map.copyOf(snapshotParameters);
        this.prefix = prefix;
        this.snapshotId = snapshotId;
    }

    /** @param snapshotId the id that the store gives to the snapshot {@code snap-1} of the volume {@code pvc-1} */
    public static List<Scenario<ControllerProcess>> all(String snapshotId) {
        return with(Map.of(), Map.of(), snapshotId);
    }

    /** Returns the same scenarios with more parameters of the StorageClass and of the VolumeSnapshotClass. */
    public static List<Scenario<ControllerProcess>> with(
            Map<String, String> ofVolumes, Map<String, String> ofSnapshots, String snapshotId) {
        return with(ofVolumes, ofSnapshots, "", snapshotId);
    }

    /**
     * Returns the same scenarios for a StorageClass that shapes the ids.
     *
     * @param prefix what the store puts before the name to make a volume's id
     */
    public static List<Scenario<ControllerProcess>> with(
            Map<String, String> ofVolumes, Map<String, String> ofSnapshots, String prefix, String snapshotId) {
        return new ControllerScenarios(ofVolumes, ofSnapshots, prefix, snapshotId).scenarios();
    }

    /**
     * Returns scenarios of groups of snapshots and of modifications, for a backend that has these roles.
     *
     * @param mutable parameters that the backend can change
     */
    public static List<Scenario<ControllerProcess>> ofRoles(Map<String, String> mutable) {
        var plain = new ControllerScenarios(Map.of(), Map.of(), "", "none");
        return List.of(
                Scenario.making(
                        "create with mutable parameters",
                        _ -> {},
                        (it, work) -> plain.create(it, "pvc-1", Source.NONE, mutable, work)),
                Scenario.changing("modify", plain::volume, (it, work) -> {
                    it.useCases().modifyVolume().modify(plain.handle("pvc-1"), mutable, work);
                    return DONE;
                }),
                Scenario.making("group snapshot", plain::cloned, plain::takeGroup),
                Scenario.changing(
                        "delete a group snapshot",
                        it -> {
                            plain.cloned(it);
                            plain.takeGroup(it, TestWork.patient());
                        },
                        (it, work) -> {
                            it.useCases().groups().delete().delete("g:nas/group-1", List.of(), work);
                            return DONE;
                        }));
    }

    private Object takeGroup(ControllerProcess process, Work work) {
        return process.useCases()
                .groups()
                .take()
                .take(new CsiName("group-1"), List.of(handle("pvc-1"), handle("pvc-2")), Map.of(), work)
                .handle();
    }

    private List<Scenario<ControllerProcess>> scenarios() {
        return List.of(
                Scenario.making("create", _ -> {}, (it, work) -> create(it, "pvc-1", Source.NONE, work)),
                Scenario.making(
                        "clone",
                        this::volume,
                        (it, work) -> create(it, "pvc-2", new Source.Volume(handle("pvc-1")), work)),
                Scenario.making(
                        "restore",
                        this::snapshot,
                        (it, work) -> create(it, "pvc-2", new Source.Snapshot("s:nas/" + snapshotId), work)),
                Scenario.making("snapshot", this::volume, this::take),
                Scenario.changing(
                        "expand",
                        this::volume,
                        (it, work) -> it.useCases()
                                .expandVolume()
                                .expand(handle("pvc-1"), CapacityRange.of(TestVolumes.SIZE.bytes() * 2, 0), work)),
                Scenario.changing("delete", this::volume, (it, work) -> delete(it, handle("pvc-1"), work)),
                Scenario.changing("delete a clone", this::cloned, (it, work) -> delete(it, handle("pvc-2"), work)),
                Scenario.changing("delete a snapshot", this::snapshot, (it, work) -> {
                    it.useCases().deleteSnapshot().delete("s:nas/" + snapshotId, work);
                    return DONE;
                }));
    }

    private String handle(String name) {
        return "v:nas/" + prefix + name;
    }

    private void volume(ControllerProcess process) {
        create(process, "pvc-1", Source.NONE, TestWork.patient());
    }

    private void cloned(ControllerProcess process) {
        volume(process);
        create(process, "pvc-2", new Source.Volume(handle("pvc-1")), TestWork.patient());
    }

    private void snapshot(ControllerProcess process) {
        volume(process);
        take(process, TestWork.patient());
    }

    private Object take(ControllerProcess process, Work work) {
        return process.useCases()
                .takeSnapshot()
                .take(new CsiName("snap-1"), handle("pvc-1"), snapshotParameters, work)
                .handle();
    }

    private Object create(ControllerProcess process, String name, Source source, Work work) {
        return create(process, name, source, Map.of(), work);
    }

    private Object create(
            ControllerProcess process, String name, Source source, Map<String, String> mutable, Work work) {
        var command = new CreateVolume.Command(
                new CsiName(name),
                TestVolumes.atLeast(TestVolumes.SIZE),
                List.of(TestVolumes.MOUNT),
                volumeParameters,
                source,
                AccessibilityRequirement.NONE,
                mutable);
        return process.useCases().createVolume().create(command, work);
    }

    private static Object delete(ControllerProcess process, String handle, Work work) {
        process.useCases().deleteVolume().delete(handle, work);
        return DONE;
    }
}
