package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Rows;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.dataset.DatasetName;
import dev.fairlead.adapter.zfs.dataset.Layout;
import dev.fairlead.adapter.zfs.dataset.SnapshotName;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.adapter.zfs.host.ZfsHost.Outcome;
import dev.fairlead.adapter.zfs.host.ZfsSettings;
import dev.fairlead.adapter.zfs.property.OwnProperties;
import dev.fairlead.adapter.zfs.property.PeerProperties;
import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the dataset of a volume, in one round trip where nothing is in the way: the dataset with all its properties,
 * what follows ({@code chmod}, a clone's size), the mark that it is whole, and the reading back.
 */
final class Making {
    private static final String KIND = "zfs create";

    private final ZfsHost host;
    private final Layout layout;
    private final ZfsSettings settings;
    private final Elevation asRoot;
    private final BirthProperties properties;

    Making(ZfsConnection connection) {
        this.host = connection.host();
        this.layout = connection.layout();
        this.settings = connection.settings();
        this.asRoot = connection.programs().asRoot();
        this.properties = new BirthProperties(settings);
    }

    /** What it has come to: made by this call, or by another one, of whatever kind. */
    record Made(VolumeProperties volume, boolean fresh) {}

    /**
     * Makes it so, whatever an earlier call has left.
     *
     * @param name the dataset of the birth's id
     */
    Made make(Birth birth, DatasetName name, Work work) {
        Plan plan = plan(birth, name);
        Outcome outcome = run(name, plan.all(), work);
        if (outcome.failedAt(0, Complaint.PARENT_MISSING)) {
            run(name, new Steps().then(zfs().createParents(layout.parent())), work);
            outcome = run(name, plan.all(), work);
        }
        if (plan.takesSnapshot() && outcome.failedAt(0, Complaint.ALREADY_EXISTS)) {
            outcome = run(name, plan.afterSnapshot(), work);
        }
        if (outcome.succeeded()) {
            return new Made(read(outcome, name), true);
        }
        return switch (outcome.complaint()) {
            case ALREADY_EXISTS -> found(birth, name, plan, work);
            case DOES_NOT_EXIST -> throw sourceMissing(birth, outcome);
            default -> throw host.failure("making " + name, outcome);
        };
    }

    private Made found(Birth birth, DatasetName name, Plan plan, Work work) {
        VolumeProperties there = host.get(name.value(), VolumeProperties.ASKED, work)
                .map(rows -> new VolumeProperties(name, rows))
                .orElseThrow(() -> host.untrue(name + " exists, and does not when it is looked for"));
        if (!there.isManaged()) {
            throw new StorageException(new Failure.NotOurs(birth.id().value(), "the dataset " + name));
        }
        if (there.isWhole()) {
            return new Made(there, false);
        }
        Outcome outcome = run(name, plan.toFinish(), work);
        if (!outcome.succeeded()) {
            throw host.failure("finishing " + name, outcome);
        }
        return new Made(read(outcome, name), true);
    }

    private VolumeProperties read(Outcome outcome, DatasetName name) {
        Map<String, Rows.Property> rows =
                host.rows(outcome, name.value(), VolumeProperties.ASKED).get(name.value());
        if (rows == null) {
            throw host.untrue(name + " was made, and is not there when it is read back");
        }
        var volume = new VolumeProperties(name, rows);
        if (!volume.isManaged() || !volume.isWhole()) {
            throw host.untrue(name + " was made, and its properties say otherwise");
        }
        return volume;
    }

    private StorageException sourceMissing(Birth birth, Outcome outcome) {
        return switch (birth.request().content()) {
            case Content.Empty _ -> host.failure("making " + birth.id(), outcome);
            case Content.OfSnapshot(var id) -> new StorageException(new Failure.SnapshotNotFound(id.value()));
            case Content.OfVolume(var id) -> new StorageException(new Failure.VolumeNotFound(id.value()));
        };
    }

    private Outcome run(DatasetName name, Steps steps, Work work) {
        return host.run(KIND, name.value(), steps, work);
    }

    /** The commands of a birth. */
    private record Plan(
            List<List<String>> snapshot, List<String> dataset, List<String> mountpoint, List<List<String>> rest) {
        boolean takesSnapshot() {
            return !snapshot.isEmpty();
        }

        Steps all() {
            return finishing(new Steps().thenAll(snapshot).then(dataset));
        }

        Steps afterSnapshot() {
            return finishing(new Steps().then(dataset));
        }

        Steps toFinish() {
            return finishing(new Steps());
        }

        private Steps finishing(Steps steps) {
            return (mountpoint.isEmpty() ? steps : steps.remember(mountpoint)).thenAll(rest);
        }
    }

    private Plan plan(Birth birth, DatasetName name) {
        List<List<String>> rest = new ArrayList<>();
        boolean block = birth.medium().kind() == VolumeMedium.Kind.BLOCK_DEVICE;
        boolean clone = !(birth.request().content() instanceof Content.Empty);
        if (block && clone) {
            // Never smaller than its source: what the source holds was part of the plan.
            rest.add(zfs().set(
                            name.value(),
                            Map.of("volsize", Long.toString(birth.capacity().bytes()))));
        }
        List<List<String>> root = block ? List.of() : new RootPermissions(settings.permissions(), asRoot).commands();
        rest.addAll(root);
        boolean atOnce = rest.isEmpty();
        if (!atOnce) {
            rest.add(zfs().set(name.value(), done()));
        }
        rest.add(zfs().get(name.value(), VolumeProperties.ASKED));
        Map<String, String> marks = atOnce ? done() : Map.of(OwnProperties.STATE, OwnProperties.MAKING);
        return new Plan(
                helper(birth),
                dataset(birth, name, marks),
                root.isEmpty() ? List.of() : zfs().value(name.value(), "mountpoint"),
                rest);
    }

    private static Map<String, String> done() {
        Map<String, String> marks = new LinkedHashMap<>();
        marks.put(PeerProperties.SUCCESS, PeerProperties.TRUE);
        marks.put(OwnProperties.STATE, OwnProperties.WHOLE);
        return marks;
    }

    private List<List<String>> helper(Birth birth) {
        return birth.request().content() instanceof Content.OfVolume(var source)
                ? List.of(zfs().snapshot(
                                List.of(layout.originFor(dataset(source), birth.id())),
                                Map.of(PeerProperties.MANAGED, "false")))
                : List.of();
    }

    private List<String> dataset(Birth birth, DatasetName name, Map<String, String> marks) {
        return switch (birth.request().content()) {
            case Content.Empty _ -> empty(birth, name, marks);
            case Content.OfSnapshot(var id) -> clone(birth, name, snapshot(id), marks);
            case Content.OfVolume(var id) -> clone(birth, name, layout.originFor(dataset(id), birth.id()), marks);
        };
    }

    private List<String> empty(Birth birth, DatasetName name, Map<String, String> marks) {
        Map<String, String> all = properties.created(birth);
        all.putAll(marks);
        return birth.medium().kind() == VolumeMedium.Kind.BLOCK_DEVICE
                ? zfs().createVolume(name, birth.capacity(), all)
                : zfs().createFilesystem(name, all);
    }

    private List<String> clone(Birth birth, DatasetName name, SnapshotName origin, Map<String, String> marks) {
        Map<String, String> all = properties.cloned(birth);
        all.putAll(marks);
        return zfs().cloneOf(origin, name, all);
    }

    private DatasetName dataset(NativeId volume) {
        return layout.volume(volume)
                .orElseThrow(() -> new StorageException(new Failure.VolumeNotFound(volume.value())));
    }

    private SnapshotName snapshot(NativeId id) {
        return switch (layout.snapshot(id)
                .orElseThrow(() -> new StorageException(new Failure.SnapshotNotFound(id.value())))) {
            case Layout.Place.Snapshot snapshot -> snapshot.name();
            case Layout.Place.Detached detached ->
                throw new StorageException(new Failure.Unsupported(
                        "a volume from the detached snapshot " + detached.name(),
                        "restore from a snapshot of the volume itself"));
        };
    }

    private ZfsCommands zfs() {
        return host.zfs();
    }
}
