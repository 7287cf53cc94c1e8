package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.iscsi.Sysfs.Disk;
import dev.fairlead.adapter.node.iscsi.Sysfs.Session;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.work.Work;
import java.util.List;
import java.util.Map;

/**
 * Says which disks of a LUN this node has.
 *
 * @param sessions those that show it
 * @param isAnothers whether one of them is of a session that somebody else logged in, such as the node's administrator
 */
record LunDisks(List<Session> sessions, List<Disk> disks, boolean isAnothers) {
    /** The fact that names the LUN's identity. */
    static final String WWID = "wwid";

    /** The fact that names the target. */
    static final String TARGET = "target";

    /** The fact that the LUN was attached before it was asked for, by another than this driver. */
    static final String ANOTHERS = "found";

    static LunDisks of(SysfsReads reads, NodeRecords records, IscsiRequest wanted, Work work) {
        List<Session> sessions = reads.of(
                wanted.iqn(),
                work,
                sysfs -> sysfs.sessions(wanted.iqn()).stream()
                        .filter(it -> !sysfs.disks(it, wanted.lun()).isEmpty())
                        .toList());
        List<Disk> disks = reads.of(
                wanted.iqn(),
                work,
                sysfs -> sessions.stream()
                        .flatMap(it -> sysfs.disks(it, wanted.lun()).stream())
                        .toList());
        return new LunDisks(sessions, disks, sessions.stream().anyMatch(it -> isAnothers(it, records, work)));
    }

    /** Returns whether somebody else logged in a session, by the records of its portal. */
    static boolean isAnothers(Session session, NodeRecords records, Work work) {
        return records.areAnothers(session.iqn(), session.portals(), work);
    }

    /**
     * Returns whether these facts allow to take away a session that another made: this driver took it over from the
     * former one, or attached the volume by itself.
     */
    static boolean isTakenOver(Map<String, String> facts) {
        return facts.containsKey(Attacher.RECOGNISED) || (facts.containsKey(WWID) && !facts.containsKey(ANOTHERS));
    }
}
