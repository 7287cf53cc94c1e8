package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.block.AttachLocks;
import dev.fairlead.adapter.node.block.PathRetry;
import dev.fairlead.adapter.node.iscsi.Sysfs.Disk;
import dev.fairlead.adapter.node.iscsi.Sysfs.Session;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs in at portals that have no session, for as long as a volume of their target is attached by others. The volumes
 * are those of the journal, and the credentials those of open-iscsi's own records, so that this goes on after a restart
 * and nothing secret is kept for it.
 *
 * <p>Only a LUN that multipathd has made a map of gets further paths: beside a disk that is used by itself they would
 * be of no use, and the next staging would find several disks without a map.
 */
final class IscsiRetry {
    private static final Logger log = LoggerFactory.getLogger(IscsiRetry.class);

    private final IscsiLogins logins;
    private final LunPaths paths;
    private final StageJournal journal;
    private final AttachLocks locks;
    private final PathRetry retry;
    private final Map<String, Seen> seen = new ConcurrentHashMap<>();

    /** @param round the time before the first attempt */
    IscsiRetry(
            IscsiLogins logins,
            LunPaths paths,
            StageJournal journal,
            AttachLocks locks,
            ThreadFactory threads,
            Duration round) {
        this.logins = logins;
        this.paths = paths;
        this.journal = journal;
        this.locks = locks;
        this.retry = new PathRetry(this::leavesMissing, threads, round);
    }

    /**
     * Holds a volume of the target.
     *
     * @param wwid the identity that its LUN had when it was attached
     * @param byNetwork whether the node's own network leads to its portals, as far as is known: an interface of
     *     open-iscsi may be an adapter with a network of its own
     */
    private record Volume(IscsiRequest request, String wwid, boolean byNetwork) {
        private static Volume of(Attachment.Iscsi attachment, String wwid) {
            IscsiRequest request = IscsiRequest.of(attachment, Map.of());
            return new Volume(
                    request.withoutInterface(),
                    wwid,
                    request.initiatorInterface().isEmpty());
        }
    }

    /** Names a LUN that a session does not show. */
    private record Absent(Session session, IscsiRequest request) {}

    /**
     * Remembers of a target what the last attempt found.
     *
     * @param absent the LUNs that sessions did not show, although they were waited for
     * @param refused the disks of others that were told
     */
    private record Seen(Set<Absent> absent, Set<String> refused) {
        private static Seen nothing() {
            return new Seen(ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet());
        }
    }

    private SysfsReads reads() {
        return paths.devices().reads();
    }

    void keep(String iqn, Work work) {
        retry.keep(iqn, work);
    }

    /** Returns the portals that attached volumes of a target name, except one LUN of it. */
    Set<Portal> portalsOfOthers(String iqn, int lun, Work work) {
        return attached(iqn, work).stream()
                .filter(it -> it.request().lun() != lun)
                .flatMap(it -> it.request().portals().stream())
                .collect(Collectors.toSet());
    }

    /**
     * Returns whether the journal has a LUN for another volume, or for this one as a raw device, which no mount shows.
     */
    boolean isNoted(IscsiRequest wanted, String handle) {
        return journal.inventory().entries().stream()
                .filter(it -> it.block() || !it.handle().equals(handle))
                .flatMap(it -> volume(it, wanted.iqn()).stream())
                .anyMatch(it -> it.request().lun() == wanted.lun());
    }

    /** Returns the LUNs of a target that are attached volumes, except one. */
    Set<Integer> lunsOfOthers(String iqn, int lun, Work work) {
        return attached(iqn, work).stream()
                .map(it -> it.request().lun())
                .filter(it -> it != lun)
                .collect(Collectors.toSet());
    }

    /** Returns the volumes of a target of which the node has a disk; those that are just detached have none. */
    private List<Volume> attached(String iqn, Work work) {
        List<Volume> volumes = journal.inventory().entries().stream()
                .flatMap(entry -> volume(entry, iqn).stream())
                .toList();
        return reads().of(
                        iqn,
                        work,
                        sysfs -> volumes.stream()
                                .filter(it ->
                                        !sysfs.disks(iqn, it.request().lun()).isEmpty())
                                .toList());
    }

    private static List<Volume> volume(StageJournal.Entry entry, String iqn) {
        String wwid = entry.facts().getOrDefault(LunDisks.WWID, "");
        return entry.attachment() instanceof Attachment.Iscsi volume
                        && volume.iqn().equals(iqn)
                        && !wwid.isEmpty()
                ? List.of(Volume.of(volume, wwid))
                : List.of();
    }

    /** Returns the volumes of a target that multipathd has made a map of. */
    private List<Volume> joined(String iqn, Work work) {
        List<Volume> volumes = attached(iqn, work);
        return reads().of(
                        iqn,
                        work,
                        sysfs -> volumes.stream()
                                .filter(it -> sysfs.blocks()
                                        .map(Sysfs.blocks(
                                                sysfs.disks(iqn, it.request().lun())))
                                        .isPresent())
                                .toList());
    }

    private List<Portal> missing(List<Volume> volumes, String iqn, Work work) {
        return reads().of(
                        iqn,
                        work,
                        sysfs -> volumes.stream()
                                .flatMap(it -> IscsiLogins.missing(sysfs, it.request()).stream())
                                .distinct()
                                .toList());
    }

    /** Logs in at the portals of a target that answer; returns whether one of an attached volume is still missing. */
    boolean leavesMissing(String iqn, Work work) {
        List<Volume> asked =
                joined(iqn, work).stream().filter(Volume::byNetwork).toList();
        List<Portal> silent = logins.probes().silent(missing(asked, iqn, work), work);
        Seen before = seen.computeIfAbsent(iqn, _ -> Seen.nothing());
        Set<Absent> absent;
        try (AttachLocks.Turn turn = locks.hold(IscsiRequest.target(iqn), work)) {
            List<Volume> volumes = joined(iqn, work); // some may have been detached meanwhile
            if (volumes.isEmpty()) {
                seen.remove(iqn);
                return false;
            }
            List<Portal> missing = missing(volumes, iqn, work);
            List<Portal> answering =
                    missing.stream().filter(it -> !silent.contains(it)).toList();
            List<String> troubles = logins.logInAgain(volumes.getFirst().request(), answering, turn, work);
            told(iqn, missing, missing(volumes, iqn, work), troubles, work);
            absent = scanned(volumes, work);
        }
        Set<Absent> waited = new HashSet<>(absent);
        waited.removeAll(before.absent()); // what did not come then is looked at now, and not waited for
        var _ = paths.appearing().until(() -> waited.stream().allMatch(it -> isShown(it, work)), work);
        before.absent().clear();
        absent.stream().filter(it -> !isShown(it, work)).forEach(before.absent()::add);
        return isStillMissing(iqn, before.refused(), work);
    }

    /** Looks for the LUNs of volumes by all sessions that do not show them, and returns these. */
    private Set<Absent> scanned(List<Volume> volumes, Work work) {
        return volumes.stream()
                .map(Volume::request)
                .flatMap(it ->
                        paths.scanned(sessions(it, work), it, work).stream().map(session -> new Absent(session, it)))
                .collect(Collectors.toSet());
    }

    private boolean isShown(Absent one, Work work) {
        return !paths.shown(List.of(one.session()), one.request(), work).isEmpty();
    }

    private boolean isStillMissing(String iqn, Set<String> refused, Work work) {
        try (AttachLocks.Turn _ = locks.hold(IscsiRequest.target(iqn), work)) {
            List<Volume> volumes = joined(iqn, work); // as before, some may have been detached meanwhile
            boolean whole =
                    volumes.stream().filter(it -> isWhole(it, refused, work)).count() == volumes.size();
            boolean missing = !whole || !missing(volumes, iqn, work).isEmpty();
            if (!missing) {
                seen.remove(iqn);
            }
            return missing;
        }
    }

    private static void told(String iqn, List<Portal> before, List<Portal> left, List<String> troubles, Work work) {
        if (left.size() < before.size()) {
            log.atInfo()
                    .addKeyValue("target", iqn)
                    .addKeyValue("missing", left)
                    .log("the node is logged in at a portal again at which it had no session");
        }
        if (!troubles.isEmpty()) {
            log.atDebug()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("target", iqn)
                    .addKeyValue("portals", troubles)
                    .log("portals of a target do not let the node in");
        }
    }

    /** Returns whether all sessions show a volume's LUN; what is another disk is taken away. */
    private boolean isWhole(Volume volume, Set<String> refused, Work work) {
        IscsiRequest request = volume.request();
        List<Session> sessions = sessions(request, work);
        List<Session> whole = new ArrayList<>();
        for (Session session : sessions) {
            List<Disk> disks = paths.shown(List.of(session), request, work);
            List<Disk> others = reads().of(
                            request.iqn(),
                            work,
                            _ -> disks.stream()
                                    .filter(it -> isAnother(Sysfs.wwid(it), volume.wwid()))
                                    .toList());
            if (!others.isEmpty()) {
                refuse(session, others, request, refused, work);
            } else if (!disks.isEmpty()) {
                whole.add(session);
            }
        }
        return whole.size() == sessions.size();
    }

    /** Returns the sessions at a volume's portals that work. */
    private List<Session> sessions(IscsiRequest request, Work work) {
        return reads().of(
                        request.iqn(),
                        work,
                        sysfs -> sysfs.sessions(request.iqn()).stream()
                                .filter(Session::isLoggedIn)
                                .filter(it -> request.portals().stream().anyMatch(it::isAt))
                                .toList());
    }

    /** Returns whether a disk tells that it is not the volume's; one whose identity cannot be read tells nothing. */
    private static boolean isAnother(String wwid, String volume) {
        return !wwid.isEmpty() && !wwid.equals(volume);
    }

    /** Takes disks away that nothing is made of and nobody uses, and tells of them once. */
    private void refuse(Session session, List<Disk> others, IscsiRequest request, Set<String> refused, Work work) {
        // A raw device that is published has no user while nobody has it open, but it has a map.
        boolean mapped = reads().of(
                        request.iqn(),
                        work,
                        sysfs -> sysfs.blocks().mapName(Sysfs.blocks(others)).isPresent());
        boolean stays =
                mapped || paths.devices().user(request.iqn(), others, work).isPresent();
        if (refused.add(session.name() + " " + request.lun() + " " + stays)) {
            log.atWarn()
                    .addKeyValue("target", request.iqn())
                    .addKeyValue("lun", request.lun())
                    .addKeyValue("session", session.name())
                    .log("a portal shows another disk than the volume has; "
                            + (stays ? "it is in use, and stays" : "it is taken away again")
                            + ". The portals of a volume have to lead to one target");
        }
        if (!stays) {
            paths.devices().delete(request.iqn(), others, List.of(), work);
        }
    }
}
