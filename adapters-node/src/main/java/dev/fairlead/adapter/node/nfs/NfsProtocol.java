package dev.fairlead.adapter.node.nfs;

import dev.fairlead.adapter.node.share.FileProtocol;
import dev.fairlead.adapter.node.share.ShareLocation;
import dev.fairlead.adapter.node.share.ShareValues;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.attachment.Attachment;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Knows shares of NFS servers; version, {@code nconnect}, {@code sec=krb5} and the like are mount options of the
 * volume's class.
 */
final class NfsProtocol implements FileProtocol<Attachment.Nfs> {
    private static final List<String> TYPES = List.of("nfs", "nfs4");

    @Override
    public Class<Attachment.Nfs> handles() {
        return Attachment.Nfs.class;
    }

    @Override
    public Filesystem filesystem(Attach<Attachment.Nfs> request) {
        String type = ShareValues.fsType(request, TYPES, "an NFS share");
        return Filesystem.of(type, source(request.attachment()), ShareValues.options(request));
    }

    private static String source(Attachment.Nfs attachment) {
        return ShareValues.server("server", attachment.server()) + ":" + ShareValues.path("share", attachment.share());
    }

    @Override
    public ShareLocation location(Attachment.Nfs attachment) {
        return Location.of(source(attachment));
    }

    @Override
    public boolean isOf(MountEntry mount) {
        return mount.isNfs();
    }

    @Override
    public Optional<Attachment.Nfs> recognise(MountEntry mount) {
        int colon = mount.source().indexOf(":/");
        return mount.isNfs() && colon > 0
                ? Optional.of(new Attachment.Nfs(
                        mount.source().substring(0, colon), mount.source().substring(colon + 1)))
                : Optional.empty();
    }

    /** Names a directory as both kernels and peers write it: the server in small letters, no slash at the end. */
    private record Location(String source) implements ShareLocation {
        static Location of(String source) {
            int colon = source.indexOf(":/");
            String server = source.substring(0, Math.max(colon, 0)).toLowerCase(Locale.ROOT);
            String path = source.substring(colon + 1).replaceAll("/+$", "");
            return new Location(server + ":" + (path.isEmpty() ? "/" : path));
        }

        @Override
        public boolean isShownBy(MountEntry mount) {
            return mount.isNfs() && of(mount.source()).equals(this);
        }

        @Override
        public boolean holds(MountEntry mount) {
            return isShownBy(mount)
                    || (mount.isNfs() && of(mount.source()).source.startsWith(source + "/"));
        }
    }
}
