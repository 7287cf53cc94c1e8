package dev.fairlead.bootstrap.affinity;

import dev.fairlead.adapter.linstor.LinstorModule;
import dev.fairlead.application.port.out.placement.AffinityChanger;
import dev.fairlead.application.port.out.placement.OtherController;
import dev.fairlead.application.port.out.placement.SavedVolumes;
import dev.fairlead.application.port.out.placement.VolumeCatalog;
import dev.fairlead.application.port.work.MonotonicClock;
import dev.fairlead.application.service.affinity.AffinityPlan.Note;
import dev.fairlead.application.service.affinity.GuardedChanger;
import dev.fairlead.application.service.affinity.SavedVolumeReader;
import dev.fairlead.application.service.affinity.SavedVolumeRun;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/**
 * Puts together what is done about LINSTOR's own affinity controller: nothing while it lives, then what it has left.
 */
final class OtherControllerRun {
    private final AffinityComponent parts;
    private final VolumeCatalog catalog;
    private final OtherController other;
    private final SavedVolumeRun run;

    /**
     * @param threads makes the threads of questions to LINSTOR
     * @param answered is run when LINSTOR has answered what nobody waited for any more
     */
    OtherControllerRun(AffinityComponent parts, SavedVolumes saved, ThreadFactory threads, Runnable answered) {
        this.parts = parts;
        this.catalog = parts.volumes();
        this.other = parts.otherController();
        this.run = new SavedVolumeRun(
                new SavedVolumeReader(saved, new MonotonicClock(), threads, answered),
                parts.savedVolumeTaking(),
                catalog,
                other,
                SavedVolumeRun.USUAL_SETTLE);
    }

    AffinityChanger guarded() {
        return new GuardedChanger(parts.changer(), other, run, catalog, LinstorModule.DRIVER::equals);
    }

    /** Returns what comes before the changes of a plan. */
    List<Note> notes() {
        List<Note> notes = new ArrayList<>();
        try {
            other.shown()
                    .map(Failure.OtherControllerAlive::new)
                    .map(alive -> new Note(alive.code() + " " + alive.message(), false))
                    .ifPresent(notes::add);
        } catch (StorageException e) {
            notes.add(untold(e));
        }
        try {
            notes.addAll(run.plan());
        } catch (StorageException e) {
            notes.add(untold(e));
        }
        return notes;
    }

    private static Note untold(StorageException thrown) {
        return Note.untold(thrown.failure().code() + " " + thrown.failure().message());
    }
}
