package dev.fairlead.adapter.local.node;

import dagger.Module;
import dagger.Provides;
import dev.fairlead.application.port.out.node.StagedVolumes;

/** What this node holds, for those who only look; needs {@link StagingSettings}. */
@Module
public interface StagingModule {
    @Provides
    static StagedVolumes staged(StagingSettings settings) {
        return new KubeletStaging(settings.kubelet());
    }
}
