package dev.fairlead.application.service;

import dev.fairlead.application.port.work.WorkFactory;
import java.time.InstantSource;

/** Builds the use cases; the only way to them from outside. */
public final class UseCases {
    private UseCases() {}

    /** @param clock one that never goes back, or deadlines come early */
    public static WorkFactory works(InstantSource clock, Telemetry telemetry) {
        return (requestId, what, patience, cancelled) ->
                RunningWork.begin(requestId, what, patience, cancelled, clock, telemetry);
    }
}
