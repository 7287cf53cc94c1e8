package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.iscsi.Sysfs.Disk;
import dev.fairlead.adapter.node.iscsi.Sysfs.Session;
import dev.fairlead.application.port.work.Work;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Says which disks of a LUN this node has to take away when the LUN is detached.
 *
 * @param sessions those that show it and were logged in here
 * @param disks those of these sessions
 * @param others the disks of sessions that somebody else logged in, such as the node's administrator, which stay
 */
record LunDisks(List<Session> sessions, List<Disk> disks, List<Disk> others) {
    /** The fact that names the LUN's identity. */
    static final String WWID = "wwid";

    /** The fact that names the target. */
    static final String TARGET = "target";

    /** @param takenOver whether the sessions of others are this driver's by now */
    static LunDisks of(SysfsReads reads, NodeRecords records, IscsiRequest wanted, boolean takenOver, Work work) {
        Map<Boolean, List<Session>> byOwner = showing(reads, wanted, work).stream()
                .collect(Collectors.partitioningBy(it -> !takenOver && isAnothers(it, records, work)));
        List<Session> own = byOwner.getOrDefault(false, List.of());
        List<Session> others = byOwner.getOrDefault(true, List.of());
        return new LunDisks(own, disks(reads, wanted, own, work), disks(reads, wanted, others, work));
    }

    private static List<Disk> disks(SysfsReads reads, IscsiRequest wanted, List<Session> sessions, Work work) {
        return reads.of(
                wanted.iqn(),
                work,
                sysfs -> sessions.stream()
                        .flatMap(it -> sysfs.disks(it, wanted.lun()).stream())
                        .toList());
    }

    /** Returns the sessions that show the LUN, whoever logged them in. */
    static List<Session> showing(SysfsReads reads, IscsiRequest wanted, Work work) {
        return reads.of(
                wanted.iqn(),
                work,
                sysfs -> sysfs.sessions(wanted.iqn()).stream()
                        .filter(it -> !sysfs.disks(it, wanted.lun()).isEmpty())
                        .toList());
    }

    /** Returns whether somebody else logged in a session, by the records of its portal. */
    static boolean isAnothers(Session session, NodeRecords records, Work work) {
        return records.areAnothers(session.iqn(), session.portals(), work);
    }
}
