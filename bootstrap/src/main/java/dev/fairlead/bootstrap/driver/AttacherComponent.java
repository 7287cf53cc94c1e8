package dev.fairlead.bootstrap.driver;

import dagger.Component;
import dagger.Module;
import dagger.Provides;
import dev.fairlead.adapter.node.NodeModule;
import dev.fairlead.adapter.node.settings.NodeSettings;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.work.Work;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.nio.file.Path;
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
            return NodeSettings.of(List::of, Path.of("/nonexistent"), _ -> {
                throw new IllegalStateException("no attacher is made here");
            });
        }

        @Provides
        static CommandRunner programs() {
            return new NoPrograms();
        }
    }

    /** Stands for the programs of a node, none of which is run here. */
    final class NoPrograms implements CommandRunner {
        @Override
        public Ended run(Command command, Work work) {
            throw new IllegalStateException("no program is run here");
        }

        @Override
        public void close() {}
    }
}
