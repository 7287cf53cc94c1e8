package dev.fairlead.adapter.node.nfs;

import dev.fairlead.adapter.node.share.ShareValues;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Attaches shares of NFS servers. There is nothing to attach before the mount and nothing left after it; version,
 * {@code nconnect}, {@code sec=krb5} and the like are mount options of the volume's class.
 */
final class NfsAttacher implements Attacher<Attachment.Nfs> {
    private static final Set<String> TYPES = Set.of("", "nfs", "nfs4");
    private static final String FLAGS = "mount_flags";

    private final Mounts mounts;

    NfsAttacher(Mounts mounts) {
        this.mounts = mounts;
    }

    @Override
    public Class<Attachment.Nfs> handles() {
        return Attachment.Nfs.class;
    }

    @Override
    public boolean offersBlock() {
        return false;
    }

    @Override
    public boolean outlivesMount() {
        return false;
    }

    @Override
    public void check(Attach<Attachment.Nfs> request) {
        filesystem(request);
    }

    @Override
    public Attached attach(Attach<Attachment.Nfs> request, Work work) {
        return new Attached.Share(filesystem(request));
    }

    private static Filesystem filesystem(Attach<Attachment.Nfs> request) {
        String type = request.fsType();
        if (!TYPES.contains(type)) {
            throw new StorageException(new Failure.InvalidRequest(
                    "volume_capability.mount.fs_type",
                    "'" + type + "' is not what an NFS share has (expected: none, nfs or nfs4)"));
        }
        Set<String> options = new LinkedHashSet<>(ShareValues.options("mount_flags", request.mountFlags()));
        Optional.ofNullable(request.secrets().get(FLAGS))
                .map(Secret::reveal)
                .ifPresent(flags -> options.addAll(ShareValues.options("secrets." + FLAGS, List.of(flags))));
        return Filesystem.of(type.isEmpty() ? "nfs" : type, source(request.attachment()), List.copyOf(options));
    }

    private static String source(Attachment.Nfs attachment) {
        return ShareValues.server("server", attachment.server()) + ":" + ShareValues.path("share", attachment.share());
    }

    @Override
    public boolean shows(Attachment.Nfs attachment, MountEntry mount, Work work) {
        return mount.isNfs() && plain(mount.source()).equals(plain(source(attachment)));
    }

    /** Returns a source as both kernels and peers write it: the server in small letters, no slash at the end. */
    private static String plain(String source) {
        int colon = source.indexOf(":/");
        String path = source.substring(colon + 1).replaceAll("/+$", "");
        return source.substring(0, Math.max(colon, 0)).toLowerCase(Locale.ROOT) + ":" + (path.isEmpty() ? "/" : path);
    }

    @Override
    public Optional<Attachment.Nfs> recognise(MountEntry mount, Work work) {
        int colon = mount.source().indexOf(":/");
        return mount.isNfs() && colon > 0
                ? Optional.of(new Attachment.Nfs(
                        mount.source().substring(0, colon), mount.source().substring(colon + 1)))
                : Optional.empty();
    }

    @Override
    public boolean mayShow(NativeId id, MountEntry mount) {
        return mount.isNfs();
    }

    @Override
    public List<String> mountPoints(Attachment.Nfs attachment, Work work) {
        String source = plain(source(attachment));
        return mounts.table(work).stream()
                .filter(mount -> mount.isNfs()
                        && (plain(mount.source()).equals(source)
                                || plain(mount.source()).startsWith(source + "/")))
                .map(MountEntry::mountPoint)
                .toList();
    }
}
