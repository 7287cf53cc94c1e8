package dev.fairlead.testkit.fake.node;

import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment.HostPath;
import dev.fairlead.domain.volume.NativeId;
import java.nio.file.Path;
import java.util.List;

/** The simplest attacher that there is: answers a directory, and knows it by the directory that a mount shows. */
public final class BindingAttacher implements Attacher<HostPath> {
    private final Mounts mounts;

    public BindingAttacher(Mounts mounts) {
        this.mounts = mounts;
    }

    @Override
    public Class<HostPath> handles() {
        return HostPath.class;
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
    public void check(Attach<HostPath> request) {}

    @Override
    public Attached attach(Attach<HostPath> request, Work work) {
        return directory(request.attachment());
    }

    private static Attached.Directory directory(HostPath attachment) {
        return Attached.Directory.of(Path.of(attachment.path()));
    }

    @Override
    public boolean shows(HostPath attachment, MountEntry mount, Work work) {
        return mounts.shows(Path.of(attachment.path()), () -> directory(attachment), mount, work);
    }

    @Override
    public List<String> mountPoints(HostPath attachment, Work work) {
        return mounts.showing(Path.of(attachment.path()), work).stream()
                .map(MountEntry::mountPoint)
                .toList();
    }

    @Override
    public boolean mayShow(NativeId id, MountEntry mount) {
        return mount.root().endsWith("/" + id);
    }
}
