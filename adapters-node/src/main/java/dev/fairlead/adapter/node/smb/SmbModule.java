package dev.fairlead.adapter.node.smb;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.ClassKey;
import dagger.multibindings.IntoMap;
import dev.fairlead.adapter.node.share.ShareAttacher;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.domain.attachment.Attachment;

/** Provides the attacher of SMB shares. */
@Module
public interface SmbModule {
    @Provides
    @IntoMap
    @ClassKey(Attachment.Smb.class)
    static Attacher<?> smb(Mounts mounts) {
        return new ShareAttacher<>(mounts, new SmbProtocol());
    }
}
