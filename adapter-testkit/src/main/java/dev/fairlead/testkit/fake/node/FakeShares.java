package dev.fairlead.testkit.fake.node;

import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment.Nfs;
import dev.fairlead.domain.mount.MountOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Answers shares of a server as they are written, without a look at them. */
public final class FakeShares implements Attacher<Nfs> {
    private boolean secrets;

    /** Lets attaching take stage secrets from now on. */
    public void takeSecrets() {
        secrets = true;
    }

    @Override
    public boolean takesSecrets() {
        return secrets;
    }

    @Override
    public Class<Nfs> handles() {
        return Nfs.class;
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
    public void check(Attach<Nfs> request) {}

    @Override
    public Attached attach(Attach<Nfs> request, Work work) {
        List<String> options = new ArrayList<>(request.capability().mountFlags());
        Optional.ofNullable(request.secrets().get("mount_flags"))
                .ifPresent(flags -> options.addAll(MountOptions.split(flags.reveal())));
        return new Attached.Share(Filesystem.of("nfs", source(request.attachment()), options));
    }

    private static String source(Nfs attachment) {
        return attachment.server() + ":" + attachment.share();
    }

    @Override
    public Optional<Nfs> recognise(MountEntry mount, Work work) {
        int end = mount.source().indexOf(":/");
        return mount.isNfs() && end > 0
                ? Optional.of(
                        new Nfs(mount.source().substring(0, end), mount.source().substring(end + 1)))
                : Optional.empty();
    }

    @Override
    public boolean shows(Nfs attachment, MountEntry mount, Work work) {
        return mount.isNfs() && mount.source().equals(source(attachment));
    }
}
