package dev.fairlead.adapter.node.zfs;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.ClassKey;
import dagger.multibindings.IntoMap;
import dev.fairlead.adapter.node.block.BlockTree;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.domain.attachment.Attachment;
import java.nio.file.Path;

/** Provides the attacher of the node's own pools. */
@Module
public interface ZfsLocalModule {
    @Provides
    @IntoMap
    @ClassKey(Attachment.ZfsLocal.class)
    static Attacher<?> zfsLocal(Mounts mounts, CommandRunner programs, KernelThreads threads) {
        return new ZfsLocalAttacher(
                mounts, programs, ZfsPools.ofThisKernel(threads), new BlockTree(Path.of("/sys")), Path.of("/dev/zvol"));
    }
}
