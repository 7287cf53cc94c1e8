package dev.fairlead.adapter.freenas.store;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.late.CallNotes;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.OwnProperties;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Makes and deletes the datasets that each hold the detached snapshots of one volume.
 *
 * <p>The betas of 26 drop the user properties of a dataset that they make, but not its comment. So a holder is made
 * with a comment that tells whose it is, and one that a call left without its mark gets it by the repetition. A dataset
 * with neither may be an administrator's: it is used, and neither marked nor deleted.
 */
record CopyHolders(DatasetCalls datasets, CallNotes notes) {
    private static final String COMMENT = "org.freenas:description";
    private static final String OURS = "Fairlead: detached snapshots of one volume; deleted with the last of them";
    private static final Map<String, String> MARK = Map.of(OwnProperties.STATE, OwnProperties.HOLDER);

    /** Makes a holder that is not there, and marks one that was left unmarked. */
    void require(DatasetName name, Optional<DatasetEntry> there, Work work) {
        there.ifPresent(notes::requireNone);
        if (there.isEmpty()) {
            make(name, work);
        }
        there.or(() -> datasets.find(name, work))
                .filter(entry -> lacksMark(entry, work))
                .ifPresent(entry -> mark(entry.name(), work));
    }

    private void make(DatasetName name, Work work) {
        Map<String, String> all = new LinkedHashMap<>(MARK);
        all.put(COMMENT, OURS);
        JsonObject fields = DatasetFields.created(all);
        fields.addProperty("type", "FILESYSTEM");
        if (datasets.createWithParents(name, fields, work) instanceof ApiResult.Refused refused
                && !refused.isThereAlready()) {
            throw refused.failure();
        }
    }

    private void mark(DatasetName name, Work work) {
        if (datasets.update(name, DatasetFields.updated(MARK), work) instanceof ApiResult.Refused refused) {
            throw refused.isAbsent()
                    ? datasets.unavailable("another call removed what this one made: " + refused.text())
                    : refused.failure();
        }
    }

    /**
     * Says whether Fairlead made a dataset that a box has left without its mark. From 25.10 on a box shows a comment
     * that is inherited as the dataset's own, so its parent is asked.
     */
    private boolean lacksMark(DatasetEntry entry, Work work) {
        return entry.own(OwnProperties.STATE).isEmpty()
                && hasComment(entry)
                && entry.name()
                        .parent()
                        .flatMap(parent -> datasets.find(parent, work))
                        .filter(CopyHolders::hasComment)
                        .isEmpty();
    }

    private static boolean hasComment(DatasetEntry entry) {
        return entry.own(COMMENT).filter(OURS::equals).isPresent();
    }

    private boolean isOurs(DatasetEntry entry, Work work) {
        return lacksMark(entry, work)
                || entry.own(OwnProperties.STATE)
                        .filter(OwnProperties.HOLDER::equals)
                        .isPresent();
    }

    /** Deletes a holder that Fairlead made, unless something is in it. */
    void release(Optional<DatasetEntry> holder, Work work) {
        holder.filter(entry -> isOurs(entry, work))
                .flatMap(entry -> datasets.findWithDependents(entry.name(), work))
                .filter(entry -> entry.children().isEmpty() && entry.snapshots().isEmpty())
                .flatMap(entry -> notes.note(entry.name(), work))
                .ifPresent(noted -> delete(noted, work));
    }

    private void delete(CallNotes.CallNote holder, Work work) {
        DatasetName name = holder.entry().name();
        if (notes.send(holder, left -> datasets.delete(name, left, work)) instanceof ApiResult.Refused refused
                && !refused.isAbsent()
                && !refused.says("does not exist")) {
            notes.withdraw(holder, work);
            if (!refused.says("children")) {
                throw refused.failure();
            }
        }
    }
}
