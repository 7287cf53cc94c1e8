package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.block.MultipathMaps;
import dev.fairlead.adapter.node.iscsi.Sysfs.Disk;
import dev.fairlead.adapter.node.iscsi.Sysfs.Session;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.kernel.KernelWait;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the disks of a LUN, one for each session, and the device that is used of them.
 *
 * @param appearing how long the kernel may take to make a device, and multipathd to make a map
 */
record LunPaths(LunDevices devices, KernelWait appearing) {
    private static final Logger log = LoggerFactory.getLogger(LunPaths.class);

    private SysfsReads reads() {
        return devices.reads();
    }

    /** Returns the LUN's disk of each session, as soon as all have one or the time is up and one has. */
    List<Disk> disks(List<Session> sessions, IscsiRequest wanted, String handle, Work work) {
        look(sessions, wanted, work);
        List<Disk> disks = shown(sessions, wanted, work);
        if (disks.isEmpty()) {
            throw new StorageException(new Failure.BackendRejected(
                    "of volume " + handle,
                    "target " + wanted.iqn() + " let this node in and shows it no LUN " + wanted.lun()
                            + "; look at the target's LUNs and whom it admits to them"));
        }
        return disks;
    }

    /** Looks for the LUN by each session that does not show it, until all do or the time is up. */
    private void look(List<Session> sessions, IscsiRequest wanted, Work work) {
        var _ = scanned(sessions, wanted, work);
        var _ = appearing.until(() -> shown(sessions, wanted, work).size() >= sessions.size(), work);
    }

    /** Looks for the LUN by each session that does not show it, and returns these. */
    List<Session> scanned(List<Session> sessions, IscsiRequest wanted, Work work) {
        List<Session> absent = sessions.stream()
                .filter(it -> shown(List.of(it), wanted, work).isEmpty())
                .toList();
        absent.forEach(it -> devices.scan(it, wanted.lun(), work));
        return absent;
    }

    /** Returns the LUN's disks that have a block device. */
    List<Disk> shown(List<Session> sessions, IscsiRequest wanted, Work work) {
        return reads().of(
                        wanted.iqn(),
                        work,
                        sysfs -> sessions.stream()
                                .flatMap(session -> sysfs.disks(session, wanted.lun()).stream())
                                .filter(disk -> disk.block().isPresent())
                                .toList());
    }

    /** Returns the identity of the LUN, which all of its paths must agree on. */
    String wwid(List<Disk> disks, IscsiRequest wanted, String handle, Work work) {
        Set<String> wwids = reads().of(
                        wanted.iqn(), work, _ -> disks.stream().map(Sysfs::wwid).collect(Collectors.toSet()));
        if (wwids.size() > 1) {
            throw new StorageException(new Failure.Unintelligible(
                    "of volume " + handle,
                    wanted.lunInWords() + " is a different disk at each portal: " + wwids
                            + "; the portals of a volume have to lead to one target"));
        }
        return wwids.iterator().next();
    }

    /**
     * Returns the block device to use. A volume with several portals is used by its multipath map, also while only one
     * of them lets the node in: the others join the map once they do. A disk that is used already stays what is used.
     */
    String device(List<Disk> disks, IscsiRequest wanted, boolean used, Work work) {
        Optional<String> map = map(disks, wanted, work);
        if (map.isEmpty() && wanted.portals().size() > 1 && !used) {
            map = made(disks, wanted, work);
        }
        if (map.isEmpty() && disks.size() > 1) {
            throw unmapped(disks.size(), wanted);
        }
        if (map.isEmpty() && wanted.portals().size() > 1) {
            log.atWarn()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("target", wanted.iqn())
                    .addKeyValue("lun", wanted.lun())
                    .log("a volume with several portals has one path and no map of multipathd, so its other portals"
                            + " are not used until it is staged anew; multipathd has to run and not to blacklist it");
        }
        return map.orElseGet(() -> disks.getFirst().block().orElseThrow());
    }

    static StorageException unmapped(int count, IscsiRequest wanted) {
        return KernelThreads.fault(
                "attaching " + wanted.lunInWords(),
                "it has " + count + " paths, and multipathd has made no map (mpath-) of them; start multipathd on the"
                        + " node, or name one portal only");
    }

    /** Returns the map of multipathd, which is asked for one until there is one or it takes no such disk. */
    private Optional<String> made(List<Disk> disks, IscsiRequest wanted, Work work) {
        var _ = appearing.until(
                () -> isRefused(disks, work) || map(disks, wanted, work).isPresent(), work);
        if (disks.size() > 1) {
            // its programs may be out of reach here while it makes maps all the same
            var _ = appearing.until(() -> map(disks, wanted, work).isPresent(), work);
        }
        return map(disks, wanted, work);
    }

    private boolean isRefused(List<Disk> disks, Work work) {
        return Sysfs.blocks(disks).stream()
                .anyMatch(it -> devices.maps().offer(it, work) == MultipathMaps.Answer.NEVER);
    }

    Optional<String> map(List<Disk> disks, IscsiRequest wanted, Work work) {
        return reads().of(wanted.iqn(), work, sysfs -> sysfs.blocks().map(Sysfs.blocks(disks)));
    }
}
