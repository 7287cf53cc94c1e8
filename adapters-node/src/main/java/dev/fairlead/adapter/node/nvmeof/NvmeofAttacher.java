package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.adapter.node.block.AttachLocks;
import dev.fairlead.adapter.node.block.BlockUse;
import dev.fairlead.adapter.node.block.MultipathMaps;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.kernel.KernelWait;
import dev.fairlead.adapter.node.nvmeof.NvmeofSysfs.Controller;
import dev.fairlead.adapter.node.nvmeof.NvmeofSysfs.Namespace;
import dev.fairlead.adapter.node.nvmeof.NvmeofSysfs.Place;
import dev.fairlead.adapter.node.share.ShareValues;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.application.port.out.node.OwnSessions;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.health.VolumePath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Attaches a namespace of an NVMe-oF subsystem by the kernel, without discovery.
 *
 * <p>The block device is found by sysfs: subsystem, controller, namespace. A namespace has no connection of its own, so
 * those of its subsystem end with the last namespace that this node uses.
 */
final class NvmeofAttacher implements Attacher<Attachment.Nvmeof> {
    /** The fact that no way of the volume has keys, so that it can be tried by what the journal has. */
    private static final String KEYLESS = "keyless";

    private static final KernelWait SCAN = new KernelWait(Duration.ofSeconds(1));

    private static final String EARLIER = "whoever connected it before Fairlead attached a volume of it";

    private static final Logger log = LoggerFactory.getLogger(NvmeofAttacher.class);

    private final Mounts mounts;
    private final AttachedVolumes volumes;
    private final NvmeofReads reads;
    private final NvmeofConnections connections;
    private final UnusedConnections unused;
    private final StaleControllers stale;
    private final NvmeofRetry retry;
    private final BlockUse use;
    private final AttachLocks locks;
    private final OwnConnections own;
    private final MultipathMaps maps;
    private final NamespaceDevices devices;

    NvmeofAttacher(UnusedConnections unused, NvmeofRetry retry, NamespaceDevices devices) {
        this.unused = unused;
        this.stale = new StaleControllers(unused);
        this.mounts = unused.mounts();
        this.volumes = unused.volumes();
        this.connections = unused.connections();
        this.reads = connections.reads();
        this.retry = retry;
        this.use = devices.use();
        this.locks = unused.locks();
        this.own = unused.own();
        this.maps = devices.maps();
        this.devices = devices;
    }

    @Override
    public Class<Attachment.Nvmeof> handles() {
        return Attachment.Nvmeof.class;
    }

    @Override
    public String identity(Attachment.Nvmeof attachment) {
        return "namespace " + attachment.nsid() + " of " + attachment.nqn();
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
        return unused;
    }

    @Override
    public void check(Attach<Attachment.Nvmeof> request) {
        ShareValues.checkFlags(request);
        var _ = NvmeofRequest.of(request.attachment(), request.secrets());
        boolean shown = NvmeofTransport.of(request.attachment()).stream()
                .anyMatch(it -> !it.options().secrets().isEmpty());
        if (shown) {
            log.atWarn()
                    .addKeyValue("volume", request.handle())
                    .log("the volume's transport holds a key, which everybody can read who may list PersistentVolumes;"
                            + " move it to the key dhchap_secret of its node-stage secret");
        }
    }

    @Override
    public Attached attach(Attach<Attachment.Nvmeof> request, Work work) {
        NvmeofRequest wanted = NvmeofRequest.of(request.attachment(), request.secrets());
        reads.note(request.attachment());
        try (AttachLocks.Turn _ = locks.hold(NvmeofRequest.subsystem(wanted.nqn()), work)) {
            volumes.attaching(new Place(wanted.nqn(), wanted.nsid()));
            stale.end(wanted, work);
            boolean connected = !connections.controllers(wanted.nqn(), work).isEmpty();
            if (!connected) {
                own.connecting(wanted.nqn(), work);
            }
            List<TransportTrouble> troubles = connections.connect(wanted, unused, work);
            if (!isLive(wanted.nqn(), work)) {
                throw TransportTrouble.failure(request.handle(), wanted, troubles);
            }
            refuseUnencrypted(wanted, work);
            told(request.handle(), troubles, work);
            retry.keep(wanted, troubles, work);
            if (connected) {
                connections.rescan(wanted.nqn(), work);
            }
            Path device = devices.device(wanted, request.handle(), work);
            Map<String, String> facts = facts(wanted, work);
            own.attached(wanted.nqn(), work);
            return new Attached.Device(device, facts);
        }
    }

    /** Refuses what somebody connected without TLS, in the place of using it as if it had it. */
    private void refuseUnencrypted(NvmeofRequest wanted, Work work) {
        List<Controller> plain = connections.unencrypted(wanted, work);
        if (!plain.isEmpty()) {
            throw KernelThreads.fault(
                    "connecting to NVMe subsystems",
                    "the volume asks for TLS, and the node is connected to " + wanted.nqn() + " without TLS: "
                            + plain.stream()
                                    .map(it -> it.name() + " by " + NvmeofTransport.uri(it))
                                    .toList()
                            + "; once nothing uses the subsystem, nvme disconnect -n " + wanted.nqn()
                            + " ends that, and the volume is connected anew");
        }
    }

    private Map<String, String> facts(NvmeofRequest wanted, Work work) {
        Map<String, String> facts =
                new HashMap<>(Map.of("subsystem", wanted.nqn(), "wwid", devices.identity(wanted, work)));
        if (wanted.transports().stream().allMatch(it -> it.options().secrets().isEmpty())) {
            facts.put(KEYLESS, "no way of it needs a key");
        }
        return facts;
    }

    @Override
    public void restorePaths(Attachment.Nvmeof attachment, Map<String, String> facts, Work work) {
        reads.note(attachment);
        if (facts.containsKey(KEYLESS)) { // other keys came with the stage secret and are not kept
            retry.restore(NvmeofRequest.of(attachment, Map.of()), work);
        }
    }

    private boolean isLive(String nqn, Work work) {
        return devices.appearing()
                        .until(
                                () -> {
                                    List<Controller> controllers = connections.controllers(nqn, work);
                                    return controllers.isEmpty()
                                            || controllers.stream().anyMatch(Controller::isLive);
                                },
                                work)
                && !connections.controllers(nqn, work).isEmpty();
    }

    private static void told(String handle, List<TransportTrouble> troubles, Work work) {
        if (!troubles.isEmpty()) {
            log.atWarn()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("volume", handle)
                    .addKeyValue("transports", troubles)
                    .log("some ways to a subsystem are dead; the volume is attached by the others, and these are"
                            + " tried again");
        }
    }

    @Override
    public void detach(Attachment.Nvmeof attachment, Map<String, String> facts, Work work) {
        reads.note(attachment);
        String nqn = attachment.nqn();
        Place place = new Place(nqn, attachment.nsid());
        try (AttachLocks.Turn _ = locks.hold(NvmeofRequest.subsystem(nqn), work)) {
            List<Namespace> all = reads.of(nqn, work, sysfs -> sysfs.namespaces(nqn));
            List<String> blocks = blocks(all.stream().filter(it -> it.nsid() == attachment.nsid()));
            unused.user(nqn, blocks, work).ifPresent(user -> {
                throw new StorageException(new Failure.InUse(
                        "namespace " + attachment.nsid() + " of " + nqn, user, "take that away first"));
            });
            List<String> others = blocks(all.stream().filter(it -> it.nsid() != attachment.nsid()));
            Optional<String> other = volumes.besides(place)
                    .or(() -> unused.user(nqn, others, work))
                    .or(() -> own.has(nqn) || facts.containsKey(RECOGNISED) ? Optional.empty() : Optional.of(EARLIER));
            volumes.detached(place);
            if (other.isPresent()) {
                stays(nqn, other.get(), work);
                if (volumes.of(nqn).isEmpty()) {
                    retry.forget(nqn); // what stays is not this driver's to complete, and nobody is told to end it
                    own.lend(nqn, work);
                }
                return;
            }
            retry.forget(nqn);
            unused.end(nqn, blocks, connections.attempts().count(nqn), work);
        }
    }

    /** Tells that connections stay; the ones that nobody else may ever end are told to the operator. */
    private static void stays(String nqn, String user, Work work) {
        log.atLevel(user.equals(EARLIER) ? Level.INFO : Level.DEBUG)
                .addKeyValue("request", work.requestId())
                .addKeyValue("subsystem", nqn)
                .addKeyValue("user", user)
                .log("the node stays connected to a subsystem that another uses; if nobody does, as after another"
                        + " driver that had not mounted what it connected, nvme disconnect -n NQN ends it");
    }

    private static List<String> blocks(Stream<Namespace> namespaces) {
        return namespaces.map(Namespace::block).toList();
    }

    @Override
    public void rescan(Attachment.Nvmeof attachment, Work work) {
        String nqn = attachment.nqn();
        List<String> blocks = blocks(reads.of(nqn, work, sysfs -> sysfs.namespaces(nqn, attachment.nsid())).stream());
        List<String> before = reads.of(nqn, work, _ -> sizes(blocks));
        connections.rescan(nqn, work);
        // the kernel looks in its own time, at each path by itself, and does not tell when it has
        var _ = SCAN.until(
                () -> {
                    List<String> sizes = reads.of(nqn, work, _ -> sizes(blocks));
                    return !sizes.equals(before) && Set.copyOf(sizes).size() == 1;
                },
                work);
        maps.fit(blocks, work);
    }

    private List<String> sizes(List<String> blocks) {
        return blocks.stream().map(it -> use.tree().fact(it, "size")).toList();
    }

    @Override
    public List<VolumePath> paths(Attachment.Nvmeof attachment, Work work) {
        return connections.paths(attachment, work);
    }

    @Override
    public boolean shows(Attachment.Nvmeof attachment, MountEntry mount, Work work) {
        return mayBeOfDevice(mount) && reads.of(mount, work, sysfs -> shows(sysfs, attachment, mount));
    }

    private boolean shows(NvmeofSysfs sysfs, Attachment.Nvmeof attachment, MountEntry mount) {
        Place wanted = new Place(attachment.nqn(), attachment.nsid());
        return places(sysfs, mount).anyMatch(wanted::equals);
    }

    /** Returns whether a block device may be behind a mount; a btrfs has a number as if none was. */
    private static boolean mayBeOfDevice(MountEntry mount) {
        return mount.isOfDevice() || !mount.device().startsWith("0:");
    }

    /** Returns the namespaces that a mount's device is made of, over maps and partitions. */
    private Stream<Place> places(NvmeofSysfs sysfs, MountEntry mount) {
        return use.tree().beneath(mount).stream().flatMap(it -> sysfs.place(it).stream());
    }

    @Override
    public Optional<Attachment.Nvmeof> recognise(MountEntry mount, Work work) {
        return mayBeOfDevice(mount) ? reads.of(mount, work, sysfs -> recognised(sysfs, mount)) : Optional.empty();
    }

    private Optional<Attachment.Nvmeof> recognised(NvmeofSysfs sysfs, MountEntry mount) {
        return places(sysfs, mount)
                .flatMap(place -> {
                    List<Controller> controllers = sysfs.controllers(place.nqn());
                    return controllers.isEmpty() // a disk of the node itself
                            ? Stream.empty()
                            : Stream.of(attachment(place, controllers));
                })
                .findFirst();
    }

    private static Attachment.Nvmeof attachment(Place place, List<Controller> controllers) {
        List<String> transports = controllers.stream()
                .filter(it -> !it.transport().equals("loop"))
                .map(NvmeofTransport::uri)
                .distinct()
                .toList();
        return new Attachment.Nvmeof(
                transports.isEmpty() ? "" : transports.getFirst(),
                transports.stream().skip(1).toList(),
                place.nqn(),
                place.nsid());
    }

    @Override
    public List<String> mountPoints(Attachment.Nvmeof attachment, Work work) {
        List<MountEntry> table = mounts.table(work);
        return reads.ofMounts(
                attachment.nqn(),
                work,
                sysfs -> table.stream()
                        .filter(mount -> shows(sysfs, attachment, mount))
                        .map(MountEntry::mountPoint)
                        .toList());
    }
}
