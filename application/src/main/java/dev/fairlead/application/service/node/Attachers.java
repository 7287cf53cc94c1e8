package dev.fairlead.application.service.node;

import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Attacher.Stage;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeCapability;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Holds the attachers of this node, one for each protocol. */
public record Attachers(List<Attacher<?>> all) {
    public Attachers {
        all = List.copyOf(all);
    }

    /** Returns the staging that a volume_context asks for; throws {@code Unsupported} if no attacher can do it. */
    Staging staging(
            String handle,
            Path path,
            VolumeCapability capability,
            Map<String, String> context,
            Map<String, String> publishContext) {
        Attachment attachment = AttachmentCodec.decode(context);
        Attacher<?> attacher = all.stream()
                .filter(it -> it.handles().isInstance(attachment))
                .findFirst()
                .orElseThrow(() -> new StorageException(new Failure.Unsupported(
                        "this node has no attacher for " + AttachmentCodec.NODE_ATTACH_DRIVER + " "
                                + context.get(AttachmentCodec.NODE_ATTACH_DRIVER),
                        "run a node plugin that has one")));
        return staging(attacher, attachment, handle, path, capability, publishContext);
    }

    private static <A extends Attachment> Staging staging(
            Attacher<A> attacher,
            Attachment attachment,
            String handle,
            Path path,
            VolumeCapability capability,
            Map<String, String> publishContext) {
        List<String> flags = switch (capability.access()) {
            case VolumeCapability.Mount mount -> mount.flags();
            case VolumeCapability.Block() -> {
                refuseBlock(attacher, attachment);
                yield List.of();
            }
        };
        var stage = new Stage<>(handle, attacher.handles().cast(attachment), path, flags, publishContext);
        return new Staging() {
            @Override
            public boolean isDone(Work work) {
                return attacher.isStaged(stage, work);
            }

            @Override
            public void carryOut(Work work) {
                attacher.stage(stage, work);
            }
        };
    }

    private static void refuseBlock(Attacher<?> attacher, Attachment attachment) {
        if (!attacher.offersBlock()) {
            throw new StorageException(new Failure.Unsupported(
                    "raw block access is not possible for a volume attached as "
                            + AttachmentCodec.encode(attachment).get(AttachmentCodec.NODE_ATTACH_DRIVER)
                            + ", which is a directory and not a device",
                    "use a claim with volumeMode Filesystem"));
        }
    }

    /** Returns the mount points of a volume on this node, as far as its protocol can tell. */
    public List<String> mountPoints(Attachment attachment, Work work) {
        return all.stream()
                .filter(it -> it.handles().isInstance(attachment))
                .findFirst()
                .map(it -> mountPoints(it, attachment, work))
                .orElse(List.of());
    }

    private static <A extends Attachment> List<String> mountPoints(
            Attacher<A> attacher, Attachment attachment, Work work) {
        return attacher.mountPoints(attacher.handles().cast(attachment), work);
    }

    /** Returns whether this mount may be of the volume; false only if it certainly is of another one. */
    boolean mayShow(NativeId id, MountEntry mount) {
        return all.isEmpty() || all.stream().anyMatch(attacher -> attacher.mayShow(id, mount));
    }

    /** Stages one volume at one staging path. */
    interface Staging {
        boolean isDone(Work work);

        void carryOut(Work work);
    }
}
