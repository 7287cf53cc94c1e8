package dev.fairlead.bootstrap.driver;

import dagger.Module;
import dagger.Provides;
import dev.fairlead.application.port.work.WorkFactory;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.application.service.call.Telemetry;
import java.time.InstantSource;
import java.util.concurrent.ThreadFactory;

/** Provides what the factories need; none of them begins work here. */
@Module
interface FactoryModule {
    @Provides
    static InstantSource clock() {
        return InstantSource.system();
    }

    @Provides
    static ThreadFactory threads() {
        return Thread.ofPlatform().daemon().factory();
    }

    @Provides
    static WorkFactory works(InstantSource clock) {
        return UseCases.works(clock, Telemetry.NONE, () -> false);
    }
}
