package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.block.BlockUse;
import dev.fairlead.adapter.node.block.KernelFiles;
import dev.fairlead.adapter.node.block.MultipathMaps;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.work.Work;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Works on the block devices of a LUN, or of a session: their disks, and the multipath maps over them. */
record LunDevices(SysfsReads reads, MultipathMaps maps, BlockUse use, KernelFiles files) {
    static LunDevices ofThisKernel(MultipathMaps maps, KernelThreads threads) {
        SysfsReads reads = new SysfsReads(new Sysfs(Path.of("/sys")), threads);
        return new LunDevices(reads, maps, BlockUse.ofThisKernel(threads), KernelFiles.ofThisKernel(threads));
    }

    Path node(String name) {
        return use.node(name);
    }

    /** Looks for a LUN of a session that the kernel does not show yet, and for no other. */
    void scan(Sysfs.Session session, int lun, Work work) {
        Path file = reads.sysfs().root().resolve("class/scsi_host/host" + session.host() + "/scan");
        int number = lun > 255 ? lun + Sysfs.FLAT : lun;
        files.write("iscsi-scan", file, session.iqn(), "0 0 " + number, work);
    }

    /** Lets the kernel read the size of each disk again, and then that of their map. */
    void rescan(String iqn, List<Sysfs.Disk> disks, Work work) {
        for (Sysfs.Disk disk : disks) {
            files.write("iscsi-rescan", disk.folder().resolve("rescan"), iqn, "1", work);
        }
        mapName(iqn, disks, work).ifPresent(name -> maps.resize(name, work));
    }

    private Optional<String> mapName(String iqn, List<Sysfs.Disk> disks, Work work) {
        return reads.of(iqn, work, sysfs -> sysfs.blocks().mapName(Sysfs.blocks(disks)));
    }

    /** Returns what uses a LUN, in words; empty if nothing does, in any mount namespace of the node. */
    Optional<String> user(String iqn, List<Sysfs.Disk> disks, Work work) {
        List<String> tops = reads.of(iqn, work, sysfs -> sysfs.blocks().tops(Sysfs.blocks(disks)));
        Optional<String> holder = reads.of(iqn, work, sysfs -> sysfs.blocks().holder(tops));
        return holder.or(() -> use.claim(tops, work));
    }

    /**
     * Takes the maps and the disks away, and sees that they are gone.
     *
     * @param staying disks of the same LUN that stay, and with them the map over both: multipathd takes a path out of
     *     it that goes
     */
    void delete(String iqn, List<Sysfs.Disk> disks, List<Sysfs.Disk> staying, Work work) {
        if (staying.isEmpty()) {
            reads.of(iqn, work, sysfs -> sysfs.blocks().mapNames(Sysfs.blocks(disks)))
                    .forEach(name -> maps.remove(name, work));
            maps.forget(reads.of(iqn, work, _ -> Sysfs.blocks(disks)), work);
        }
        for (Sysfs.Disk disk : disks) {
            files.write("iscsi-delete", disk.folder().resolve("delete"), iqn, "1", work);
            if (reads.of(iqn, work, _ -> Files.exists(disk.folder()))) {
                throw KernelThreads.fault("deleting " + disk.folder(), "the kernel has the device still");
            }
        }
    }
}
