package dev.fairlead.adapter.node.share;

import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.NativeId;
import java.util.List;
import java.util.Optional;

/** Attaches shares of servers. There is nothing to attach before the mount and nothing left after it. */
public record ShareAttacher<A extends Attachment>(Mounts mounts, FileProtocol<A> protocol) implements Attacher<A> {
    @Override
    public Class<A> handles() {
        return protocol.handles();
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
    public boolean takesSecrets() {
        return protocol.takesSecrets();
    }

    @Override
    public boolean takesGroup() {
        return protocol.takesGroup();
    }

    @Override
    public void check(Attach<A> request) {
        protocol.check(request);
    }

    @Override
    public Attached attach(Attach<A> request, Work work) {
        return new Attached.Share(protocol.filesystem(request));
    }

    @Override
    public boolean shows(A attachment, MountEntry mount, Work work) {
        return protocol.location(attachment).isShownBy(mount);
    }

    @Override
    public Optional<A> recognise(MountEntry mount, Work work) {
        return protocol.recognise(mount);
    }

    @Override
    public boolean mayShow(NativeId id, MountEntry mount) {
        return protocol.isOf(mount);
    }

    @Override
    public List<String> mountPoints(A attachment, Work work) {
        ShareLocation location = protocol.location(attachment);
        return mounts.table(work).stream()
                .filter(location::holds)
                .map(MountEntry::mountPoint)
                .toList();
    }
}
