package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.iscsi.Sysfs.Disk;
import dev.fairlead.adapter.node.iscsi.Sysfs.Lun;
import dev.fairlead.adapter.node.iscsi.Sysfs.Session;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.application.port.out.node.OwnSessions;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tells what uses LUNs of iSCSI targets on this node: a mount, a volume of the journal, or whatever the kernel lets
 * claim a disk, in any mount namespace. Tells also of sessions of this driver that no volume of the journal uses;
 * nobody can prove of a session that it is this driver's, since a record and a session of another's may have taken its
 * place, so a human ends them.
 */
record LunUse(Mounts mounts, LunPaths paths, NodeRecords records, IscsiRetry retry) implements OwnSessions {
    /** Says which LUN a mount shows. */
    private record Shown(MountEntry mount, Lun lun) {}

    private LunDevices devices() {
        return paths.devices();
    }

    private List<Shown> shown(String iqn, Work work) {
        List<MountEntry> table = mounts.table(work);
        return devices()
                .reads()
                .ofMounts(
                        iqn,
                        work,
                        sysfs -> table.stream()
                                .flatMap(mount -> sysfs.luns(mount).stream().map(it -> new Shown(mount, it)))
                                .filter(it -> it.lun().session().iqn().equals(iqn))
                                .toList());
    }

    private Stream<Shown> shown(String iqn, int lun, Work work) {
        return shown(iqn, work).stream().filter(it -> it.lun().number() == lun);
    }

    @Override
    public Map<String, String> leftOver(StageJournal.Inventory journal, Work work) {
        Set<String> known = journal.ofEach(Attachment.Iscsi.class, Attachment.Iscsi::iqn);
        Map<String, String> left = new TreeMap<>();
        for (String iqn : devices().reads().of("all targets", work, Sysfs::targets)) {
            if (!known.contains(iqn)) {
                command(iqn, work).ifPresent(it -> left.put(iqn, it));
            }
        }
        return left;
    }

    /** Returns what ends the sessions of a target that are this driver's and show nothing that is mounted. */
    private Optional<String> command(String iqn, Work work) {
        try {
            List<Session> own = devices().reads().of(iqn, work, sysfs -> sysfs.sessions(iqn)).stream()
                    .filter(session -> session.portals().stream()
                            .anyMatch(it -> records.own().hasMadeExactly(iqn, it, session.face())
                                    && records.isManual(iqn, it, work)))
                    .toList();
            return own.isEmpty() || !shown(iqn, work).isEmpty()
                    ? Optional.empty()
                    : Optional.of(own.stream()
                            .map(it -> "iscsiadm -m session -r " + it.number() + " -u")
                            .collect(Collectors.joining("; ")));
        } catch (StorageException _) {
            work.checkCancelled();
            return Optional.empty(); // a target that hangs keeps none of the others from being told
        }
    }

    /** Returns where a LUN is mounted. */
    List<String> mountPoints(String iqn, int lun, Work work) {
        return shown(iqn, lun, work)
                .map(it -> it.mount().mountPoint())
                .distinct()
                .toList();
    }

    private static String inWords(String mountPoint) {
        return "a mount at " + mountPoint;
    }

    /** Refuses to take away the disks of a LUN that something uses. */
    void refuse(IscsiRequest wanted, LunDisks found, Work work) {
        shown(wanted.iqn(), wanted.lun(), work)
                .filter(it -> found.sessions().stream()
                        .anyMatch(own -> own.name().equals(it.lun().session().name())))
                .findFirst()
                .map(it -> inWords(it.mount().mountPoint()))
                .or(() -> devices().user(wanted.iqn(), found.disks(), work))
                .ifPresent(user -> {
                    throw new StorageException(new Failure.InUse(wanted.lunInWords(), user, "take that away first"));
                });
    }

    /** Returns what uses a session besides the volume that is wanted, in words. */
    Optional<String> user(Session session, IscsiRequest wanted, Work work) {
        if (LunDisks.isAnothers(session, records, work)) {
            return Optional.of("whoever logged it in before Fairlead");
        }
        List<Disk> disks = devices().reads().of(wanted.iqn(), work, sysfs -> sysfs.disks(session));
        Set<Integer> luns = retry.lunsOfOthers(wanted.iqn(), wanted.lun(), work);
        return disks.stream()
                .filter(it -> luns.contains(it.lun()))
                .map(it -> "the volume that is LUN " + it.lun())
                .findFirst()
                .or(() -> shown(wanted.iqn(), work).stream()
                        .filter(it -> it.lun().session().name().equals(session.name()))
                        .map(it -> inWords(it.mount().mountPoint()))
                        .findFirst())
                .or(() -> devices().user(wanted.iqn(), disks, work));
    }

    /**
     * Returns the session whose disk of the LUN is in use by itself. Another disk of the LUN beside it would be a
     * second device of one file system, of which the kernel does not know that it is mounted already.
     *
     * @param stale why sessions are lost for good, by their names
     */
    Optional<Session> session(IscsiRequest wanted, String handle, Map<String, String> stale, Work work) {
        List<Session> showing = LunDisks.showing(devices().reads(), wanted, work);
        List<Disk> disks = paths.shown(showing, wanted, work);
        if (disks.isEmpty() || paths.map(disks, wanted, work).isPresent()) {
            return Optional.empty();
        }
        List<Session> users = users(showing, wanted, handle, work);
        if (users.size() > 1) {
            throw LunPaths.unmapped(users.size(), wanted);
        }
        users.stream().filter(it -> !it.isLoggedIn()).forEach(it -> {
            throw new StorageException(new Failure.BackendUnavailable(
                    "of volume " + handle,
                    wanted.lunInWords() + " is in use on this node by " + Sysfs.blocks(disks) + ", whose " + it.name()
                            + " is " + it.state() + ", "
                            + stale.getOrDefault(it.name(), "as its portal does not answer it")
                            + "; without a map of multipathd no other portal can take its place while it is used"));
        });
        return users.stream().findFirst();
    }

    /** Returns the sessions whose disk is mounted; or else all of a LUN that the journal has, or those with a claim. */
    private List<Session> users(List<Session> showing, IscsiRequest wanted, String handle, Work work) {
        Set<String> mounted = shown(wanted.iqn(), wanted.lun(), work)
                .map(it -> it.lun().session().name())
                .collect(Collectors.toSet());
        List<Session> users =
                showing.stream().filter(it -> mounted.contains(it.name())).toList();
        if (!users.isEmpty()) {
            return users;
        }
        return retry.isNoted(wanted, handle)
                ? showing
                : showing.stream()
                        .filter(it -> devices()
                                .user(wanted.iqn(), paths.shown(List.of(it), wanted, work), work)
                                .isPresent())
                        .toList();
    }
}
