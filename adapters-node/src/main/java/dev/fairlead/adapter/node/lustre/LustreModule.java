package dev.fairlead.adapter.node.lustre;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.ClassKey;
import dagger.multibindings.IntoMap;
import dev.fairlead.adapter.node.share.ShareAttacher;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.domain.attachment.Attachment;

/** Provides the attacher of Lustre file systems. */
@Module
public interface LustreModule {
    @Provides
    @IntoMap
    @ClassKey(Attachment.Lustre.class)
    static Attacher<?> lustre(Mounts mounts) {
        return new ShareAttacher<>(mounts, new LustreProtocol());
    }
}
