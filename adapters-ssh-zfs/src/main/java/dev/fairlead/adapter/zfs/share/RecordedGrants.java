package dev.fairlead.adapter.zfs.share;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.property.PropertyParts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Looks whether a volume's record of its nodes still is the one from which a script was planned. A script may outlive
 * its call and run after others that were planned from a later record; it must change nothing then.
 *
 * <p>The calls of one process that change whom a volume is published to, or make it, run one after the other, by the
 * locks of its handle. Another process may record a node between this look and the change that follows it in the same
 * script; so the record is read again after the change. If it is another one, the share is made to agree with it, and
 * the caller tries again with what it says then.
 */
final class RecordedGrants {
    private static final String UNSET = "-";

    /** The number of attempts, more than the processes that change one volume's record at the same moment. */
    private static final int MOST_ROUNDS = 5;

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
                                                printed(record).map(List::of).toList())))
                .orElseGet(Steps::new);
    }

    /** Returns whether the record has changed since it was seen, and nothing else went wrong. */
    static boolean haveChanged(StepsOutcome outcome) {
        return outcome.failedIn(RecordPart.AS_SEEN) && outcome.complaint() == Complaint.OTHER;
    }

    /**
     * Shares a dataset with the nodes of its record as it reads now, until it stays the same meanwhile. For a share
     * that was planned from a record that has changed, which may have let in a node that was shut out since.
     *
     * @param sharing the properties that share the dataset with those who have access
     */
    static void follow(
            ZfsHost host,
            DatasetName dataset,
            StoredVolume seen,
            Function<Access, Map<String, String>> sharing,
            Work work) {
        String name = dataset.value();
        boolean followed = false;
        for (int round = 0; !followed && round < MOST_ROUNDS; round++) {
            Optional<Map<String, Property>> read = host.get(name, List.of(OwnProperties.GRANTS), work);
            if (read.isEmpty()) {
                return; // there is nothing to let anybody in to
            }
            StoredVolume now = seen.withNotes(withRecord(seen.notes(), read.get()));
            Steps steps = asSeen(host.zfs(), dataset, now)
                    .then(host.zfs().set(name, sharing.apply(Access.of(now.notes()))))
                    .then(host.zfs().get(name, List.of(OwnProperties.GRANTS)));
            StepsOutcome outcome = host.run("zfs share", name, steps, work);
            if (!outcome.succeeded() && !haveChanged(outcome)) {
                throw host.failure(
                        "taking back a share of " + dataset + " whose nodes were changed meanwhile", outcome);
            }
            followed = outcome.succeeded() && !haveChanged(rows(host, outcome, name), now);
        }
    }

    private static Map<String, Property> rows(ZfsHost host, StepsOutcome outcome, String name) {
        return host.rows(outcome, name, List.of(OwnProperties.GRANTS)).getOrDefault(name, Map.of());
    }

    private static Map<String, String> withRecord(Map<String, String> notes, Map<String, Property> read) {
        Map<String, String> now = new HashMap<>(notes);
        String record = Optional.ofNullable(read.get(OwnProperties.GRANTS))
                .map(Property::value)
                .orElse(UNSET);
        now.put(Access.GRANTS, record.equals(UNSET) ? "" : record);
        return now;
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
                        .filter(row -> printed(record).noneMatch(row.value()::equals))
                        .isPresent())
                .isPresent();
    }

    /**
     * Returns what may be printed of a record: itself, its first part if a store by the API of a TrueNAS wrote it and
     * it is long, and nothing.
     */
    private static Stream<String> printed(String record) {
        String spread =
                PropertyParts.spread(Map.of(OwnProperties.GRANTS, record)).getOrDefault(OwnProperties.GRANTS, record);
        return Stream.of(record, spread, UNSET).distinct();
    }

    /** Returns the record as ZFS prints it; empty for a volume that is open to everybody. */
    private static Optional<String> record(StoredVolume seen) {
        return Access.of(seen.notes()) instanceof Access.Nodes
                ? Optional.of(seen.notes().getOrDefault(Access.GRANTS, "")).map(text -> text.isEmpty() ? UNSET : text)
                : Optional.empty();
    }
}
