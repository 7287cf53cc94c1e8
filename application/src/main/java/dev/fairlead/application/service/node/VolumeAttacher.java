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
import dev.fairlead.domain.health.VolumePath;
import dev.fairlead.domain.mount.MountOptions;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Holds one volume's attachment together with the attacher of its protocol. */
record VolumeAttacher<A extends Attachment>(Attacher<A> attacher, A attachment) {
    /** The field of the mount flags, for messages. */
    static final String FLAGS = "volume_capability.mount.mount_flags";

    private static final Set<String> UNPROTECTED = Set.of("suid", "dev");

    /** Casts an attachment to what the attacher handles. */
    static <A extends Attachment> VolumeAttacher<A> of(Attacher<A> attacher, Attachment attachment) {
        return new VolumeAttacher<>(attacher, attacher.handles().cast(attachment));
    }

    void check(Wish wish) {
        refuseBlock(wish.capability());
        refuseManyWriters(wish.capability());
        refuseUnprotected(wish.capability());
        refuseGroup(wish.capability());
        attacher.check(request(wish));
    }

    void refuseBlock(VolumeCapability capability) {
        if (capability.isBlock() && !attacher.offersBlock()) {
            throw new StorageException(new Failure.Unsupported(
                    "raw block access is not possible for a volume attached as "
                            + protocol()
                            + ", which is a directory and not a device",
                    "use a claim with volumeMode Filesystem"));
        }
    }

    /**
     * Refuses a file system that several nodes would write to. A volume that no controller has published, such as one
     * made by hand, is looked at here for the first time.
     */
    private void refuseManyWriters(VolumeCapability capability) {
        if (attacher.reachesManyNodes()
                && !capability.isBlock()
                && capability.mode() == AccessMode.MULTI_NODE_MULTI_WRITER) {
            throw new StorageException(new Failure.InvalidRequest(
                    "volume_capability.access_mode",
                    capability.mode() + " is not possible for a file system on a device attached as " + protocol()
                            + ", which two nodes that write to it destroy (expected: another mode, such as"
                            + " ReadWriteOnce or ReadOnlyMany, or volumeMode Block)"));
        }
    }

    /** Refuses flags by which a mount gives up what protects the node; a bind mount would put them in force. */
    static void refuseUnprotected(VolumeCapability capability) {
        MountOptions.of(FLAGS, capability.mountFlags()).stream()
                .filter(UNPROTECTED::contains)
                .findFirst()
                .ifPresent(flag -> {
                    throw new StorageException(new Failure.InvalidRequest(
                            FLAGS,
                            "'" + flag + "' is not allowed in a volume, since it would let the volume's files act with"
                                    + " more rights than their user has"));
                });
    }

    private void refuseGroup(VolumeCapability capability) {
        if (!capability.group().isEmpty() && !attacher.takesGroup()) {
            throw new StorageException(new Failure.Unsupported(
                    "a mount group is no option of a volume attached as " + protocol(),
                    "take VOLUME_MOUNT_GROUP out of the main file's service.node.capabilities.rpc, so that kubelet"
                            + " changes the group as the CSIDriver's fsGroupPolicy says"));
        }
    }

    private String protocol() {
        return AttachmentCodec.encode(attachment).getOrDefault(AttachmentCodec.NODE_ATTACH_DRIVER, "");
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

    List<VolumePath> paths(Work work) {
        return attacher.paths(attachment, work);
    }

    boolean shows(MountEntry mount, Work work) {
        return attacher.shows(attachment, mount, work);
    }

    boolean shows(Map<String, String> facts, MountEntry mount, Work work) {
        return attacher.shows(attachment, facts, mount, work);
    }

    /** Starts attempts at the ways that a mounted volume lacks, and says how many it has. */
    String restoredWays(Map<String, String> facts, Work work) {
        try {
            attacher.restorePaths(attachment, facts, work);
            List<VolumePath> paths = paths(work);
            long usable = paths.stream().filter(VolumePath::usable).count();
            return paths.isEmpty() ? "" : ", by " + usable + " of " + paths.size() + " ways";
        } catch (StorageException e) {
            return ", by ways that cannot be looked at: " + e.failure().message();
        }
    }

    /** Names the device behind the attachment, see {@link Attacher#identity}. */
    String identity() {
        return attacher.identity(attachment);
    }

    boolean offersBlock() {
        return attacher.offersBlock();
    }

    boolean growsMounted() {
        return attacher.growsMounted();
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
        /** Returns the same wish with further mount flags after those of the volume. */
        Wish with(List<String> flags) {
            return new Wish(handle, capability.with(flags), context, publishContext, secrets);
        }

        boolean isForReading() {
            return capability.mode().isForReading();
        }
    }
}
