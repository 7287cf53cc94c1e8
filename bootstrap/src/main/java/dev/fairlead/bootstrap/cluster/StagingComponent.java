package dev.fairlead.bootstrap.cluster;

import dagger.BindsInstance;
import dagger.Component;
import dev.fairlead.adapter.node.StagingModule;
import dev.fairlead.adapter.node.settings.StagingSettings;
import dev.fairlead.application.port.out.node.StagedVolumes;

/** Provides what a verb asks of the node, and nothing that mounts. */
@Component(modules = StagingModule.class)
public interface StagingComponent {
    StagedVolumes staged();

    /** Builds the graph. */
    @Component.Factory
    interface Factory {
        StagingComponent create(@BindsInstance StagingSettings settings);
    }
}
