package dev.fairlead.bootstrap.serving;

import dev.fairlead.application.port.out.cluster.Whereabouts;
import jakarta.inject.Provider;
import java.time.Duration;
import java.util.Optional;

/**
 * Makes the actual one at the first call.
 *
 * @param followsClaims whether it is asked which nodes claims name
 */
record LaterWhereabouts(Provider<Whereabouts> later, boolean followsClaims) implements Whereabouts {
    @Override
    public Place ofVolume(String handle, Duration patience) {
        return later.get().ofVolume(handle, patience);
    }

    @Override
    public Place ofSnapshot(String handle, Duration patience) {
        return later.get().ofSnapshot(handle, patience);
    }

    @Override
    public Optional<Place> ofClaim(Claim claim, Duration patience) {
        return followsClaims ? later.get().ofClaim(claim, patience) : Optional.empty();
    }

    @Override
    public Optional<String> boundAtOnce(Claim claim, Duration patience) {
        return later.get().boundAtOnce(claim, patience);
    }

    @Override
    public boolean turn(Claim claim, String node, Duration patience) {
        return later.get().turn(claim, node, patience);
    }
}
