package dev.fairlead.adapter.freenas.store.dataset;

import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.zfs.dataset.DatasetName;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lets one process at a time change a note of a volume that depends on what the note was, such as the nodes that it is
 * published to. The box compares nothing when it sets properties, so two controllers that saw the same value would each
 * write theirs, and one would be lost.
 *
 * <p>Who wants to change a note sets a property of its own first, and reads the dataset back in the answer of that
 * step. The box does one update after the other: of two who do this, at least the later one sees the other's property,
 * takes its own back, and comes again. Who sees none changes the note and takes its property away in one step. A
 * property that is left by a cut counts for as long as the call that would take it away may still come.
 */
public record NoteLease(DatasetCalls datasets, PendingChanges pending) {
    private static final String PREFIX = "dev.fairlead:lease.";

    private String own() {
        return PREFIX + pending.process();
    }

    /**
     * Takes the lease, and returns the dataset as it is now; empty if there is none.
     *
     * @throws StorageException {@code BackendUnavailable} if another process has it, or a change of this one that was
     *     cut may still come
     */
    public Optional<DatasetEntry> take(DatasetName name, Work work) {
        if (pending.has(key(name))) {
            boolean may = datasets.find(name, work)
                    .filter(entry -> entry.own(own()).isPresent())
                    .isPresent();
            if (may && !datasets.api().release(work).isAtLeast(26, 0)) {
                throw datasets.unavailable(
                        "a change of " + name + " was sent and its end was not seen; it is waited for; ask again");
            }
            pending.settle(key(name));
        }
        String now = Long.toString(pending.now().toEpochMilli());
        ApiResult result = datasets.update(name, DatasetFields.updated(Map.of(own(), now)), work);
        if (result instanceof ApiResult.Refused refused && (refused.isAbsent() || refused.says("does not exist"))) {
            return Optional.empty();
        }
        result.orThrow();
        DatasetEntry entry = datasets.answered((ApiResult.Done) result, name, work);
        if (entry.rows().keySet().stream()
                .filter(key -> key.startsWith(PREFIX) && !key.equals(own()))
                .flatMap(key -> entry.own(key).stream())
                .anyMatch(pending::isYoung)) {
            release(name, work);
            throw datasets.unavailable(
                    "another controller changes the notes of " + name + " at this moment; ask again");
        }
        return Optional.of(entry);
    }

    /** Gives the lease back without a change. */
    public void release(DatasetName name, Work work) {
        datasets.update(name, DatasetFields.removing(DatasetFields.updated(Map.of()), List.of(own())), work)
                .orThrow();
    }

    /**
     * Sets properties and gives the lease back by the same step.
     *
     * @param entry what taking it has returned
     */
    public ApiResult change(DatasetEntry entry, Map<String, String> news, Work work) {
        List<String> leases = entry.rows().keySet().stream()
                .filter(key -> key.startsWith(PREFIX) && entry.own(key).isPresent())
                .toList();
        try {
            return datasets.update(entry.name(), DatasetFields.removing(DatasetFields.updated(news), leases), work);
        } catch (StorageException e) {
            if (e.failure() instanceof Failure.OutcomeUnknown || e.failure() instanceof Failure.TimedOut) {
                pending.add(key(entry.name()));
            }
            throw e;
        }
    }

    private String key(DatasetName name) {
        return datasets.api().connection() + " notes " + name;
    }
}
