package dev.fairlead.application.service.node;

import dev.fairlead.application.port.in.node.MountVolume;
import dev.fairlead.application.port.out.node.Filesystems;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.KeyedLocks.LockKey;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.mount.MountOptions;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Binds a staged volume to a pod's path, once: the mount table says what has been done already. */
public record MountVolumeService(
        Attachers attachers, Mounter mounter, Filesystems filesystems, StaleMounts stale, KeyedLocks locks)
        implements MountVolume {
    /** The flags of a single mount that the mount table shows by the same words. */
    private static final Set<String> SHOWN = Set.of("ro", "nosuid", "nodev", "noexec", "noatime", "nodiratime");

    /** The file systems that are on a server, which may lose a mount. */
    private static final Set<String> SERVED = Set.of("nfs", "nfs4", "cifs", "smb3", "lustre", "ceph");

    @Override
    public void mount(Command command, Work work) {
        VolumeAttacher.refuseUnprotected(command.capability());
        List<String> flags = flags(command);
        Path staging = command.staging().orElseThrow(() -> notStaged(command));
        Runnable body = () ->
                locks.exclusively(LockKey.path(command.target()), work, () -> mount(command, staging, flags, work));
        if (command.capability().mode().manyTargets()) {
            locks.usingAttachment(command.handle(), work, body);
        } else {
            locks.changingAttachment(command.handle(), work, body);
        }
    }

    private void mount(Command command, Path staging, List<String> flags, Work work) {
        boolean block = command.capability().isBlock();
        Path place = block ? StagingPaths.device(staging) : staging;
        Optional<VolumeAttacher<?>> volume = volume(command);
        Optional<MountEntry> found = mounter.at(place, work);
        if (!block
                && volume.isPresent()
                && (found.isPresent()
                        ? heal(volume.get(), command, found.get(), staging, work)
                        : mountAnew(volume.get(), staging, work))) {
            found = mounter.at(place, work);
        }
        MountEntry staged = found.orElseThrow(() -> notStaged(command));
        if (volume.filter(it -> !it.shows(staged, work)).isPresent()) {
            throw StageVolumeService.conflict(staged);
        }
        Optional<MountEntry> present = mounter.at(command.target(), work);
        if (present.isPresent()) {
            difference(staged, present.get(), flags).ifPresent(difference -> {
                throw new StorageException(
                        new Failure.MountConflict(command.target().toString(), difference));
            });
            return;
        }
        refuseSecondPlace(command, staged, work);
        if (block) {
            protect(command, staged, flags.contains("ro"), work);
            mounter.bindDevice(place, command.target(), flags, work);
        } else {
            mounter.makeDirectory(command.target(), work);
            mounter.bind(place, command.target(), flags, work);
        }
    }

    /**
     * Returns what attached the volume; empty for a context without a protocol, as volumes have that another driver
     * made.
     */
    private Optional<VolumeAttacher<?>> volume(Command command) {
        if (!command.context().containsKey(AttachmentCodec.NODE_ATTACH_DRIVER)) {
            return Optional.empty();
        }
        VolumeAttacher<?> volume = attachers.of(command.context());
        volume.refuseBlock(command.capability());
        return Optional.of(volume);
    }

    /**
     * Mounts a share anew at the staging path if its server has lost the former mount and no pod uses it. This call has
     * no stage secrets, which may hold a login and mount options, so the share is mounted as it was, or refused if that
     * is not known, and left to the next staging. Returns whether the former mount was removed.
     */
    private boolean heal(VolumeAttacher<?> volume, Command command, MountEntry staged, Path staging, Work work) {
        if (!SERVED.contains(staged.fsType()) || !volume.shows(staged, work)) {
            return false;
        }
        if (mounter.silence(staging, work).isEmpty()) {
            return false;
        }
        if (known(volume, staging, work).isEmpty()) {
            stale.refuse(command.handle(), staging, work);
            return false;
        }
        return stale.heal(command.handle(), staging, work) && mountAnew(volume, staging, work);
    }

    /**
     * Mounts a share as it was before its lost mount was taken away, by this call or by an earlier one whose server did
     * not let it in yet. Returns false if it is not known how.
     */
    private boolean mountAnew(VolumeAttacher<?> volume, Path staging, Work work) {
        Optional<Mounter.Filesystem> known = known(volume, staging, work);
        known.ifPresent(it -> mounter.mount(it, staging, work));
        return known.isPresent();
    }

    /** Tells how a share was mounted; never a device, which may have become another volume's meanwhile. */
    private Optional<Mounter.Filesystem> known(VolumeAttacher<?> volume, Path staging, Work work) {
        return volume.takesSecrets()
                ? Optional.empty()
                : mounter.mounted(staging, work).filter(it -> SERVED.contains(it.type()));
    }

    private static Optional<String> difference(MountEntry staged, MountEntry present, List<String> flags) {
        if (!present.showsSameAs(staged)) {
            return Optional.of("it shows " + present.root() + " of " + present.source() + ", and the volume is "
                    + staged.root() + " of " + staged.source());
        }
        if (present.readOnly() != flags.contains("ro") && !staged.readOnly()) {
            return Optional.of("it is mounted " + (present.readOnly() ? "read-only" : "for writing")
                    + ", asked for is the contrary");
        }
        return flags.stream()
                .filter(flag -> SHOWN.contains(flag) && !present.options().contains(flag))
                .findFirst()
                .map(flag -> "it is mounted without " + flag);
    }

    /** Refuses a second publication if the access mode allows only one; looks for another one in the mount table. */
    private void refuseSecondPlace(Command command, MountEntry staged, Work work) {
        if (command.capability().mode().manyTargets()) {
            return;
        }
        mounter.table(work).stream()
                .filter(entry ->
                        entry.showsSameAs(staged) && !entry.mountPoint().equals(staged.mountPoint()))
                .findFirst()
                .ifPresent(entry -> {
                    throw new StorageException(new Failure.MountedElsewhere(command.handle(), entry.mountPoint()));
                });
    }

    /**
     * Lets a raw device be written, or lets nobody write to it: a bind mount that is read-only does not keep anybody
     * from writing to the device behind it. That holds for the whole node, so two publications have to agree.
     */
    private void protect(Command command, MountEntry staged, boolean readOnly, Work work) {
        mounter.table(work).stream()
                .filter(entry -> entry.showsSameAs(staged)
                        && !entry.mountPoint().equals(staged.mountPoint())
                        && entry.readOnly() != readOnly)
                .findFirst()
                .ifPresent(entry -> {
                    throw new StorageException(new Failure.MountConflict(
                            command.target().toString(),
                            "its raw device is published " + (readOnly ? "for writing" : "read-only") + " at "
                                    + entry.mountPoint() + ", and is that for all pods of a node or for none"));
                });
        filesystems.writable(Path.of(staged.mountPoint()), !readOnly, work);
    }

    private static List<String> flags(Command command) {
        Set<String> flags = new LinkedHashSet<>(
                MountOptions.of(VolumeAttacher.FLAGS, command.capability().mountFlags()));
        if (command.readOnly() || command.capability().mode().isForReading()) {
            flags.remove("rw");
            flags.add("ro");
        }
        return List.copyOf(flags);
    }

    private static StorageException notStaged(Command command) {
        return new StorageException(new Failure.NotStaged(
                command.handle(), command.staging().map(Path::toString).orElse("")));
    }
}
