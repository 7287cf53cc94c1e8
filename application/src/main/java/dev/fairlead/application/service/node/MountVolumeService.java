package dev.fairlead.application.service.node;

import dev.fairlead.application.port.in.node.MountVolume;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.Key;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.node.VolumeAttacher.Wish;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Binds a staged volume to a pod's path, once: the mount table says what has been done already. */
public record MountVolumeService(Attachers attachers, Mounter mounter, StaleMounts stale, KeyedLocks locks)
        implements MountVolume {
    /** The flags of a single mount that the mount table shows by the same words. */
    private static final Set<String> SHOWN = Set.of("ro", "nosuid", "nodev", "noexec", "noatime", "nodiratime");

    /** The file systems that are on a server, which may lose a mount. */
    private static final Set<String> SERVED = Set.of("nfs", "nfs4", "cifs", "smb3", "lustre", "ceph");

    @Override
    public void mount(Command command, Work work) {
        List<String> flags = flags(command);
        Path staging = command.staging().orElseThrow(() -> notStaged(command));
        Supplier<Boolean> body =
                () -> locks.exclusively(Key.path(command.target()), work, () -> mount(command, staging, flags, work));
        if (command.capability().mode().manyTargets()) {
            locks.sharing(Key.volume(command.handle()), work, body);
        } else {
            locks.exclusively(Key.volume(command.handle()), work, body);
        }
    }

    private boolean mount(Command command, Path staging, List<String> flags, Work work) {
        boolean block = command.capability().access() instanceof VolumeCapability.Block;
        Path place = block ? StagingPaths.device(staging) : staging;
        Optional<VolumeAttacher<?>> volume = volume(command);
        if (!block && volume.isPresent()) {
            heal(volume.get(), command, staging, work);
        }
        MountEntry staged = mounter.at(place, work).orElseThrow(() -> notStaged(command));
        if (volume.filter(it -> !it.shows(staged, work)).isPresent()) {
            throw StageVolumeService.conflict(staged);
        }
        Optional<MountEntry> present = mounter.at(command.target(), work);
        if (present.isPresent()) {
            difference(staged, present.get(), flags).ifPresent(difference -> {
                throw new StorageException(
                        new Failure.MountConflict(command.target().toString(), difference));
            });
            return true;
        }
        refuseSecondPlace(command, staged, work);
        if (block) {
            mounter.bindDevice(place, command.target(), flags, work);
        } else {
            mounter.makeDirectory(command.target(), work);
            mounter.bind(place, command.target(), flags, work);
        }
        return true;
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
     * Mounts a share anew at the staging path if its server has lost the former mount and no pod uses it; this call has
     * no stage secrets, so a share that takes them is refused and stays.
     */
    private void heal(VolumeAttacher<?> volume, Command command, Path staging, Work work) {
        Optional<MountEntry> staged = mounter.at(staging, work);
        if (staged.filter(it -> isOfServer(it) && volume.shows(it, work)).isEmpty()) {
            return;
        }
        if (mounter.silence(staging, work).isEmpty()) {
            return;
        }
        if (volume.takesSecrets()) {
            stale.refuse(command.handle(), staging, work);
        }
        Wish wish =
                new Wish(command.handle(), command.capability(), command.context(), command.publishContext(), Map.of());
        volume.check(wish);
        if (stale.heal(command.handle(), staging, work)
                && volume.attach(wish, work) instanceof Attached.Share(Mounter.Filesystem filesystem)) {
            mounter.mount(filesystem, staging, work);
        }
    }

    private static boolean isOfServer(MountEntry mount) {
        return SERVED.contains(mount.fsType());
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

    private static List<String> flags(Command command) {
        return switch (command.capability().access()) {
            case VolumeCapability.Mount mount -> {
                Set<String> flags = new LinkedHashSet<>(mount.flags());
                if (command.readOnly() || isForReading(command.capability().mode())) {
                    flags.remove("rw");
                    flags.add("ro");
                }
                yield List.copyOf(flags);
            }
            case VolumeCapability.Block() ->
                command.readOnly() || isForReading(command.capability().mode()) ? List.of("ro") : List.of();
        };
    }

    private static boolean isForReading(AccessMode mode) {
        return mode == AccessMode.SINGLE_NODE_READER_ONLY || mode == AccessMode.MULTI_NODE_READER_ONLY;
    }

    private static StorageException notStaged(Command command) {
        return new StorageException(new Failure.NotStaged(
                command.handle(), command.staging().map(Path::toString).orElse("")));
    }
}
