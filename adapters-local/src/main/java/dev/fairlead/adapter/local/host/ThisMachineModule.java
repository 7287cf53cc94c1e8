package dev.fairlead.adapter.local.host;

import dagger.Module;
import dagger.Provides;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.Tools;
import jakarta.inject.Singleton;
import java.util.concurrent.ThreadFactory;

/** Provides what runs the programs of a node on this machine, and tells them; needs {@link ToolSettings}. */
@Module
public interface ThisMachineModule {
    @Provides
    @Singleton
    static CommandRunner programs(ThreadFactory threads, ToolSettings settings) {
        return new LocalCommandRunner("(this node)", threads, HostTools.ofThisMachine(settings));
    }

    @Provides
    static Tools tools(ToolSettings settings, CommandRunner programs) {
        return new ToolVersions(settings, programs);
    }
}
