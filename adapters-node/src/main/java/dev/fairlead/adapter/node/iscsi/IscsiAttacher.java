package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.block.AttachLocks;
import dev.fairlead.adapter.node.iscsi.Sysfs.Disk;
import dev.fairlead.adapter.node.iscsi.Sysfs.Session;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.application.port.out.node.OwnSessions;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.health.VolumePath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attaches a LUN of an iSCSI target by open-iscsi, with static node records and without discovery.
 *
 * <p>The disk is found by sysfs: session, portal, LUN, block device. What is taken away is this LUN's alone; a session
 * ends only once no disk of it is left.
 */
final class IscsiAttacher implements Attacher<Attachment.Iscsi> {
    private static final Logger log = LoggerFactory.getLogger(IscsiAttacher.class);
    private static final Set<String> NO_STORAGE = Set.of("12", "13", "31");

    private final SysfsReads reads;
    private final IscsiLogins logins;
    private final NodeRecords records;
    private final LunDevices devices;
    private final LunPaths paths;
    private final AttachLocks locks;
    private final IscsiRetry retry;
    private final LunUse use;
    private final StaleSessions stale;

    IscsiAttacher(Mounts mounts, IscsiLogins logins, LunPaths paths, AttachLocks locks, IscsiRetry retry) {
        this.reads = paths.devices().reads();
        this.logins = logins;
        this.records = logins.records();
        this.devices = paths.devices();
        this.paths = paths;
        this.locks = locks;
        this.retry = retry;
        this.use = new LunUse(mounts, paths, records, retry);
        this.stale = new StaleSessions(logins, devices, use);
    }

    @Override
    public Class<Attachment.Iscsi> handles() {
        return Attachment.Iscsi.class;
    }

    @Override
    public String identity(Attachment.Iscsi attachment) {
        return "LUN " + attachment.lun() + " of " + attachment.iqn();
    }

    @Override
    public boolean offersBlock() {
        return true;
    }

    @Override
    public boolean outlivesMount() {
        return true;
    }

    @Override
    public OwnSessions sessions() {
        return use;
    }

    @Override
    public void check(Attach<Attachment.Iscsi> request) {
        var _ = IscsiRequest.of(request);
    }

    /** Notes at which host the target is, so that calls for all targets of a host count together. */
    private IscsiRequest noted(IscsiRequest request) {
        request.portals().stream()
                .map(Portal::host)
                .sorted()
                .findFirst()
                .ifPresent(host -> reads.threads().note(request.iqn(), host));
        return request;
    }

    @Override
    public Attached attach(Attach<Attachment.Iscsi> request, Work work) {
        IscsiRequest wanted = usable(noted(IscsiRequest.of(request)), request.handle(), work);
        try (AttachLocks.Turn turn = locks.hold(wanted.target(), work)) {
            Map<String, String> lost = stale.end(wanted, work);
            Optional<Session> user = use.session(wanted, request.handle(), lost, work);
            List<Disk> disks = user.map(it -> paths.disks(List.of(it), wanted, request.handle(), work))
                    .orElseGet(() -> disks(wanted, request.handle(), lost, turn, work));
            devices.rescan(wanted.iqn(), disks, work);
            String wwid = paths.wwid(disks, wanted, request.handle(), work);
            Path node = devices.node(paths.device(disks, wanted, user.isPresent(), work));
            if (!paths.appearing().until(() -> reads.of(wanted.iqn(), work, _ -> Files.exists(node)), work)) {
                throw KernelThreads.fault(
                        "attaching " + wanted.lunInWords(),
                        node + " is missing; the node's /dev has to be visible to this process");
            }
            Map<String, String> facts = new HashMap<>(Map.of(LunDisks.WWID, wwid, LunDisks.TARGET, wanted.iqn()));
            restorePaths(request.attachment(), facts, work);
            return new Attached.Device(node, facts);
        }
    }

    /**
     * Returns the LUN's disks by the sessions at its portals. If none of them shows it, portals that were left out
     * since they did not answer are asked again: no volume fails for what is remembered of one.
     */
    private List<Disk> disks(
            IscsiRequest wanted, String handle, Map<String, String> lost, AttachLocks.Turn turn, Work work) {
        List<Session> sessions = logins.logIn(wanted, handle, lost, turn, work);
        try {
            return paths.disks(sessions, wanted, handle, work);
        } catch (StorageException e) {
            work.checkCancelled();
            if (!logins.findsAnswering(wanted, work)) {
                throw e;
            }
        }
        return paths.disks(logins.logIn(wanted, handle, lost, turn, work), wanted, handle, work);
    }

    /** Returns the request without an interface that this node does not have; democratic-csi never used any. */
    private IscsiRequest usable(IscsiRequest request, String handle, Work work) {
        String face = request.initiatorInterface();
        if (face.isEmpty() || records.hasInterface(face, work)) {
            return request;
        }
        log.atWarn()
                .addKeyValue("request", work.requestId())
                .addKeyValue("volume", handle)
                .addKeyValue("interface", face)
                .log("the volume names an interface that open-iscsi does not have on this node, so the usual one is"
                        + " taken; iscsiadm -m iface -I NAME -o new makes one");
        return request.withoutInterface();
    }

    @Override
    public void detach(Attachment.Iscsi attachment, Map<String, String> facts, Work work) {
        IscsiRequest wanted = noted(IscsiRequest.of(attachment, Map.of()));
        try (AttachLocks.Turn _ = locks.hold(wanted.target(), work)) {
            boolean takenOver = facts.containsKey(RECOGNISED);
            LunDisks found = LunDisks.of(reads, records, wanted, takenOver, work);
            if (!found.others().isEmpty()) {
                log.atInfo()
                        .addKeyValue("request", work.requestId())
                        .addKeyValue("target", wanted.iqn())
                        .addKeyValue("lun", wanted.lun())
                        .log("a session that others logged in is left as it was found");
            }
            use.refuse(wanted, found, work);
            devices.delete(wanted.iqn(), found.disks(), found.others(), work);
            Set<Portal> left = new LinkedHashSet<>();
            for (Session session : unused(wanted, work)) {
                if (takenOver || !LunDisks.isAnothers(session, records, work)) {
                    logins.logOut(session, work);
                    left.addAll(session.portals()); // another volume of the LUN may have named them
                }
            }
            removeRecords(wanted, left, takenOver, work);
        }
    }

    /**
     * Removes the records of portals whose sessions have ended, and those of the target at which no login succeeded,
     * unless a session or another LUN needs them.
     *
     * @param anyones whether those of others go, too, as after a volume of another driver
     */
    private void removeRecords(IscsiRequest wanted, Set<Portal> ended, boolean anyones, Work work) {
        String iqn = wanted.iqn();
        Set<Portal> left = new LinkedHashSet<>(ended);
        List<Session> staying = reads.of(iqn, work, sysfs -> sysfs.sessions(iqn));
        boolean ofAnother = staying.stream().allMatch(it -> LunDisks.isAnothers(it, records, work));
        if (staying.isEmpty()) {
            left.addAll(records.own(iqn, work));
        } else if (ofAnother) {
            left.addAll(records.made(iqn, work)); // what an older version made may be the other's
        }
        if (staying.isEmpty() || !ofAnother || anyones) {
            left.addAll(missing(wanted, work));
        }
        left.removeAll(retry.portalsOfOthers(iqn, wanted.lun(), work));
        left.removeIf(portal -> staying.stream().anyMatch(it -> it.portals().contains(portal)));
        if (anyones) {
            records.removeAll(iqn, List.copyOf(left), work);
        } else {
            records.remove(iqn, List.copyOf(left), work);
        }
    }

    /**
     * Returns the sessions that have no disk of anybody's. A login by the record of another shows LUNs that nobody
     * asked for, so the disks that nobody uses are taken away there.
     */
    private List<Session> unused(IscsiRequest wanted, Work work) {
        String iqn = wanted.iqn();
        for (Session session : reads.of(iqn, work, sysfs -> sysfs.sessions(iqn))) {
            if (records.isLoggedInByAnothers(iqn, session.portals(), work)
                    && use.user(session, wanted, work).isEmpty()) {
                devices.delete(iqn, reads.of(iqn, work, sysfs -> sysfs.disks(session)), List.of(), work);
            }
        }
        return reads.of(iqn, work, sysfs -> unused(sysfs, iqn));
    }

    private static List<Session> unused(Sysfs sysfs, String iqn) {
        return sysfs.sessions(iqn).stream()
                .filter(session -> sysfs.disks(session).stream().allMatch(it -> NO_STORAGE.contains(it.type())))
                .toList();
    }

    @Override
    public void restorePaths(Attachment.Iscsi attachment, Map<String, String> facts, Work work) {
        if (!missing(noted(IscsiRequest.of(attachment, Map.of())), work).isEmpty()) {
            retry.keep(attachment.iqn(), work);
        }
    }

    /** Returns the portals at which there is no session, by whatever interface. */
    private List<Portal> missing(IscsiRequest request, Work work) {
        return reads.of(request.iqn(), work, sysfs -> IscsiLogins.missing(sysfs, request));
    }

    @Override
    public void rescan(Attachment.Iscsi attachment, Work work) {
        IscsiRequest wanted = IscsiRequest.of(attachment, Map.of());
        devices.rescan(
                wanted.iqn(), reads.of(wanted.iqn(), work, sysfs -> sysfs.disks(wanted.iqn(), wanted.lun())), work);
    }

    @Override
    public List<VolumePath> paths(Attachment.Iscsi attachment, Work work) {
        return new IscsiPaths(reads).of(IscsiRequest.of(attachment, Map.of()), work);
    }

    @Override
    public boolean shows(Attachment.Iscsi attachment, MountEntry mount, Work work) {
        return mount.isOfDevice()
                && reads.of(
                        mount,
                        work,
                        sysfs -> sysfs.luns(mount).stream().anyMatch(it -> it.is(attachment.iqn(), attachment.lun())));
    }

    @Override
    public Optional<Attachment.Iscsi> recognise(MountEntry mount, Work work) {
        return mount.isOfDevice()
                ? reads.of(
                        mount,
                        work,
                        sysfs -> sysfs.luns(mount).stream().findFirst().map(it -> attachment(sysfs, it)))
                : Optional.empty();
    }

    private static Attachment.Iscsi attachment(Sysfs sysfs, Sysfs.Lun lun) {
        List<String> portals = sysfs.sessions(lun.session().iqn()).stream()
                .flatMap(it -> it.portals().stream().limit(1))
                .map(Portal::toString)
                .distinct()
                .toList();
        return new Attachment.Iscsi(
                portals.isEmpty() ? "" : portals.getFirst(),
                portals.stream().skip(1).toList(),
                lun.session().face(),
                lun.session().iqn(),
                lun.number());
    }

    @Override
    public List<String> mountPoints(Attachment.Iscsi attachment, Work work) {
        return use.mountPoints(attachment.iqn(), attachment.lun(), work);
    }
}
