package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.block.SysfsFiles;
import dev.fairlead.adapter.node.iscsi.Sysfs.Disk;
import dev.fairlead.adapter.node.iscsi.Sysfs.Session;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.health.VolumePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tells the ways to a LUN: each session with its target and the disk that the session has, and each portal of the
 * volume at which there is no session.
 */
record IscsiPaths(SysfsReads reads) {
    private static final String RUNNING = "running";

    List<VolumePath> of(IscsiRequest volume, Work work) {
        return reads.of(volume.iqn(), work, sysfs -> of(sysfs, volume));
    }

    private static List<VolumePath> of(Sysfs sysfs, IscsiRequest volume) {
        List<Session> sessions = sysfs.sessions(volume.iqn());
        List<String> used = used(sysfs, volume);
        List<VolumePath> paths = new ArrayList<>();
        for (Session session : sessions) {
            paths.add(path(session, sysfs.disks(session, volume.lun()).stream().findFirst(), volume.lun(), used));
        }
        volume.portals().stream()
                .filter(portal -> sessions.stream().noneMatch(it -> it.isAt(portal)))
                .map(portal -> new VolumePath("portal " + portal, "no session", false))
                .forEach(paths::add);
        return paths;
    }

    /** Returns the disks that the multipath map over the LUN is made of; none if there is no map. */
    private static List<String> used(Sysfs sysfs, IscsiRequest volume) {
        return sysfs.blocks()
                .map(Sysfs.blocks(sysfs.disks(volume.iqn(), volume.lun())))
                .map(sysfs.blocks()::below)
                .orElse(List.of());
    }

    private static VolumePath path(Session session, Optional<Disk> disk, int lun, List<String> used) {
        String name = session.portal().stream()
                .findFirst()
                .map(it -> "portal " + new Portal(it.host(), it.port()))
                .orElse(session.name());
        if (!session.isLoggedIn()) {
            return new VolumePath(name, "session " + session.state(), false);
        }
        if (disk.isEmpty()) {
            return new VolumePath(name, "no LUN " + lun, false);
        }
        String state = SysfsFiles.text(disk.get().folder().resolve("state"));
        String block = disk.get().block().orElse("without a block device");
        if (!state.equals(RUNNING)) {
            return new VolumePath(name, "disk " + block + " " + (state.isEmpty() ? "gone" : state), false);
        }
        return used.isEmpty() || used.contains(block)
                ? new VolumePath(name, "disk " + block + " " + RUNNING, true)
                : new VolumePath(name, "disk " + block + " is not in the multipath map", false);
    }
}
