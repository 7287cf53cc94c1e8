package dev.fairlead.adapter.zfs.share;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.Property;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Looks whether a volume's record of its nodes still is the one from which a script was planned. A script may outlive
 * its call and run after others that were planned from a later record; it must change nothing then.
 *
 * <p>The calls of one process that change whom a volume is published to, or make it, run one after the other, by the
 * locks of its handle. Another process may record a node between this look and the change that follows it in the same
 * script; so the record is read again after the change, and the caller tries again with what it says then.
 */
final class RecordedGrants {
    private static final String UNSET = "-";

    private enum RecordPart implements Steps.Part {
        AS_SEEN
    }

    private RecordedGrants() {}

    /** Returns the steps that fail if the record has changed; none for a volume that is open to everybody. */
    static Steps asSeen(ZfsCommands zfs, DatasetName dataset, StoredVolume seen) {
        return record(seen)
                .map(record -> new Steps()
                        .and(
                                RecordPart.AS_SEEN,
                                new Steps()
                                        .expect(
                                                zfs.value(dataset.value(), OwnProperties.GRANTS),
                                                List.of(List.of(record), List.of(UNSET)))))
                .orElseGet(Steps::new);
    }

    /** Returns whether the record has changed since it was seen, and nothing else went wrong. */
    static boolean haveChanged(StepsOutcome outcome) {
        return outcome.failedIn(RecordPart.AS_SEEN) && outcome.complaint() == Complaint.OTHER;
    }

    /** Returns the failure for a record that has changed, after which the caller looks at it again. */
    static StorageException changedMeanwhile(ZfsHost host, DatasetName dataset) {
        return host.notNow("the nodes that " + dataset + " is published to were changed meanwhile");
    }

    /** Returns the properties to read back after a change, for {@link #haveChanged(Map, StoredVolume)}. */
    static List<String> asked(StoredVolume seen) {
        return record(seen).map(_ -> OwnProperties.GRANTS).stream().toList();
    }

    /** Returns whether a record that was read back after a change is another than the one that was seen. */
    static boolean haveChanged(Map<String, Property> rows, StoredVolume seen) {
        return record(seen)
                .filter(record -> Optional.ofNullable(rows.get(OwnProperties.GRANTS))
                        .filter(row ->
                                !row.value().equals(record) && !row.value().equals(UNSET))
                        .isPresent())
                .isPresent();
    }

    /** Returns the record as ZFS prints it; empty for a volume that is open to everybody. */
    private static Optional<String> record(StoredVolume seen) {
        return Access.of(seen.notes()) instanceof Access.Nodes
                ? Optional.of(seen.notes().getOrDefault(Access.GRANTS, "")).map(text -> text.isEmpty() ? UNSET : text)
                : Optional.empty();
    }
}
