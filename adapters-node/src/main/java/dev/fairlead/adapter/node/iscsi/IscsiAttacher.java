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
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
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
import java.util.stream.Collectors;
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

    private final Mounts mounts;
    private final SysfsReads reads;
    private final IscsiLogins logins;
    private final NodeRecords records;
    private final LunDevices devices;
    private final LunPaths paths;
    private final AttachLocks locks;
    private final IscsiRetry retry;
    private final StaleSessions stale;

    IscsiAttacher(Mounts mounts, IscsiLogins logins, LunPaths paths, AttachLocks locks, IscsiRetry retry) {
        this.mounts = mounts;
        this.reads = paths.devices().reads();
        this.logins = logins;
        this.records = logins.records();
        this.devices = paths.devices();
        this.paths = paths;
        this.locks = locks;
        this.retry = retry;
        this.stale = new StaleSessions(logins, devices, mounts, retry);
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
    public void check(Attach<Attachment.Iscsi> request) {
        var _ = IscsiRequest.of(request);
    }

    @Override
    public Attached attach(Attach<Attachment.Iscsi> request, Work work) {
        IscsiRequest wanted = usable(IscsiRequest.of(request), request.handle(), work);
        try (AttachLocks.Turn turn = locks.hold(wanted.target(), work)) {
            Map<String, String> lost = stale.end(wanted, work);
            Optional<Session> user = user(wanted, request.handle(), lost, work);
            List<Session> sessions =
                    user.map(List::of).orElseGet(() -> logins.logIn(wanted, request.handle(), lost, turn, work));
            List<Disk> disks = paths.disks(sessions, wanted, request.handle(), work);
            devices.rescan(wanted.iqn(), disks, work);
            String wwid = paths.wwid(disks, wanted, request.handle(), work);
            Path node = devices.node(paths.device(disks, wanted, user.isPresent(), work));
            if (!paths.appearing().until(() -> reads.of(wanted.iqn(), work, _ -> Files.exists(node)), work)) {
                throw KernelThreads.fault(
                        "attaching " + wanted.lunInWords(),
                        node + " is missing; the node's /dev has to be visible to this process");
            }
            Map<String, String> facts = new HashMap<>(Map.of(LunDisks.WWID, wwid, LunDisks.TARGET, wanted.iqn()));
            if (LunDisks.of(reads, records, wanted, work).isAnothers()) {
                facts.put(LunDisks.ANOTHERS, "the session was there before");
            }
            restorePaths(request.attachment(), facts, work);
            return new Attached.Device(node, facts);
        }
    }

    /**
     * Returns the session whose disk of the LUN is in use by itself. Another disk of the LUN beside it would be a
     * second device of one file system, of which the kernel does not know that it is mounted already.
     *
     * @param stale why sessions are lost for good, by their names
     */
    private Optional<Session> user(IscsiRequest wanted, String handle, Map<String, String> stale, Work work) {
        List<Session> showing = LunDisks.of(reads, records, wanted, work).sessions();
        List<Disk> disks = paths.shown(showing, wanted, work);
        if (disks.isEmpty() || paths.map(disks, wanted, work).isPresent()) {
            return Optional.empty();
        }
        List<Session> users = mounted(showing, wanted, work);
        if (users.isEmpty() && retry.isNoted(wanted, handle)) {
            users = showing;
        }
        if (users.isEmpty()) {
            users = showing.stream()
                    .filter(it -> devices.user(wanted.iqn(), paths.shown(List.of(it), wanted, work), work)
                            .isPresent())
                    .toList();
        }
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

    private List<Session> mounted(List<Session> sessions, IscsiRequest wanted, Work work) {
        List<MountEntry> table = mounts.table(work);
        return reads.of("mounts of " + wanted.iqn(), work, sysfs -> {
            Set<String> names = table.stream()
                    .flatMap(mount -> sysfs.luns(mount).stream())
                    .filter(it -> it.is(wanted.iqn(), wanted.lun()))
                    .map(it -> it.session().name())
                    .collect(Collectors.toSet());
            return sessions.stream().filter(it -> names.contains(it.name())).toList();
        });
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
        IscsiRequest wanted = IscsiRequest.of(attachment, Map.of());
        try (AttachLocks.Turn _ = locks.hold(wanted.target(), work)) {
            LunDisks found = LunDisks.of(reads, records, wanted, work);
            if (found.isAnothers() && !LunDisks.isTakenOver(facts)) {
                log.atInfo()
                        .addKeyValue("request", work.requestId())
                        .addKeyValue("target", wanted.iqn())
                        .addKeyValue("lun", wanted.lun())
                        .log("a session that others logged in is left as it was found");
                removeRecords(wanted, Set.of(), work);
                return;
            }
            refuseIfUsed(found.disks(), wanted, work);
            devices.delete(wanted.iqn(), found.disks(), work);
            Set<Portal> left = new LinkedHashSet<>();
            for (Session session : reads.of(wanted.iqn(), work, sysfs -> unused(sysfs, wanted.iqn()))) {
                if (LunDisks.isTakenOver(facts) || !LunDisks.isAnothers(session, records, work)) {
                    logins.logOut(session, work);
                    left.addAll(session.portals()); // another volume of the LUN may have named them
                }
            }
            left.addAll(missing(wanted, work));
            removeRecords(wanted, left, work);
        }
    }

    /** Removes records that no session and no other LUN needs: these, and those at which no login succeeded. */
    private void removeRecords(IscsiRequest wanted, Set<Portal> portals, Work work) {
        Set<Portal> left = new LinkedHashSet<>(portals);
        List<Session> staying = reads.of(wanted.iqn(), work, sysfs -> sysfs.sessions(wanted.iqn()));
        if (staying.stream().allMatch(it -> LunDisks.isAnothers(it, records, work))) {
            left.addAll(records.own(wanted.iqn(), work));
        }
        left.removeAll(retry.portalsOfOthers(wanted.iqn(), wanted.lun(), work));
        left.removeIf(portal -> staying.stream().anyMatch(it -> it.portals().contains(portal)));
        records.remove(wanted.iqn(), List.copyOf(left), work);
    }

    /** Returns the sessions that have no disk of anybody's. */
    private static List<Session> unused(Sysfs sysfs, String iqn) {
        return sysfs.sessions(iqn).stream()
                .filter(session -> sysfs.disks(session).stream().allMatch(it -> NO_STORAGE.contains(it.type())))
                .toList();
    }

    @Override
    public void restorePaths(Attachment.Iscsi attachment, Map<String, String> facts, Work work) {
        if (!missing(IscsiRequest.of(attachment, Map.of()), work).isEmpty()) {
            retry.keep(attachment.iqn(), work);
        }
    }

    /** Returns the portals at which there is no session, by whatever interface. */
    private List<Portal> missing(IscsiRequest request, Work work) {
        return reads.of(request.iqn(), work, sysfs -> IscsiLogins.missing(sysfs, request));
    }

    private void refuseIfUsed(List<Disk> disks, IscsiRequest wanted, Work work) {
        mountPoints(wanted.iqn(), wanted.lun(), work).stream()
                .findFirst()
                .map(place -> "a mount at " + place)
                .or(() -> devices.user(wanted.iqn(), disks, work))
                .ifPresent(user -> {
                    throw new StorageException(new Failure.InUse(wanted.lunInWords(), user, "take that away first"));
                });
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
                && reads.of(about(mount), work, sysfs -> isOf(sysfs, mount, attachment.iqn(), attachment.lun()));
    }

    private static String about(MountEntry mount) {
        return "mount " + mount.id();
    }

    private static boolean isOf(Sysfs sysfs, MountEntry mount, String iqn, int lun) {
        return sysfs.luns(mount).stream().anyMatch(it -> it.is(iqn, lun));
    }

    @Override
    public Optional<Attachment.Iscsi> recognise(MountEntry mount, Work work) {
        return mount.isOfDevice()
                ? reads.of(
                        about(mount),
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
        return mountPoints(attachment.iqn(), attachment.lun(), work);
    }

    private List<String> mountPoints(String iqn, int lun, Work work) {
        List<MountEntry> table = mounts.table(work);
        return reads.of(
                "mounts of " + iqn,
                work,
                sysfs -> table.stream()
                        .filter(mount -> isOf(sysfs, mount, iqn, lun))
                        .map(MountEntry::mountPoint)
                        .toList());
    }
}
