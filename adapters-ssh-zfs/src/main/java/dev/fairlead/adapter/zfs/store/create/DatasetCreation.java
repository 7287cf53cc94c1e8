package dev.fairlead.adapter.zfs.store.create;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.host.HostView;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.adapter.zfs.store.create.BirthPlan.BirthPart;
import dev.fairlead.adapter.zfs.store.destroy.DatasetRemoval;
import dev.fairlead.adapter.zfs.store.volume.BirthProperties;
import dev.fairlead.adapter.zfs.store.volume.NativeProperties;
import dev.fairlead.adapter.zfs.store.volume.RootPermissions;
import dev.fairlead.adapter.zfs.store.volume.ShareAtBirth;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.property.StreamReceipt;
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
    private final BirthProperties properties;
    private final Leftovers leftovers;
    private final PeerLeftovers peers;

    public DatasetCreation(ZfsConnection connection, DatasetRemoval removal) {
        this.connection = connection;
        this.host = connection.host().making();
        this.properties = new BirthProperties(connection);
        this.peers = new PeerLeftovers(host, properties);
        this.leftovers = new Leftovers(host, connection.layout(), removal, peers);
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
            ShareAtBirth share = new ShareAtBirth(connection, birth);
            return share.alone(name, () -> makeAlone(share, birth, name, work));
        } catch (StorageException thrown) {
            throw peers.kept(thrown, name, work);
        }
    }

    /** Makes it; destroys the helper snapshot after a failure that is final. */
    private Made makeAlone(ShareAtBirth share, Birth birth, DatasetName name, Work work) {
        var plan = new BirthPlan(connection, properties, share, birth, name);
        try {
            return make(plan, work);
        } catch (StorageException thrown) {
            throw plan.helper()
                    .map(helper -> helper.afterwards(thrown, _ -> {}, work))
                    .orElse(thrown);
        }
    }

    private Made make(BirthPlan plan, Work work) {
        DatasetName name = plan.name();
        Steps unclaimed = plan.share().unclaimed(name, plan.properties());
        StepsOutcome outcome = make(plan, unclaimed, plan.everything(), work);
        if (outcome.failedIn(BirthPart.PLACE)) {
            connection.mountpoints().forget(name);
            return makeAlone(plan.share(), plan.birth().withoutContext(), name, work);
        }
        if (outcome.failedIn(BirthPart.NAME)) {
            return finishExisting(plan, work);
        }
        if (HostView.isClaimed(outcome)) {
            unclaimed = plan.share().again(outcome, name, plan.properties(), work);
            outcome = make(plan, unclaimed, plan.everything(), work);
        }
        if (lacksParent(outcome, name)) { // a helper snapshot may have been taken before
            run(name, new Steps().then(zfs().createParents(name.parent().orElseThrow())), work);
            outcome = make(plan, unclaimed, plan.everything(), work);
        }
        if (outcome.failedIn(BirthPart.HELPER, Complaint.ALREADY_EXISTS)) {
            outcome = make(plan, unclaimed, plan.afterHelper(), work);
        }
        if (outcome.succeeded()) {
            return made(plan, outcome);
        }
        return switch (outcome.complaint()) {
            case ALREADY_EXISTS, DESTINATION_EXISTS -> finishExisting(plan, work);
            case DOES_NOT_EXIST ->
                throw lacksParent(outcome, name)
                        ? host.failure("making " + name, outcome)
                        : sourceMissing(plan, outcome, work);
            default -> throw host.failure("making " + name, outcome);
        };
    }

    /** Runs the checks and then these steps, as one effect. */
    private StepsOutcome make(BirthPlan plan, Steps unclaimed, Steps making, Work work) {
        Steps steps = new Steps().and(plan.checks()).and(unclaimed).and(making);
        if (!plan.copies()) {
            return run(plan.name(), steps, work);
        }
        StepsOutcome outcome = host.copy(source(plan.birth()), plan.name().value(), steps, work);
        if (outcome.failedIn(BirthPart.FINISHING) && NativeProperties.isRefusedForNow(outcome)) {
            throw host.unavailable("finishing " + plan.name(), outcome);
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

    /**
     * Returns whether the parent is missing: {@code zfs create} says that it does not exist, {@code zfs receive} that
     * it cannot be opened.
     */
    private static boolean lacksParent(StepsOutcome outcome, DatasetName name) {
        return outcome.complaint() == Complaint.PARENT_MISSING
                || (outcome.complaint() == Complaint.DOES_NOT_EXIST
                        && outcome.said().contains("'" + name.parent().orElseThrow() + "'"));
    }

    private StorageException sourceMissing(BirthPlan plan, StepsOutcome outcome, Work work) {
        NativeId volume = plan.birth().id();
        // It throws if the source may be there, in a pool that is away.
        plan.source().ifPresent(source -> connection.host().get(source.toString(), List.of("type"), work));
        return switch (plan.birth().request().content()) {
            case Content.Empty _, Content.Transferred _ -> host.failure("making " + volume, outcome);
            case Content.OfSnapshot(var id) -> new StorageException(new Failure.SnapshotNotFound(id.value()));
            case Content.OfVolume(var id) -> new StorageException(new Failure.VolumeNotFound(id.value()));
        };
    }

    /** Reads back what this call has made. */
    private Made made(BirthPlan plan, StepsOutcome outcome) {
        Map<String, Property> rows = compared(plan, read(plan, outcome));
        var volume = new VolumeProperties(plan.name(), rows);
        if (!connection.settings().datasetProperties().containsKey("mountpoint")) {
            volume.mountpoint().ifPresent(path -> connection.mountpoints().seenBelow(plan.name(), path));
        }
        return new Made(volume, true, plan.share().inEffect(rows));
    }

    /** Returns the volume if the dataset that is there is complete; else finishes it, or makes it anew. */
    private Made finishExisting(BirthPlan plan, Work work) {
        DatasetName name = plan.name();
        List<String> asked = Stream.concat(VolumeProperties.ASKED.stream(), StreamReceipt.ASKED.stream())
                .toList();
        Map<String, Property> rows = host.get(name.value(), asked, work)
                .orElseThrow(() -> host.untrue(name + " exists, and does not when it is looked for"));
        var there = new VolumeProperties(name, rows);
        if (there.isBlockDevice() != plan.isBlock()) {
            throw new StorageException(
                    new Failure.NotOurs(plan.birth().id().value(), "another connection's dataset " + name));
        }
        boolean left = there.isLeftByPeer();
        if (there.isManaged() && there.isWhole() && !left) {
            if (plan.copies()) { // another call finished it and destroyed the snapshot, which this call then took again
                plan.helper().ifPresent(helper -> helper.destroy(work));
            }
            return new Made(there, false);
        }
        if (StreamReceipt.isUnderWay(rows) && there.transferred().isEmpty()) {
            throw host.notNow(StreamReceipt.underWay(name, rows));
        }
        if (left) {
            return finish(plan, there, peers.finishing(plan, there, work), work);
        }
        Optional<Steps> before = leftovers.goOn(plan, there, work);
        return before.isPresent()
                ? finish(plan, there, new Steps().and(before.get()).and(plan.finishing()), work)
                : make(plan, work);
    }

    private Made finish(BirthPlan plan, VolumeProperties there, Steps steps, Work work) {
        DatasetName name = plan.name();
        if (plan.copies() && !there.isBlockDevice()) {
            RootPermissions.of(connection).mount(host, name, work);
        }
        StepsOutcome outcome = run(name, steps, work);
        if (!outcome.succeeded()) {
            throw plan.copies() && NativeProperties.isRefusedForNow(outcome)
                    ? host.unavailable("finishing " + name, outcome)
                    : host.failure("finishing " + name, outcome);
        }
        boolean left = there.isLeftByPeer();
        Map<String, Property> finished = read(plan, outcome);
        if (!left || !there.hasShareContext()) { // otherwise only the last mark was set
            compared(plan, finished);
        }
        return new Made(new VolumeProperties(name, finished), !left); // if democratic-csi began it, it stays
    }

    private Map<String, Property> read(BirthPlan plan, StepsOutcome outcome) {
        DatasetName name = plan.name();
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

    private Map<String, Property> compared(BirthPlan plan, Map<String, Property> rows) {
        plan.natives().flatMap(natives -> natives.difference(rows)).ifPresent(difference -> {
            throw host.untrue(plan.name() + " was made, and " + difference);
        });
        return rows;
    }

    private StepsOutcome run(DatasetName name, Steps steps, Work work) {
        return host.run(KIND, name.value(), steps, work);
    }

    private ZfsCommands zfs() {
        return host.zfs();
    }
}
