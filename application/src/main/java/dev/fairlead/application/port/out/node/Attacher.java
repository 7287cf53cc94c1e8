package dev.fairlead.application.port.out.node;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.health.VolumePath;
import dev.fairlead.domain.volume.NativeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Attaches volumes to this node over one protocol, whichever exporter exported them. It never mounts and never formats:
 * it answers what it attached, and the application does the rest. All of it is idempotent.
 */
public interface Attacher<A extends Attachment> {
    /**
     * The fact that an attachment was recognised by its mount: another driver attached it, and this one took it over.
     */
    String RECOGNISED = "recognised";

    /**
     * The fact that names a path which leads to the device after a restart of the node as well, if the kernel may give
     * the device another number then.
     */
    String LINK = "link";

    /** The fact that names the device node that the volume had when it was staged last; kept for every protocol. */
    String DEVICE = "device";

    Class<A> handles();

    /** Returns whether raw block access is possible over this protocol. */
    boolean offersBlock();

    /**
     * Returns whether several nodes can have the same device at a time. A file system on it is destroyed if two of them
     * write to it.
     */
    default boolean reachesManyNodes() {
        return offersBlock();
    }

    /**
     * Returns whether attaching makes something that outlives an unmount, such as a session. Such an attachment is
     * written to the journal before the first effect, and detached only while no mount of it is left.
     */
    boolean outlivesMount();

    /** Knows the sessions of this attacher that the journal does not tell of; those that outlive a mount have some. */
    default OwnSessions sessions() {
        return OwnSessions.NONE;
    }

    /**
     * Returns whether attaching takes stage secrets. Only NodeStageVolume brings them, so a lost mount of such a share
     * is not mounted anew by a later call, which would do it without the login.
     */
    default boolean takesSecrets() {
        return false;
    }

    /**
     * Returns whether a mount over this protocol can be told the group that owns its files. Of other volumes kubelet
     * changes the owner, and never asks the driver.
     */
    default boolean takesGroup() {
        return false;
    }

    /**
     * Names the device behind an attachment, whatever ways lead to it. Two volumes made by hand may have one device: it
     * is taken away with the last of them.
     */
    default String identity(A attachment) {
        return attachment.toString();
    }

    /**
     * Refuses what can be refused without any effect: hostile values, a file system type that the protocol does not
     * have, a missing secret. Called before anything is written or attached.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code InvalidRequest}, {@code Unsupported}
     */
    void check(Attach<A> request);

    /** Attaches the volume, or finds it attached, and verifies that it is there. */
    Attached attach(Attach<A> request, Work work);

    /**
     * Takes away what {@link #attach} made, and verifies that it is gone; does nothing if nothing is attached. Called
     * only while no mount of the volume is left on this node, and no other volume is attached that has its
     * {@link #identity}. What other volumes use stays: a session with further devices is not ended.
     *
     * @param facts what {@link Attached.Device} told; {@link #RECOGNISED} if the attachment was recognised by its
     *     mount; none if attaching was not finished
     */
    default void detach(A attachment, Map<String, String> facts, Work work) {}

    /** Lets the node see the present size of an attached device, over all of its paths. */
    default void rescan(A attachment, Work work) {}

    /**
     * Tries ways to an attached volume again that are missing, as after a restart of this process. It returns at once:
     * the attempts go on beside, ever more seldom, until none is missing or the volume is detached.
     *
     * @param facts what {@link Attached.Device} told
     */
    default void restorePaths(A attachment, Map<String, String> facts, Work work) {}

    /**
     * Returns whether a device may get larger while its file system is mounted. If not, the storage is asked for more
     * only while no mount and no map has the device, and the attacher tells its {@link #LINK}.
     */
    default boolean growsMounted() {
        return true;
    }

    /**
     * Returns whether this mount shows the volume, whoever mounted it. For a raw device the mount is that of the device
     * node.
     */
    boolean shows(A attachment, MountEntry mount, Work work);

    /**
     * Returns whether this mount shows the volume, by what is known of its attaching as well: another disk may be at
     * its path by now.
     *
     * @param facts what {@link Attached.Device} told
     */
    default boolean shows(A attachment, Map<String, String> facts, MountEntry mount, Work work) {
        return shows(attachment, mount, work);
    }

    /**
     * Returns the attachment behind a mount that the journal does not know: another driver, or an older Fairlead, made
     * it. Answered from the mount table and the kernel's own facts, without asking a server.
     */
    default Optional<A> recognise(MountEntry mount, Work work) {
        return Optional.empty();
    }

    /**
     * Returns whether this mount may be of the volume with this id; false only if it certainly is of another one. Used
     * for CSI calls that have a handle and a path, and no volume context.
     */
    default boolean mayShow(NativeId id, MountEntry mount) {
        return true;
    }

    /**
     * Returns every path of this node at which the volume or a part of it is mounted, staged or published; also empty
     * if the protocol cannot tell. It is read from the mount table, so that it is known after a restart.
     */
    default List<String> mountPoints(A attachment, Work work) {
        return List.of();
    }

    /**
     * Returns the ways by which an attached volume is reached, as the kernel has them now: those that the attachment
     * names and those that there are. Facts only; whether they are enough is not the attacher's to decide. Empty if the
     * protocol has no ways that can be looked at.
     */
    default List<VolumePath> paths(A attachment, Work work) {
        return List.of();
    }

    /**
     * Returns what was removed from this node's disk while this mount of it goes on, in words; empty if nothing was.
     */
    default Optional<String> removed(MountEntry mount, Work work) {
        return Optional.empty();
    }
}
