package dev.fairlead.bootstrap.serving;

import dev.fairlead.application.port.out.cluster.Whereabouts;
import jakarta.inject.Provider;
import java.time.Duration;

/** Makes the actual one at the first call. */
record LaterWhereabouts(Provider<Whereabouts> later) implements Whereabouts {
    @Override
    public Place ofVolume(String handle, Duration patience) {
        return later.get().ofVolume(handle, patience);
    }

    @Override
    public Place ofSnapshot(String handle, Duration patience) {
        return later.get().ofSnapshot(handle, patience);
    }

    @Override
    public boolean turn(Claim claim, String node, Duration patience) {
        return later.get().turn(claim, node, patience);
    }
}
