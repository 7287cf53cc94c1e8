package dev.fairlead.testkit.fake.node;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.Map;

/** Calls attachers as the use cases do: what is attached was checked before. */
public final class AttachCalls {
    private AttachCalls() {}

    public static <A extends Attachment> Attached attach(
            Attacher<A> attacher, A volume, VolumeCapability capability, Map<String, Secret> secrets) {
        return attach(attacher, "v:nas/pvc-1", volume, capability, secrets, TestWork.patient());
    }

    private static <A extends Attachment> Attached attach(
            Attacher<A> attacher,
            String handle,
            A volume,
            VolumeCapability capability,
            Map<String, Secret> secrets,
            Work work) {
        Attach<A> request = new Attach<>(handle, volume, capability, Map.of(), Map.of(), secrets);
        attacher.check(request);
        return attacher.attach(request, work);
    }

    /** Returns what is told of a volume of this handle that is attached as a raw device. */
    public static <A extends Attachment> Attached.Device raw(
            Attacher<A> attacher, String handle, A volume, Map<String, Secret> secrets, Work work) {
        return (Attached.Device) attach(attacher, handle, volume, TestVolumes.BLOCK, secrets, work);
    }

    /** Returns the device node of a volume that is attached as a raw device. */
    public static <A extends Attachment> Path device(Attacher<A> attacher, A volume, Map<String, Secret> secrets) {
        return ((Attached.Device) attach(attacher, volume, TestVolumes.BLOCK, secrets)).path();
    }

    /** Returns what is to be mounted of a share, which many nodes may write. */
    public static <A extends Attachment> Filesystem share(
            Attacher<A> attacher, A share, VolumeCapability.Mount mount, Map<String, Secret> secrets) {
        VolumeCapability capability = new VolumeCapability(mount, AccessMode.MULTI_NODE_MULTI_WRITER);
        return ((Attached.Share) attach(attacher, share, capability, secrets)).filesystem();
    }
}
