package dev.fairlead.adapter.node.nfs;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.ClassKey;
import dagger.multibindings.IntoMap;
import dev.fairlead.adapter.node.share.ShareAttacher;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.domain.attachment.Attachment;

/** Provides the attacher of NFS shares. */
@Module
public interface NfsModule {
    @Provides
    @IntoMap
    @ClassKey(Attachment.Nfs.class)
    static Attacher<?> nfs(Mounts mounts) {
        return new ShareAttacher<>(mounts, new NfsProtocol());
    }
}
