package dev.fairlead.adapter.local.host;

import dagger.Module;
import dagger.Provides;
import dev.fairlead.application.port.out.host.CommandRunner;
import jakarta.inject.Singleton;
import java.util.concurrent.ThreadFactory;

/** Provides what runs the programs of a node on this machine. */
@Module
public interface ThisMachineModule {
    @Provides
    @Singleton
    static CommandRunner programs(ThreadFactory threads) {
        return new LocalCommandRunner("(this node)", threads);
    }
}
