package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.adapter.node.nvmeof.NvmeofSysfs.Place;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.domain.attachment.Attachment;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Tells which volumes of a subsystem this node has attached, or is about to mount. The journal knows them; it has the
 * entry of a volume until some time after it was detached, so that two that are detached at once would each keep the
 * connection for the other.
 */
final class AttachedVolumes {
    private final StageJournal journal;
    private final Set<Place> detached = ConcurrentHashMap.newKeySet();

    AttachedVolumes(StageJournal journal) {
        this.journal = journal;
    }

    void attaching(Place place) {
        detached.remove(place);
    }

    void detached(Place place) {
        detached.add(place);
    }

    /** Forgets what is known of a subsystem to which there is no connection any more. */
    void disconnected(String nqn) {
        detached.removeIf(it -> it.nqn().equals(nqn));
    }

    /** Returns the handle of a volume of a subsystem that is attached; or what may be one, since it cannot be read. */
    Optional<String> of(String nqn) {
        StageJournal.Inventory all = journal.inventory();
        return attached(entries(all, nqn)).or(() -> unreadable(all));
    }

    /**
     * Returns the handle of a volume of the same subsystem that is attached, or of the same namespace by another
     * handle; or what may be one, since it cannot be read.
     */
    Optional<String> besides(Place own) {
        StageJournal.Inventory all = journal.inventory();
        return attached(Stream.concat(
                        entries(all, own.nqn()).filter(it -> !place(it).equals(Optional.of(own))),
                        entries(all, own.nqn())
                                .filter(it -> place(it).equals(Optional.of(own)))
                                .skip(1)))
                .or(() -> unreadable(all));
    }

    private Optional<String> attached(Stream<StageJournal.Entry> entries) {
        return entries.filter(it -> place(it).filter(detached::contains).isEmpty())
                .map(StageJournal.Entry::handle)
                .findFirst();
    }

    private static Optional<String> unreadable(StageJournal.Inventory all) {
        return all.unreadable().stream()
                .map(it -> "the volume of " + it.place() + ", which cannot be read")
                .findFirst();
    }

    private static Stream<StageJournal.Entry> entries(StageJournal.Inventory all, String nqn) {
        return all.entries().stream()
                .filter(it -> place(it).filter(place -> place.nqn().equals(nqn)).isPresent());
    }

    private static Optional<Place> place(StageJournal.Entry entry) {
        return entry.attachment() instanceof Attachment.Nvmeof volume
                ? Optional.of(new Place(volume.nqn(), volume.nsid()))
                : Optional.empty();
    }
}
