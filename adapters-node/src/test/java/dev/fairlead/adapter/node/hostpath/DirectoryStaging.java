package dev.fairlead.adapter.node.hostpath;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.base.VolumeBases;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Stages directories as the use cases do, without their locks. */
final class DirectoryStaging {
    private final Mounter mounter;
    private final HostPathAttacher attacher;

    DirectoryStaging(Mounter mounter, KernelThreads threads, Supplier<List<Path>> roots) {
        this.mounter = mounter;
        this.attacher = new HostPathAttacher(mounter, threads, roots, VolumeBases.NONE);
    }

    HostPathAttacher attacher() {
        return attacher;
    }

    void stage(Stage stage, Work work) {
        var request = new Attach<>(
                stage.handle(),
                stage.attachment(),
                new VolumeCapability(
                        new VolumeCapability.Mount("", stage.flags()), AccessMode.SINGLE_NODE_MULTI_WRITER),
                Map.of(),
                Map.of(),
                Map.of());
        attacher.check(request);
        if (attacher.attach(request, work) instanceof Attached.Directory directory) {
            isStaged(stage, work);
            mounter.bind(directory, stage.staging(), stage.flags(), work);
        }
    }

    boolean isStaged(Stage stage, Work work) {
        var mount = mounter.at(stage.staging(), work);
        if (mount.isPresent() && !attacher.shows(stage.attachment(), mount.get(), work)) {
            throw new StorageException(new Failure.MountConflict(
                    stage.staging().toString(), "it shows " + mount.get().root()));
        }
        return mount.isPresent();
    }

    record Stage(String handle, Attachment.HostPath attachment, Path staging, List<String> flags) {}
}
