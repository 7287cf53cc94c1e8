package dev.fairlead.adapter.node.share;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.contract.node.AttacherContract;
import dev.fairlead.testkit.fake.node.AttachCalls;
import dev.fairlead.testkit.fake.node.FakeMounts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The contract of attachers, for the shares of one protocol; the mounts themselves are in memory. */
public interface ShareAttacherContract<A extends Attachment> extends AttacherContract<A> {
    /** Returns the mounts of the node, the same ones in all of a test. */
    FakeMounts mounts();

    @Override
    default Mounter mounter() {
        return mounts();
    }

    @Override
    default Path folder() {
        return Path.of("/staging");
    }

    /**
     * Returns what is to be mounted of a share.
     *
     * @param secret the mount flags of the stage secret; empty for none
     */
    default Filesystem attached(A share, String fsType, List<String> flags, String secret) {
        return AttachCalls.share(
                attacher(),
                share,
                new VolumeCapability.Mount(fsType, flags),
                secret.isEmpty() ? Map.of() : Map.of("mount_flags", new Secret(secret)));
    }
}
