package dev.fairlead.adapter.zfs.store.create;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.host.Outcome;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.adapter.zfs.store.destroy.DatasetRemoval;
import dev.fairlead.adapter.zfs.store.volume.BirthProperties;
import dev.fairlead.adapter.zfs.store.volume.BirthSources;
import dev.fairlead.adapter.zfs.store.volume.NativeProperties;
import dev.fairlead.adapter.zfs.store.volume.ShareAtBirth;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.property.StreamReceipt;
import dev.fairlead.zfs.settings.ZfsSettings;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes the dataset of a volume, in one round trip if nothing is in the way: the dataset with all its properties, what
 * follows ({@code chmod}, a clone's size), the mark that it is complete, and the reading back.
 */
public final class DatasetCreation {
    private static final String KIND = "zfs create";

    private final ZfsConnection connection;
    private final ZfsHost host;
    private final ZfsHost handles;
    private final BirthSources sources;
    private final BirthPlan plans;
    private final Leftovers leftovers;
    private final PeerLeftovers peers;
    private final ZfsSettings settings;

    public DatasetCreation(ZfsConnection connection, DatasetRemoval removal) {
        this.connection = connection;
        this.host = connection.host().making();
        this.handles = connection.host();
        this.sources = new BirthSources(connection.layout());
        this.plans = new BirthPlan(connection);
        this.peers = new PeerLeftovers(host, new BirthProperties(connection));
        this.leftovers = new Leftovers(host, connection.layout(), removal, peers);
        this.settings = connection.settings();
    }

    /**
     * Holds the volume and whether this call may take it back, since no other call and not democratic-csi made it.
     *
     * @param inEffect what shares it from its birth
     */
    public record Made(VolumeProperties volume, boolean fresh, Map<String, String> inEffect) {
        Made(VolumeProperties volume, boolean fresh) {
            this(volume, fresh, Map.of());
        }
    }

    /**
     * Makes the volume, whatever an earlier call has left.
     *
     * @param name the dataset of the birth's id
     */
    public Made make(Birth birth, DatasetName name, Work work) {
        try {
            return new ShareAtBirth(connection, birth).alone(name, () -> makeAlone(birth, name, work));
        } catch (StorageException thrown) {
            throw peers.kept(thrown, name, work);
        }
    }

    private Made makeAlone(Birth birth, DatasetName name, Work work) {
        BirthSteps plan = plans.of(birth, name);
        try {
            return makeAlone(birth, name, plan, work);
        } catch (StorageException thrown) {
            throw plan.source()
                    .map(taken -> taken.afterwards(thrown, _ -> {}, work))
                    .orElse(thrown);
        }
    }

    private Made makeAlone(Birth birth, DatasetName name, BirthSteps plan, Work work) {
        ShareAtBirth share = new ShareAtBirth(connection, birth);
        Steps place = sureOfPlace(birth, name);
        Steps free = new Steps().and(place).and(noneOfOthers(birth, name, plan));
        Steps first = new Steps().and(free).and(share.unclaimed(name, plan.properties()));
        Outcome outcome = make(birth, name, plan, new Steps().and(first).and(plan.all()), work);
        int failed = outcome.failed().orElse(Integer.MAX_VALUE);
        if (failed < place.size()) {
            connection.mountpoints().forget(name);
            return makeAlone(birth.withoutContext(), name, work);
        }
        if (failed < free.size()) {
            return found(birth, name, plan, work);
        }
        if (failed < first.size()) {
            first = new Steps().and(free).and(share.again(outcome, name, plan.properties(), work));
            outcome = make(birth, name, plan, new Steps().and(first).and(plan.all()), work);
        }
        if (lacksParent(outcome, name)) { // a helper snapshot may have been taken before
            run(name, new Steps().then(zfs().createParents(name.parent().orElseThrow())), work);
            outcome = make(birth, name, plan, new Steps().and(first).and(plan.all()), work);
        }
        if (plan.takesSnapshot() && outcome.failedAt(first.size(), Complaint.ALREADY_EXISTS)) {
            outcome = make(birth, name, plan, new Steps().and(first).and(plan.afterSnapshot()), work);
        }
        if (outcome.succeeded()) {
            Map<String, Property> rows = compared(read(outcome, name, plan), name, plan);
            var volume = new VolumeProperties(name, rows);
            if (!settings.datasetProperties().containsKey("mountpoint")) {
                volume.mountpoint().ifPresent(path -> connection.mountpoints().seenBelow(name, path));
            }
            return new Made(volume, true, share.inEffect(rows));
        }
        return switch (outcome.complaint()) {
            case ALREADY_EXISTS, DESTINATION_EXISTS -> found(birth, name, plan, work);
            case DOES_NOT_EXIST ->
                throw lacksParent(outcome, name)
                        ? host.failure("making " + name, outcome)
                        : sourceMissing(birth, outcome, work);
            default -> throw host.failure("making " + name, outcome);
        };
    }

    private static boolean isBlock(Birth birth) {
        return birth.medium().kind() == VolumeMedium.Kind.BLOCK_DEVICE;
    }

    /**
     * Returns a check that no dataset of the other type has the volume's place, to be made before a snapshot is taken
     * for it.
     */
    private Steps noneOfOthers(Birth birth, DatasetName name, BirthSteps plan) {
        Steps steps = new Steps();
        if (plan.takesSnapshot()) {
            steps.withoutIn(
                    zfs().exists(name.value()),
                    zfs().value(name.value(), "type"),
                    typeOfOthers(birth).word());
        }
        return steps;
    }

    /** Returns the type of datasets below the same parent that a connection of another kind made. */
    private static DatasetType typeOfOthers(Birth birth) {
        return isBlock(birth) ? DatasetType.FILESYSTEM : DatasetType.VOLUME;
    }

    /**
     * Returns whether the parent is missing: {@code zfs create} says that it does not exist, {@code zfs receive} that
     * it cannot be opened.
     */
    private static boolean lacksParent(Outcome outcome, DatasetName name) {
        return outcome.complaint() == Complaint.PARENT_MISSING
                || (outcome.complaint() == Complaint.DOES_NOT_EXIST
                        && outcome.said().contains("'" + name.parent().orElseThrow() + "'"));
    }

    /**
     * Returns a check that the parent is still mounted where the volume's noted context expects it, since that holds
     * for the volume's life; no steps if the context has no such path.
     */
    private Steps sureOfPlace(Birth birth, DatasetName name) {
        String path = birth.medium().path();
        if (!path.startsWith("/")
                || birth.medium().kind() != VolumeMedium.Kind.FILESYSTEM
                || !Notes.contextOf(birth.notes()).containsValue(path)) {
            return new Steps();
        }
        String parent = path.substring(0, path.lastIndexOf('/'));
        return new Steps()
                .remember(zfs().value(name.parent().orElseThrow().value(), "mountpoint"))
                .then(List.of("test", Steps.REMEMBERED, "=", parent));
    }

    private Made found(Birth birth, DatasetName name, BirthSteps plan, Work work) {
        List<String> asked = Stream.concat(VolumeProperties.ASKED.stream(), StreamReceipt.ASKED.stream())
                .toList();
        Map<String, Property> rows = host.get(name.value(), asked, work)
                .orElseThrow(() -> host.untrue(name + " exists, and does not when it is looked for"));
        var there = new VolumeProperties(name, rows);
        if (there.isBlockDevice() != isBlock(birth)) {
            throw new StorageException(new Failure.NotOurs(birth.id().value(), "another connection's dataset " + name));
        }
        boolean left = there.isLeftByPeer();
        if (there.isManaged() && there.isWhole() && !left) {
            if (plan.copies()) { // another call finished it and destroyed the snapshot, which this call then took again
                plan.source().ifPresent(taken -> taken.destroy(work));
            }
            return new Made(there, false);
        }
        if (StreamReceipt.isUnderWay(rows) && there.transferred().isEmpty()) {
            throw host.notNow(StreamReceipt.underWay(name, rows));
        }
        Optional<Steps> steps = left
                ? Optional.of(peers.finishing(birth, name, there, plan, work))
                : leftovers.goOn(birth, name, there, plan, work).map(plan::toFinish);
        if (steps.isEmpty()) {
            return makeAlone(birth, name, plan, work);
        }
        if (plan.copies() && !there.isBlockDevice()) {
            run(name, new Steps().then(zfs().mount(name)), work); // fails harmlessly if it is mounted already
        }
        Outcome outcome = run(name, steps.get(), work);
        if (!outcome.succeeded()) {
            throw plan.copies() && NativeProperties.isRefusedForNow(outcome, 0)
                    ? host.unavailable("finishing " + name, outcome)
                    : host.failure("finishing " + name, outcome);
        }
        Map<String, Property> finished = read(outcome, name, plan);
        if (!left || !there.hasShareContext()) { // otherwise only the last mark was set
            compared(finished, name, plan);
        }
        return new Made(new VolumeProperties(name, finished), !left); // if democratic-csi began it, it stays
    }

    private Map<String, Property> read(Outcome outcome, DatasetName name, BirthSteps plan) {
        Map<String, Property> rows =
                host.rows(outcome, name.value(), plan.printed()).get(name.value());
        if (rows == null) {
            throw host.untrue(name + " was made, and is not there when it is read back");
        }
        var volume = new VolumeProperties(name, rows);
        if (!volume.isManaged() || !volume.isWhole()) {
            throw host.untrue(name + " was made, and its properties say otherwise");
        }
        return rows;
    }

    private Map<String, Property> compared(Map<String, Property> rows, DatasetName name, BirthSteps plan) {
        plan.natives().difference(rows).ifPresent(difference -> {
            throw host.untrue(name + " was made, and " + difference);
        });
        return rows;
    }

    private StorageException sourceMissing(Birth birth, Outcome outcome, Work work) {
        sources.of(birth).ifPresent(source -> handles.get(source.toString(), List.of("type"), work)); // or it throws
        return switch (birth.request().content()) {
            case Content.Empty _, Content.Transferred _ -> host.failure("making " + birth.id(), outcome);
            case Content.OfSnapshot(var id) -> new StorageException(new Failure.SnapshotNotFound(id.value()));
            case Content.OfVolume(var id) -> new StorageException(new Failure.VolumeNotFound(id.value()));
        };
    }

    private Outcome run(DatasetName name, Steps steps, Work work) {
        return host.run(KIND, name.value(), steps, work);
    }

    private Outcome make(Birth birth, DatasetName name, BirthSteps plan, Steps steps, Work work) {
        if (!plan.copies()) {
            return run(name, steps, work);
        }
        Outcome outcome = host.copy(source(birth), name.value(), steps, work);
        if (NativeProperties.isRefusedForNow(
                outcome, steps.size() - plan.finishing().size())) {
            throw host.unavailable("finishing " + name, outcome);
        }
        return outcome;
    }

    private static String source(Birth birth) {
        return switch (birth.request().content()) {
            case Content.OfVolume(var id) -> DatasetLayout.volumeOf(id);
            case Content.OfSnapshot(var id) -> DatasetLayout.volumeOf(id);
            case Content.Empty _, Content.Transferred _ -> birth.id().value();
        };
    }

    private ZfsCommands zfs() {
        return host.zfs();
    }
}
