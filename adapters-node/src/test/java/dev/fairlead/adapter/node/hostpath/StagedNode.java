package dev.fairlead.adapter.node.hostpath;

import dev.fairlead.adapter.node.hostpath.DirectoryStaging.Stage;
import dev.fairlead.adapter.node.mount.LinuxMounter;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import java.nio.file.Path;
import java.util.List;

/** The four node calls on one volume, as the use cases make them of the ports. */
record StagedNode(LinuxMounter mounter, Path base) {
    private static final List<String> FLAGS = List.of("noatime");
    private static final List<String> READ_ONLY = List.of("noatime", "ro");

    boolean stage(Work work) {
        var attacher = new DirectoryStaging(mounter, MountSandbox.threads(), () -> List.of(base.resolve("base")));
        var stage = new Stage(
                "v:here/one", new Attachment.HostPath(base.resolve("base/v/one").toString()), staging(), FLAGS);
        mounter.makeDirectory(staging(), work);
        if (!attacher.isStaged(stage, work)) {
            attacher.stage(stage, work);
        }
        return attacher.isStaged(stage, work);
    }

    boolean publish(Work work) {
        if (mounter.at(target(), work).isEmpty()) {
            mounter.makeDirectory(target(), work);
        }
        mounter.bind(staging(), target(), READ_ONLY, work);
        return mounter.at(target(), work).orElseThrow().readOnly();
    }

    boolean unpublish(Work work) {
        mounter.unmount(target(), work);
        mounter.removeDirectory(target(), work);
        return true;
    }

    boolean unstage(Work work) {
        mounter.unmount(staging(), work);
        mounter.removeDirectory(staging(), work);
        return true;
    }

    private Path staging() {
        return base.resolve("kubelet/staging/globalmount");
    }

    private Path target() {
        return base.resolve("kubelet/pods/one/mount");
    }
}
