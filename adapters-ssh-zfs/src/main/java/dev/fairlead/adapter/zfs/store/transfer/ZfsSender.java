package dev.fairlead.adapter.zfs.store.transfer;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.StreamExtent;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.out.store.ContentTransfer.Extent;
import dev.fairlead.application.port.out.store.ContentTransfer.Sender;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.volume.BirthSources;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Writes snapshots as streams: one that somebody took, or a helper of a volume or of a detached snapshot. A hold
 * protects the snapshot as long as the transfer lasts, also between two calls and across restarts.
 */
public final class ZfsSender implements Sender {
    private static final String TAG = "fairlead:";

    /**
     * The form of a resume token: {@code 1-<checksum>-<length>-<deflated names and numbers>}, a few hundred characters
     * long.
     */
    private static final Pattern TOKEN = Pattern.compile("[0-9]{1,3}-[0-9a-f]{1,16}-[0-9a-f]{1,16}-[0-9a-f]{1,4000}");

    private final ZfsHost host;
    private final DatasetLayout layout;

    public ZfsSender(ZfsHost host, DatasetLayout layout) {
        this.host = host;
        this.layout = layout;
    }

    @Override
    public void keep(Content content, String ticket, Work work) {
        SnapshotName snapshot = snapshot(content, ticket).orElseThrow(() -> missing(content));
        if (BirthSources.isTakenFor(content, layout)) {
            Steps taking = new Steps().then(zfs().snapshot(List.of(snapshot), Map.of(PeerProperties.MANAGED, "false")));
            StepsOutcome taken = host.run("zfs snapshot", snapshot.toString(), taking, work);
            if (taken.complaint() == Complaint.DOES_NOT_EXIST) {
                throw missing(content);
            }
            if (!taken.succeeded() && taken.complaint() != Complaint.ALREADY_EXISTS) {
                throw host.failure("taking " + snapshot, taken);
            }
        }
        Steps holding = new Steps().then(zfs().hold(TAG + ticket, snapshot)).then(zfs().holds(snapshot));
        StepsOutcome held = host.run("zfs hold", snapshot.toString(), holding, work);
        if (held.failedFirst(Complaint.ALREADY_EXISTS)) {
            return;
        }
        if (held.complaint() == Complaint.DOES_NOT_EXIST) {
            throw missing(content);
        }
        if (!held.succeeded()) {
            throw host.failure("holding " + snapshot, held);
        }
        if (!isHeld(held.output(), ticket)) {
            throw host.untrue(snapshot + " was held, and has no hold when it is read back");
        }
    }

    @Override
    public Optional<Extent> extent(Content content, String ticket, Optional<String> mark, Work work) {
        SnapshotName snapshot = snapshot(content, ticket).orElseThrow(() -> missing(content));
        if (mark.filter(token -> !TOKEN.matcher(token).matches()).isPresent()) {
            return Optional.empty();
        }
        Steps steps = new Steps().then(mark.map(zfs()::measureRest).orElseGet(() -> zfs().measure(snapshot)));
        StepsOutcome outcome = host.run("zfs send -n", snapshot.toString(), steps, work);
        if (mark.isPresent()
                && (outcome.complaint() == Complaint.STALE_MARK || outcome.complaint() == Complaint.DOES_NOT_EXIST)) {
            return Optional.empty();
        }
        if (outcome.complaint() == Complaint.DOES_NOT_EXIST) {
            throw missing(content);
        }
        if (!outcome.succeeded()) {
            throw host.failure("measuring " + snapshot, outcome);
        }
        StreamExtent found = StreamExtent.read(outcome.output())
                .orElseThrow(() -> host.untrue("what would be sent of " + snapshot + " was not told"));
        // A token names a snapshot, and another storage host must not choose which of this host's snapshots it gets.
        return found.snapshot().equals(snapshot.toString())
                ? Optional.of(new Extent(found.done(), found.left()))
                : Optional.empty();
    }

    @Override
    public void send(Content content, String ticket, Optional<String> mark, OutputStream to, Work work) {
        SnapshotName snapshot = snapshot(content, ticket).orElseThrow(() -> missing(content));
        Steps steps = new Steps().then(mark.map(zfs()::sendRest).orElseGet(() -> zfs().send(snapshot)));
        StepsOutcome outcome = host.send(snapshot.toString(), steps, to, work);
        if (!outcome.succeeded()) {
            throw host.failure("sending " + snapshot, outcome);
        }
    }

    @Override
    public void letGo(Content content, String ticket, Work work) {
        Optional<SnapshotName> kept = snapshot(content, ticket);
        if (kept.isEmpty()) {
            return;
        }
        SnapshotName snapshot = kept.get();
        Steps releasing = new Steps().then(zfs().release(TAG + ticket, snapshot));
        StepsOutcome released = host.run("zfs release", snapshot.toString(), releasing, work);
        if (!released.succeeded()
                && released.complaint() != Complaint.DOES_NOT_EXIST
                && released.complaint() != Complaint.NO_SUCH_TAG) {
            throw host.failure("releasing " + snapshot, released);
        }
        boolean helper = BirthSources.isTakenFor(content, layout);
        if (helper) {
            Steps removing = new Steps().remove(zfs().destroy(snapshot, true), zfs().exists(snapshot.toString()));
            StepsOutcome removed = host.run("zfs destroy", snapshot.toString(), removing, work);
            if (!removed.succeeded()) {
                throw host.failure("destroying " + snapshot, removed);
            }
        }
        StepsOutcome seen = host.run("zfs holds", snapshot.toString(), new Steps().then(zfs().holds(snapshot)), work);
        if (!seen.succeeded() && seen.complaint() != Complaint.DOES_NOT_EXIST) {
            throw host.failure("looking for holds on " + snapshot, seen);
        }
        boolean left = seen.succeeded() && helper;
        if (left || isHeld(seen.output(), ticket)) {
            throw host.untrue(snapshot + " was let go of, and is " + (left ? "there" : "held") + " still");
        }
    }

    private static boolean isHeld(String holds, String ticket) {
        return holds.lines().anyMatch(row -> List.of(row.split("\t", -1)).contains(TAG + ticket));
    }

    /** Returns the snapshot to send: one that was taken before, or one that is taken for this transfer. */
    private Optional<SnapshotName> snapshot(Content content, String ticket) {
        var transfer = new NativeId(ticket);
        return switch (content) {
            case Content.Empty _, Content.Transferred _ -> Optional.empty();
            case Content.OfVolume(var id) -> layout.volume(id).map(name -> layout.originFor(name, transfer));
            case Content.OfSnapshot(var id) ->
                layout.snapshot(id).map(place -> switch (place) {
                    case DatasetLayout.Place.Snapshot taken -> taken.name();
                    case DatasetLayout.Place.Detached detached -> layout.originFor(detached.name(), transfer);
                });
        };
    }

    private static StorageException missing(Content content) {
        return new StorageException(
                switch (content) {
                    case Content.OfSnapshot(var id) -> new Failure.SnapshotNotFound(id.value());
                    case Content.OfVolume(var id) -> new Failure.VolumeNotFound(id.value());
                    case Content.Empty _, Content.Transferred _ ->
                        throw new IllegalArgumentException(content + " is on no connection that sends it");
                });
    }

    private ZfsCommands zfs() {
        return host.zfs();
    }
}
