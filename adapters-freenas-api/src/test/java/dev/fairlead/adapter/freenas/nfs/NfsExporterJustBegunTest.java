package dev.fairlead.adapter.freenas.nfs;

import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.simulator.profile.Profile;
import java.time.InstantSource;

/** A process that began just now knows not which changes of another one are still under way. */
class NfsExporterJustBegunTest extends NfsSubject {
    NfsExporterJustBegunTest() {
        super(Profile.V25_10);
    }

    @Override
    LateCalls pending() {
        return new LateCalls(InstantSource.system());
    }
}
