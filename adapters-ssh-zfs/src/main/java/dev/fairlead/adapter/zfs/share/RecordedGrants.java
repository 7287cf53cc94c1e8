package dev.fairlead.adapter.zfs.share;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.OwnProperties;
import java.util.List;
import java.util.Optional;

/**
 * Looks whether a volume's record of its nodes still is the one from which a script was planned. A script may outlive
 * its call and run after others that were planned from a later record; it must change nothing then.
 */
final class RecordedGrants {
    private static final String UNSET = "-";

    private enum RecordPart implements Steps.Part {
        AS_SEEN
    }

    private RecordedGrants() {}

    /** Returns the steps that fail if the record has changed; none for a volume that is open to everybody. */
    static Steps asSeen(ZfsCommands zfs, DatasetName dataset, StoredVolume seen) {
        if (!(Access.of(seen.notes()) instanceof Access.Nodes)) {
            return new Steps();
        }
        String record = Optional.of(seen.notes().getOrDefault(Access.GRANTS, ""))
                .filter(text -> !text.isEmpty())
                .orElse(UNSET);
        return new Steps()
                .and(
                        RecordPart.AS_SEEN,
                        new Steps()
                                .expect(
                                        zfs.value(dataset.value(), OwnProperties.GRANTS),
                                        List.of(List.of(record), List.of(UNSET))));
    }

    /** Returns whether the record has changed since it was seen, and nothing else went wrong. */
    static boolean haveChanged(StepsOutcome outcome) {
        return outcome.failedIn(RecordPart.AS_SEEN) && outcome.complaint() == Complaint.OTHER;
    }
}
