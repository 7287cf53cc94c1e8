package dev.fairlead.application.service.health;

import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.node.Attachers;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.health.HealthRules;
import dev.fairlead.domain.health.MountTrouble;
import dev.fairlead.domain.health.MountTrouble.Kind;
import dev.fairlead.domain.health.Silence;
import dev.fairlead.domain.health.VolumeFacts;
import dev.fairlead.domain.health.VolumeHealth;
import dev.fairlead.domain.health.VolumePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Looks at one volume: at the ways to its storage, at its mount, and whether that answers. */
record VolumeHealthLook(Attachers attachers, ServerSilence silence, Mounter mounter) {
    private static final Set<Kind> ASKED =
            Set.of(Kind.FULL, Kind.WITHOUT_INODES, Kind.DEVICE_ERRORS, Kind.SIZE_NOT_HELD);

    /**
     * @param place where the volume is mounted, or should be
     * @param attachment empty if nothing tells how it is attached
     */
    VolumeHealth at(String place, Optional<MountEntry> mount, Optional<Attachment> attachment, Work work) {
        Optional<String> trouble = Optional.empty();
        List<VolumePath> paths = List.of();
        Optional<Silence> silent = Optional.empty();
        List<MountTrouble> troubles = new ArrayList<>();
        try {
            mount.flatMap(it -> removed(it, attachment, work)).ifPresent(troubles::add);
            paths = attachment.map(it -> attachers.paths(it, work)).orElse(List.of());
            // what no way leads to would only hang
            boolean reachable = paths.isEmpty() || paths.stream().anyMatch(VolumePath::usable);
            silent = mount.filter(it -> reachable && !it.isDeviceNode()).flatMap(it -> silence.of(it, work));
            if (reachable && silent.isEmpty()) {
                mount.filter(it -> !it.isDeviceNode() && it.server().isEmpty())
                        .ifPresent(it -> troubles.addAll(asked(it, work)));
            }
        } catch (StorageException e) {
            trouble = Optional.of(message(e));
        }
        return HealthRules.of(new VolumeFacts(place, paths, mount.map(MountEntry::facts), silent, troubles, trouble));
    }

    /** Returns what a mount that answers tells, or that it tells nothing of this; the ways to it are known then. */
    private List<MountTrouble> asked(MountEntry mount, Work work) {
        try {
            return mounter.troubles(mount, work);
        } catch (StorageException e) {
            return List.of(MountTrouble.untold(ASKED, message(e)));
        }
    }

    private static String message(StorageException why) {
        if (why.failure() instanceof Failure.Cancelled) {
            throw why;
        }
        return why.failure().message();
    }

    private Optional<MountTrouble> removed(MountEntry mount, Optional<Attachment> attachment, Work work) {
        Optional<String> what = mount.isRemoved()
                ? Optional.of("its folder is there no more")
                : attachment.flatMap(it -> attachers.removed(it, mount, work));
        return what.map(it -> new MountTrouble(Kind.REMOVED, it));
    }
}
