package dev.fairlead.bootstrap.driver;

import dagger.Module;
import dagger.Provides;
import dev.fairlead.adapter.local.directory.settings.LocalNodeSettings;
import dev.fairlead.adapter.local.directory.settings.SeenBasesSettings;
import dev.fairlead.adapter.local.host.ToolSettings;
import dev.fairlead.application.port.work.WorkFactory;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.application.service.call.Telemetry;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/** Provides what the factories need; none of them begins work here. */
@Module
interface FactoryModule {
    @Provides
    static InstantSource clock() {
        return InstantSource.system();
    }

    @Provides
    static ToolSettings tools() {
        return ToolSettings.USUAL;
    }

    @Provides
    static ThreadFactory threads() {
        return Thread.ofPlatform().daemon().factory();
    }

    @Provides
    static SeenBasesSettings seenBases() {
        return SeenBasesSettings.NONE;
    }

    @Provides
    static LocalNodeSettings node() {
        return new LocalNodeSettings(Optional.of("this-node")); // stands for any node, as in check
    }

    @Provides
    static WorkFactory works(InstantSource clock) {
        return UseCases.works(clock, Telemetry.NONE, () -> false);
    }
}
