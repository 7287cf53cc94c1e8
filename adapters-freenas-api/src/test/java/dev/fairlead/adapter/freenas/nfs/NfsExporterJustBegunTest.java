package dev.fairlead.adapter.freenas.nfs;

import dev.fairlead.adapter.freenas.store.dataset.PendingChanges;
import dev.fairlead.simulator.profile.Profile;
import java.time.InstantSource;

/** A process that began just now knows not which changes of another one are still under way. */
class NfsExporterJustBegunTest extends NfsSubject {
    NfsExporterJustBegunTest() {
        super(Profile.V25_10);
    }

    @Override
    PendingChanges pending() {
        return new PendingChanges(InstantSource.system());
    }
}
