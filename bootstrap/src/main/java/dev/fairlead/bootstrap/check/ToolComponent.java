package dev.fairlead.bootstrap.check;

import dagger.BindsInstance;
import dagger.Component;
import dagger.Module;
import dagger.Provides;
import dev.fairlead.adapter.local.host.ThisMachineModule;
import dev.fairlead.adapter.local.host.ToolSettings;
import dev.fairlead.application.port.out.host.Tools;
import jakarta.inject.Singleton;
import java.util.concurrent.ThreadFactory;

/** Builds what tells the programs of this node, and nothing that serves. */
@Component(modules = {ThisMachineModule.class, ToolComponent.Parts.class})
@Singleton
public interface ToolComponent {
    Tools tools();

    /** Builds the graph. */
    @Component.Factory
    interface Factory {
        ToolComponent create(@BindsInstance ToolSettings settings);
    }

    /** Provides the threads that read what programs say. */
    @Module
    interface Parts {
        @Provides
        static ThreadFactory threads() {
            return Thread.ofPlatform().daemon().factory();
        }
    }
}
