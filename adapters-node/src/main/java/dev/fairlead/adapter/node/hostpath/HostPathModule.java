package dev.fairlead.adapter.node.hostpath;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.ClassKey;
import dagger.multibindings.IntoMap;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.settings.NodeSettings;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.domain.attachment.Attachment;

/** Provides the attacher of directories of this node. */
@Module
public interface HostPathModule {
    @Provides
    @IntoMap
    @ClassKey(Attachment.HostPath.class)
    static Attacher<?> hostPath(Mounts mounts, KernelThreads threads, NodeSettings settings) {
        return new HostPathAttacher(mounts, threads, settings.hostPathRoots(), settings.bases());
    }
}
