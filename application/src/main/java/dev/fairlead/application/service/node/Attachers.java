package dev.fairlead.application.service.node;

import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.health.VolumePath;
import dev.fairlead.domain.volume.NativeId;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Holds the attachers of this node, one for each protocol. */
public record Attachers(List<Attacher<?>> all) {
    public Attachers {
        all = List.copyOf(all);
    }

    /** Returns what attaches the volume of a volume_context; throws {@code Unsupported} if this node cannot. */
    VolumeAttacher<?> of(Map<String, String> context) {
        Attachment attachment = AttachmentCodec.decode(context);
        return of(attachment)
                .orElseThrow(() -> new StorageException(new Failure.Unsupported(
                        "this node has no attacher for " + AttachmentCodec.NODE_ATTACH_DRIVER + " "
                                + context.get(AttachmentCodec.NODE_ATTACH_DRIVER),
                        "run a node plugin that has one")));
    }

    /** Returns what attaches a volume; empty if no attacher of this node does. */
    Optional<VolumeAttacher<?>> of(Attachment attachment) {
        return all.stream()
                .filter(it -> it.handles().isInstance(attachment))
                .<VolumeAttacher<?>>map(it -> VolumeAttacher.of(it, attachment))
                .findFirst();
    }

    /**
     * Returns what attached the volume that a mount shows; empty if no attacher recognises it, and for a directory of a
     * disk: that disk is the operator's.
     */
    Optional<VolumeAttacher<?>> behind(MountEntry mount, Work work) {
        if (mount.isPartOfDevice()) {
            return Optional.empty();
        }
        return all.stream()
                .<Optional<VolumeAttacher<?>>>map(it -> recognised(it, mount, work))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /**
     * Returns whether a mount is the entry's though its attacher does not know it: the kernel forgets whose a device is
     * once its session or controller is gone, and keeps it for whoever has it mounted.
     */
    boolean isLeftBy(StageJournal.Entry entry, MountEntry mount, Work work) {
        boolean own = StagingPaths.all(entry.staging()).contains(Path.of(mount.mountPoint()));
        return own && behind(mount, work).isEmpty(); // else it is another volume's
    }

    /**
     * Refuses to unmount a place of the entry's volume at which another volume with a device is mounted, also between
     * or below mounts of the volume. The mount table alone is asked for the mounts, which never hangs.
     */
    void refuseForeign(StageJournal.Entry entry, Path place, Mounts mounts, Work work) {
        String path = place.normalize().toString();
        mounts.table(work).stream()
                .filter(it -> it.mountPoint().equals(path) && isForeign(entry, it, work))
                .findFirst()
                .ifPresent(it -> {
                    throw new StorageException(new Failure.MountConflict(
                            path,
                            "it shows " + it.root() + " of " + it.source() + ", not this volume; unmount that by hand,"
                                    + " and the volume is taken away by the next call"));
                });
    }

    /**
     * Returns whether a mount is certainly of another volume with a device. Whatever else is there goes with the
     * volume, since a pod or a volume that nobody can take away does more harm: a file system in memory, of a program
     * or of a share may be what a pod with mount propagation has mounted over its volume.
     */
    private boolean isForeign(StageJournal.Entry entry, MountEntry mount, Work work) {
        Optional<Path> device =
                Optional.ofNullable(entry.facts().get(Attacher.DEVICE)).map(Path::of);
        if (device.filter(it -> isMountOf(it, mount)).isPresent()) {
            return false;
        }
        try {
            return of(entry.attachment())
                    .filter(it -> it.outlivesMount() && !it.shows(entry.facts(), mount, work))
                    .flatMap(_ -> behind(mount, work))
                    .filter(VolumeAttacher::outlivesMount)
                    .isPresent();
        } catch (StorageException _) {
            return false;
        }
    }

    /** Returns whether a mount names the device as its own, which is so though the kernel knows it no more. */
    private static boolean isMountOf(Path device, MountEntry mount) {
        return mount.source().equals(device.toString())
                || (mount.isDeviceNode() && mount.root().equals("/" + device.getFileName()));
    }

    private static <A extends Attachment> Optional<VolumeAttacher<?>> recognised(
            Attacher<A> attacher, MountEntry mount, Work work) {
        return attacher.recognise(mount, work).map(it -> new VolumeAttacher<>(attacher, it));
    }

    /** Returns the mount points of a volume on this node, as far as its protocol can tell. */
    public List<String> mountPoints(Attachment attachment, Work work) {
        return of(attachment).map(it -> mountPoints(it, work)).orElse(List.of());
    }

    private static <A extends Attachment> List<String> mountPoints(VolumeAttacher<A> volume, Work work) {
        return volume.attacher().mountPoints(volume.attachment(), work);
    }

    /** Returns the attachment behind a mount; empty if no attacher recognises it. */
    public Optional<Attachment> recognised(MountEntry mount, Work work) {
        return behind(mount, work).map(VolumeAttacher::attachment);
    }

    /** Returns the ways to a volume's storage, as the kernel has them now; none if its protocol tells of none. */
    public List<VolumePath> paths(Attachment attachment, Work work) {
        return of(attachment).map(it -> it.paths(work)).orElse(List.of());
    }

    /** Returns what a mounted volume is an image of that was removed since; empty if it was not, or is no image. */
    public Optional<String> removed(Attachment attachment, MountEntry mount, Work work) {
        return of(attachment).flatMap(it -> it.attacher().removed(mount, work));
    }

    /** Returns whether this mount may be of the volume; false only if it certainly is of another one. */
    boolean mayShow(NativeId id, MountEntry mount) {
        return all.isEmpty() || all.stream().anyMatch(attacher -> attacher.mayShow(id, mount));
    }
}
