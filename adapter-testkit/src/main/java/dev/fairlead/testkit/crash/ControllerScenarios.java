package dev.fairlead.testkit.crash;

import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Lists scenarios of the RPCs that change something, for any backend that clones and takes snapshots. */
public final class ControllerScenarios {
    private static final String DONE = "done";

    /** The scenarios in which what is copied, or was, makes a difference. */
    private static final Set<String> COPYING =
            Set.of("clone", "restore", "snapshot", "delete a clone", "delete a snapshot");

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
        this.volumeParameters.putAll(OneConnectionFixture.ON_NAS);
        this.snapshotParameters = Map.copyOf(snapshotParameters);
        this.prefix = prefix;
        this.snapshotId = snapshotId;
    }

    /** @param snapshotId the id that the store gives to the snapshot {@code snap-1} of the volume {@code pvc-1} */
    public static List<CrashScenario<OneConnectionFixture>> all(String snapshotId) {
        return with(Map.of(), Map.of(), snapshotId);
    }

    /** Returns the same scenarios with more parameters of the StorageClass and of the VolumeSnapshotClass. */
    public static List<CrashScenario<OneConnectionFixture>> with(
            Map<String, String> ofVolumes, Map<String, String> ofSnapshots, String snapshotId) {
        return with(ofVolumes, ofSnapshots, "", snapshotId);
    }

    /**
     * Returns the same scenarios for a StorageClass that shapes the ids.
     *
     * @param prefix what the store puts before the name to make a volume's id
     */
    public static List<CrashScenario<OneConnectionFixture>> with(
            Map<String, String> ofVolumes, Map<String, String> ofSnapshots, String prefix, String snapshotId) {
        return new ControllerScenarios(ofVolumes, ofSnapshots, prefix, snapshotId).scenarios();
    }

    /**
     * Returns those scenarios that copy, for a StorageClass and a VolumeSnapshotClass of detached copies.
     *
     * @param snapshotId the id that the store gives to the detached snapshot {@code snap-1} of the volume {@code pvc-1}
     */
    public static List<CrashScenario<OneConnectionFixture>> ofCopies(String snapshotId) {
        var copies = Map.of("detachedVolumesFromSnapshots", "true", "detachedVolumesFromVolumes", "true");
        return with(copies, Map.of("detachedSnapshots", "true"), snapshotId).stream()
                .filter(scenario -> COPYING.contains(scenario.name()))
                .map(scenario -> new CrashScenario<>(
                        "detached: " + scenario.name(), scenario.given(), scenario.call(), scenario.makes()))
                .toList();
    }

    /**
     * Returns scenarios of groups of snapshots and of modifications, for a backend that has these roles.
     *
     * @param mutable parameters that the backend can change
     */
    public static List<CrashScenario<OneConnectionFixture>> ofRoles(Map<String, String> mutable) {
        var plain = new ControllerScenarios(Map.of(), Map.of(), "", "none");
        return List.of(
                CrashScenario.making(
                        "create with mutable parameters",
                        _ -> {},
                        (it, work) -> plain.create(it, "pvc-1", Source.NONE, mutable, work)),
                CrashScenario.changing("modify", plain::volume, (it, work) -> {
                    it.useCases().modifyVolume().modify(plain.handle("pvc-1"), mutable, work);
                    return DONE;
                }),
                CrashScenario.making("group snapshot", plain::cloned, plain::takeGroup),
                CrashScenario.changing(
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

    private Object takeGroup(OneConnectionFixture fixture, Work work) {
        return fixture.useCases()
                .groups()
                .take()
                .take(new CsiName("group-1"), List.of(handle("pvc-1"), handle("pvc-2")), Map.of(), work)
                .handle();
    }

    private List<CrashScenario<OneConnectionFixture>> scenarios() {
        return List.of(
                CrashScenario.making("create", _ -> {}, (it, work) -> create(it, "pvc-1", Source.NONE, work)),
                CrashScenario.making(
                        "clone",
                        this::volume,
                        (it, work) -> create(it, "pvc-2", new Source.Volume(handle("pvc-1")), work)),
                CrashScenario.making(
                        "restore",
                        this::snapshot,
                        (it, work) -> create(it, "pvc-2", new Source.Snapshot("s:nas/" + snapshotId), work)),
                CrashScenario.making("snapshot", this::volume, this::take),
                CrashScenario.changing(
                        "expand",
                        this::volume,
                        (it, work) -> it.useCases()
                                .expandVolume()
                                .expand(handle("pvc-1"), CapacityRange.of(TestVolumes.SIZE.bytes() * 2, 0), work)),
                CrashScenario.changing("delete", this::volume, (it, work) -> delete(it, handle("pvc-1"), work)),
                CrashScenario.changing("delete a clone", this::cloned, (it, work) -> delete(it, handle("pvc-2"), work)),
                CrashScenario.changing("delete a snapshot", this::snapshot, (it, work) -> {
                    it.useCases().deleteSnapshot().delete("s:nas/" + snapshotId, work);
                    return DONE;
                }));
    }

    private String handle(String name) {
        return "v:nas/" + prefix + name;
    }

    private void volume(OneConnectionFixture fixture) {
        create(fixture, "pvc-1", Source.NONE, TestWork.patient());
    }

    private void cloned(OneConnectionFixture fixture) {
        volume(fixture);
        create(fixture, "pvc-2", new Source.Volume(handle("pvc-1")), TestWork.patient());
    }

    private void snapshot(OneConnectionFixture fixture) {
        volume(fixture);
        take(fixture, TestWork.patient());
    }

    private Object take(OneConnectionFixture fixture, Work work) {
        return fixture.useCases()
                .takeSnapshot()
                .take(new CsiName("snap-1"), handle("pvc-1"), snapshotParameters, work)
                .handle();
    }

    private Object create(OneConnectionFixture fixture, String name, Source source, Work work) {
        return create(fixture, name, source, Map.of(), work);
    }

    private Object create(
            OneConnectionFixture fixture, String name, Source source, Map<String, String> mutable, Work work) {
        var command = new CreateVolume.Command(
                new CsiName(name),
                TestVolumes.atLeast(TestVolumes.SIZE),
                List.of(TestVolumes.MOUNT),
                volumeParameters,
                source,
                AccessibilityRequirement.NONE,
                mutable);
        return fixture.useCases().createVolume().create(command, work);
    }

    private static Object delete(OneConnectionFixture fixture, String handle, Work work) {
        fixture.useCases().deleteVolume().delete(handle, work);
        return DONE;
    }
}
