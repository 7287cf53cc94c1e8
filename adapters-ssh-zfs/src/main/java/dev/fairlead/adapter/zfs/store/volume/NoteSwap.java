package dev.fairlead.adapter.zfs.store.volume;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.out.store.VolumeStore.NoteChange;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.List;
import java.util.Map;

/**
 * Changes a note if its property still has the value that was seen. ZFS has no such command: the check and the change
 * are two commands, one right after the other on the storage host, so another change can get in between only within a
 * few milliseconds.
 */
public record NoteSwap(ZfsHost host, DatasetName name) {
    private enum SwapPart implements Steps.Part {
        AS_SEEN
    }

    /** Returns whether the note was changed; false if the value is another or the dataset has gone. */
    public boolean swap(VolumeProperties seen, NoteChange change, Work work) {
        Map<String, String> news = seen.noting(Map.of(change.key(), change.to()));
        if (news.isEmpty()) {
            return true;
        }
        Steps steps = new Steps();
        news.keySet()
                .forEach(property -> steps.remember(host.zfs().value(name.value(), property))
                        .then(SwapPart.AS_SEEN, List.of("test", Steps.REMEMBERED, "=", seen.printed(property))));
        steps.then(host.zfs().set(name.value(), news)).then(host.zfs().get(name.value(), VolumeProperties.ASKED));
        StepsOutcome outcome = host.run("zfs change note", name.value(), steps, work);
        if (outcome.failedIn(SwapPart.AS_SEEN) || outcome.complaint() == Complaint.DOES_NOT_EXIST) {
            return false;
        }
        if (!outcome.succeeded()) {
            throw host.failure("changing " + name, outcome);
        }
        Map<String, Property> rows =
                host.rows(outcome, name.value(), VolumeProperties.ASKED).getOrDefault(name.value(), Map.of());
        if (!change.to().equals(new VolumeProperties(name, rows).allNotes().get(change.key()))) {
            throw host.untrue("properties of " + name + " were set, and read back differently");
        }
        return true;
    }
}
