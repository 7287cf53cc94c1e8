package dev.fairlead.adapter.local.node;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.ClassKey;
import dagger.multibindings.IntoMap;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.domain.attachment.Attachment;
import jakarta.inject.Singleton;

/**
 * Provides the node's mounts and its attachers, by what they attach; needs {@link NodeSettings}. A graph that asks only
 * for the keys makes no attacher.
 */
@Module
public interface NodeModule {
    @Provides
    @Singleton
    static Parts parts(NodeSettings settings) {
        LinuxMounter mounter =
                new LinuxMounter(new KernelThreads(settings), new MountView(true), Binding.ofThisKernel());
        return new Parts(mounter, new HostPathAttacher(mounter, settings.hostPathRoots()));
    }

    @Provides
    static Mounter mounter(Parts parts) {
        return parts.mounter;
    }

    @Provides
    @IntoMap
    @ClassKey(Attachment.HostPath.class)
    static Attacher<?> hostPath(Parts parts) {
        return parts.hostPath;
    }

    /** Keeps together what shares threads: the attachers mount with the mounter's. */
    final class Parts {
        private final LinuxMounter mounter;
        private final HostPathAttacher hostPath;

        private Parts(LinuxMounter mounter, HostPathAttacher hostPath) {
            this.mounter = mounter;
            this.hostPath = hostPath;
        }
    }
}
