package dev.fairlead.application.service.node;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.VolumeCapability;
import java.util.List;
import java.util.Map;

/** Holds one volume's attachment together with the attacher of its protocol. */
record VolumeAttacher<A extends Attachment>(Attacher<A> attacher, A attachment) {
    /** Casts an attachment to what the attacher handles. */
    static <A extends Attachment> VolumeAttacher<A> of(Attacher<A> attacher, Attachment attachment) {
        return new VolumeAttacher<>(attacher, attacher.handles().cast(attachment));
    }

    void check(Wish wish) {
        refuseBlock(wish.capability());
        attacher.check(request(wish));
    }

    void refuseBlock(VolumeCapability capability) {
        if (capability.access() instanceof VolumeCapability.Block && !attacher.offersBlock()) {
            throw new StorageException(new Failure.Unsupported(
                    "raw block access is not possible for a volume attached as "
                            + AttachmentCodec.encode(attachment).get(AttachmentCodec.NODE_ATTACH_DRIVER)
                            + ", which is a directory and not a device",
                    "use a claim with volumeMode Filesystem"));
        }
    }

    Attached attach(Wish wish, Work work) {
        return attacher.attach(request(wish), work);
    }

    void detach(Map<String, String> facts, Work work) {
        attacher.detach(attachment, facts, work);
    }

    void rescan(Work work) {
        attacher.rescan(attachment, work);
    }

    boolean shows(MountEntry mount, Work work) {
        return attacher.shows(attachment, mount, work);
    }

    boolean outlivesMount() {
        return attacher.outlivesMount();
    }

    boolean takesSecrets() {
        return attacher.takesSecrets();
    }

    private Attach<A> request(Wish wish) {
        return new Attach<>(
                wish.handle(), attachment, wish.capability(), wish.context(), wish.publishContext(), wish.secrets());
    }

    /** Says what a call wants of a volume. */
    record Wish(
            String handle,
            VolumeCapability capability,
            Map<String, String> context,
            Map<String, String> publishContext,
            Map<String, Secret> secrets) {
        List<String> mountFlags() {
            return capability.access() instanceof VolumeCapability.Mount mount ? mount.flags() : List.of();
        }

        String fsType() {
            return capability.access() instanceof VolumeCapability.Mount mount ? mount.fsType() : "";
        }
    }
}
