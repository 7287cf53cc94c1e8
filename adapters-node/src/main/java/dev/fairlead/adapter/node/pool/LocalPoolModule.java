package dev.fairlead.adapter.node.pool;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.ClassKey;
import dagger.multibindings.IntoMap;
import dev.fairlead.adapter.node.block.BlockTree;
import dev.fairlead.adapter.node.hostpath.HostPathAttacher;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.settings.NodeSettings;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.linux.LoopDevices;
import java.nio.file.Path;

/** Provides the attacher of the node's own pools. */
@Module
public interface LocalPoolModule {
    @Provides
    @IntoMap
    @ClassKey(Attachment.LocalPool.class)
    static Attacher<?> localPool(Mounts mounts, KernelThreads threads, NodeSettings settings) {
        return new LocalPoolAttacher(
                mounts,
                threads,
                new HostPathAttacher(mounts, threads, settings.hostPathRoots(), settings.bases()),
                LoopDevices.ofThisMachine(LocalPoolAttacher.IMAGE),
                new BlockTree(Path.of("/sys")));
    }
}
