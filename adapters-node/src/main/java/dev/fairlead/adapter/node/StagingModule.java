package dev.fairlead.adapter.node;

import dagger.Module;
import dagger.Provides;
import dev.fairlead.adapter.node.mount.KubeletStaging;
import dev.fairlead.adapter.node.settings.StagingSettings;
import dev.fairlead.application.port.out.node.StagedVolumes;

/**
 * Provides the list of volumes staged on this node, without the means to change them; needs {@link StagingSettings}.
 */
@Module
public interface StagingModule {
    @Provides
    static StagedVolumes staged(StagingSettings settings) {
        return new KubeletStaging(settings.kubelet());
    }
}
