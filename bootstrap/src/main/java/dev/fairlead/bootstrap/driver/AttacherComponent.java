package dev.fairlead.bootstrap.driver;

import dagger.Component;
import dagger.Module;
import dagger.Provides;
import dev.fairlead.adapter.local.node.NodeModule;
import dev.fairlead.adapter.local.node.NodeSettings;
import dev.fairlead.application.port.out.node.Attacher;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tells what the nodes of this version attach, by the attachers that are built in; makes none of them. */
@Component(modules = {NodeModule.class, AttacherComponent.Settings.class})
@Singleton
interface AttacherComponent {
    Map<Class<?>, Provider<Attacher<?>>> attachers();

    /** Returns the types of attachments that a node of this version can attach. */
    static Set<Class<?>> attachable() {
        return DaggerAttacherComponent.create().attachers().keySet();
    }

    /** Provides the settings of a node that may mount from no folder. */
    @Module
    interface Settings {
        @Provides
        static NodeSettings settings() {
            return NodeSettings.of(List::of, _ -> {
                throw new IllegalStateException("no attacher is made here");
            });
        }
    }
}
