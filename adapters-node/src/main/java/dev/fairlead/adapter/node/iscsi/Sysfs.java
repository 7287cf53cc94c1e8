package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.block.BlockTree;
import dev.fairlead.adapter.node.block.SysfsFiles;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads iSCSI sessions and their disks from sysfs, which has them as facts; what tools print of them is prose. It is
 * used by {@link SysfsReads} only.
 *
 * @param root where sysfs is mounted
 */
record Sysfs(Path root) {
    /** The numbers from which a LUN of more than one byte is counted: the flat form of addressing. */
    static final int FLAT = 0x4000;

    private static final String DISK = "[0-9]+:[0-9]+:[0-9]+:[0-9]+";
    private static final String SESSION = "session[0-9]+";

    /**
     * Names a session.
     *
     * @param folder its device's folder, to which the class's entry leads
     * @param portal the portal that was asked for, and the one that answers, which a target may tell apart
     */
    record Session(Path folder, String name, String iqn, String state, String face, List<Address> portal) {
        boolean isLoggedIn() {
            return state.equals("LOGGED_IN");
        }

        String number() {
            return name.substring("session".length());
        }

        /** Returns the number of the SCSI host that the kernel made for the session. */
        String host() {
            return String.valueOf(folder.getParent()).replaceFirst(".*/host", "");
        }

        /** Returns the portal that was asked for, and the one that answers; empty if the kernel tells none. */
        List<Portal> portals() {
            return portal.stream().map(it -> new Portal(it.host(), it.port())).toList();
        }

        boolean isAt(Portal wanted) {
            return portal.stream().anyMatch(it -> wanted.isAt(it.host(), it.port()));
        }
    }

    record Address(String host, int port) {}

    /** Names a LUN by the session that shows it. */
    record Lun(Session session, int number) {
        boolean is(String iqn, int lun) {
            return session.iqn().equals(iqn) && number == lun;
        }
    }

    /**
     * Names a SCSI device of a session.
     *
     * @param type the SCSI peripheral device type; 0 for a disk
     * @param block the name of its block device; empty if the kernel has made none
     */
    record Disk(Path folder, int lun, String type, Optional<String> block) {}

    /** Returns what this sysfs knows of block devices. */
    BlockTree blocks() {
        return new BlockTree(root);
    }

    /** Returns the names of the block devices of these disks. */
    static List<String> blocks(List<Disk> disks) {
        return disks.stream().flatMap(it -> it.block().stream()).toList();
    }

    List<Session> sessions(String iqn) {
        return entries()
                .filter(entry -> SysfsFiles.text(entry.resolve("targetname")).equals(iqn))
                .map(Sysfs::session)
                .toList();
    }

    private Stream<Path> entries() {
        return SysfsFiles.children(root.resolve("class/iscsi_session"), name -> name.matches(SESSION)).stream();
    }

    /** Returns the names of the targets with which there is a session. */
    Set<String> targets() {
        return entries()
                .map(entry -> SysfsFiles.text(entry.resolve("targetname")))
                .filter(iqn -> !iqn.isEmpty())
                .collect(Collectors.toSet());
    }

    private static Session session(Path entry) {
        Path folder = SysfsFiles.real(entry.resolve("device"));
        List<Address> portal = new ArrayList<>();
        for (Path connection : SysfsFiles.children(folder, name -> name.startsWith("connection"))) {
            for (Path facts : SysfsFiles.children(connection.resolve("iscsi_connection"), _ -> true)) {
                address(facts, "persistent_").ifPresent(portal::add);
                address(facts, "").ifPresent(portal::add);
            }
        }
        String face = SysfsFiles.text(entry.resolve("ifacename"));
        return new Session(
                folder,
                SysfsFiles.name(entry),
                SysfsFiles.text(entry.resolve("targetname")),
                SysfsFiles.text(entry.resolve("state")),
                face.equals("default") ? "" : face,
                List.copyOf(portal));
    }

    private static Optional<Address> address(Path facts, String prefix) {
        String host = SysfsFiles.text(facts.resolve(prefix + "address"));
        String port = SysfsFiles.text(facts.resolve(prefix + "port"));
        return host.isEmpty() || !port.matches("[0-9]{1,5}")
                ? Optional.empty()
                : Optional.of(new Address(host.replaceAll("[\\[\\]]", ""), Integer.parseInt(port)));
    }

    /** Returns a fact of a session; empty if the kernel does not tell it to this process. */
    Optional<String> fact(Session session, String name) {
        Path file = root.resolve("class/iscsi_session").resolve(session.name()).resolve(name);
        return Optional.of(SysfsFiles.text(file)).filter(it -> !it.isEmpty());
    }

    List<Disk> disks(Session session) {
        List<Disk> disks = new ArrayList<>();
        for (Path target : SysfsFiles.children(session.folder(), name -> name.startsWith("target"))) {
            for (Path disk : SysfsFiles.children(target, name -> name.matches(DISK))) {
                disks.add(new Disk(
                        disk,
                        lun(SysfsFiles.name(disk)),
                        SysfsFiles.text(disk.resolve("type")),
                        SysfsFiles.children(disk.resolve("block"), _ -> true).stream()
                                .map(SysfsFiles::name)
                                .findFirst()));
            }
        }
        return disks;
    }

    /** Returns the disks of one LUN of a session: one, or none. */
    List<Disk> disks(Session session, int lun) {
        return disks(session).stream().filter(disk -> disk.lun() == lun).toList();
    }

    /** Returns the disks of one LUN of a target, one for each session that shows it. */
    List<Disk> disks(String iqn, int lun) {
        return sessions(iqn).stream()
                .flatMap(session -> disks(session, lun).stream())
                .toList();
    }

    /** Returns the identity that a disk tells of itself; empty if it tells none. */
    static String wwid(Disk disk) {
        return SysfsFiles.text(disk.folder().resolve("wwid"));
    }

    /** Returns the LUNs of iSCSI targets that a mount's device is made of, over maps and partitions. */
    List<Lun> luns(MountEntry mount) {
        return blocks().beneath(mount).stream().flatMap(it -> lun(it).stream()).toList();
    }

    /** Returns the LUN in whose folder a device's folder lies; empty if it is of no iSCSI session. */
    private Optional<Lun> lun(Path device) {
        Optional<Path> entry = Optional.empty();
        for (Path part : device) {
            String name = part.toString();
            if (name.matches(SESSION)) {
                entry = Optional.of(root.resolve("class/iscsi_session").resolve(name));
            } else if (entry.isPresent() && name.matches(DISK)) {
                return entry.filter(Files::exists).map(it -> new Lun(session(it), lun(name)));
            }
        }
        return Optional.empty();
    }

    /** Returns the LUN of a SCSI device by its name, {@code host:channel:target:lun}. */
    static int lun(String device) {
        long lun = Long.parseLong(device.substring(device.lastIndexOf(':') + 1));
        return lun >= FLAT && lun < 2 * FLAT ? (int) (lun - FLAT) : (int) Math.min(lun, Integer.MAX_VALUE);
    }
}
