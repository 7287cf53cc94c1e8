package dev.fairlead.adapter.node.lustre;

import dev.fairlead.adapter.node.share.FileProtocol;
import dev.fairlead.adapter.node.share.LustreLocation;
import dev.fairlead.adapter.node.share.ShareLocation;
import dev.fairlead.adapter.node.share.ShareValues;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.attachment.Attachment;
import java.util.List;
import java.util.Optional;

/**
 * Knows directories of Lustre file systems; the client of Lustre, its kernel modules and {@code mount.lustre}, has to
 * be on the node.
 */
final class LustreProtocol implements FileProtocol<Attachment.Lustre> {
    private static final List<String> TYPES = List.of("lustre");

    @Override
    public Class<Attachment.Lustre> handles() {
        return Attachment.Lustre.class;
    }

    @Override
    public Filesystem filesystem(Attach<Attachment.Lustre> request) {
        String type = ShareValues.fsType(request, TYPES, "a Lustre file system");
        String source = LustreLocation.of(request.attachment()).source();
        return Filesystem.of(type, source, ShareValues.options(request));
    }

    @Override
    public ShareLocation location(Attachment.Lustre attachment) {
        return LustreLocation.of(attachment);
    }

    @Override
    public boolean isOf(MountEntry mount) {
        return LustreLocation.isLustre(mount);
    }

    @Override
    public Optional<Attachment.Lustre> recognise(MountEntry mount) {
        return LustreLocation.of(mount).map(LustreLocation::attachment);
    }
}
