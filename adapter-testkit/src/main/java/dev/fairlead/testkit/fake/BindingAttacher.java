package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment.HostPath;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import java.nio.file.Path;

/** The simplest attacher that there is: binds a directory, and knows it by the directory that the mount shows. */
public final class BindingAttacher implements Attacher<HostPath> {
    private final Mounter mounter;

    public BindingAttacher(Mounter mounter) {
        this.mounter = mounter;
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
    public void stage(Stage<HostPath> stage, Work work) {
        if (!isStaged(stage, work)) {
            mounter.bind(Path.of(stage.attachment().path()), stage.staging(), stage.mountFlags(), work);
        }
    }

    @Override
    public boolean isStaged(Stage<HostPath> stage, Work work) {
        return mounter.at(stage.staging(), work)
                .map(entry -> {
                    if (!entry.root().equals(stage.attachment().path())) {
                        throw new StorageException(
                                new Failure.MountConflict(stage.staging().toString(), "it shows " + entry.root()));
                    }
                    return true;
                })
                .orElse(false);
    }

    @Override
    public boolean mayShow(NativeId id, Mounter.MountEntry mount) {
        return mount.root().endsWith("/" + id);
    }
}
