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
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.health.VolumePath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attaches a namespace of an NVMe-oF subsystem by the kernel, without discovery.
 *
 * <p>The block device is found by sysfs: subsystem, controller, namespace. A namespace has no connection of its own, so
 * those of its subsystem end with the last namespace that this node uses.
 */
final class NvmeofAttacher implements Attacher<Attachment.Nvmeof> {
    private static final KernelWait SCAN = new KernelWait(Duration.ofSeconds(1));

    private static final Logger log = LoggerFactory.getLogger(NvmeofAttacher.class);

    private final Mounts mounts;
    private final AttachedVolumes volumes;
    private final NvmeofSysfs sysfs;
    private final NvmeofConnections connections;
    private final NvmeofRetry retry;
    private final BlockUse use;
    private final AttachLocks locks;
    private final OwnConnections own;
    private final MultipathMaps maps;
    private final KernelWait appearing;

    /** @param appearing how long the kernel may take to show a namespace, and multipathd to make a map */
    NvmeofAttacher(
            Mounts mounts,
            AttachedVolumes volumes,
            NvmeofConnections connections,
            NvmeofRetry retry,
            BlockUse use,
            AttachLocks locks,
            OwnConnections own,
            MultipathMaps maps,
            KernelWait appearing) {
        this.mounts = mounts;
        this.volumes = volumes;
        this.sysfs = connections.sysfs();
        this.connections = connections;
        this.retry = retry;
        this.use = use;
        this.locks = locks;
        this.own = own;
        this.maps = maps;
        this.appearing = appearing;
    }

    @Override
    public Class<Attachment.Nvmeof> handles() {
        return Attachment.Nvmeof.class;
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
        try (AttachLocks.Turn _ = locks.hold(NvmeofRequest.subsystem(wanted.nqn()), work)) {
            volumes.attaching(new Place(wanted.nqn(), wanted.nsid()));
            boolean connected = !sysfs.controllers(wanted.nqn()).isEmpty();
            if (!connected) {
                own.note(wanted.nqn(), work);
            }
            List<TransportTrouble> troubles = connections.connect(wanted, work);
            if (!isLive(wanted.nqn(), work)) {
                throw TransportTrouble.failure(request.handle(), wanted, troubles);
            }
            told(request.handle(), troubles, work);
            retry.keep(wanted, troubles, work);
            if (connected) {
                connections.rescan(wanted.nqn(), work);
            }
            return device(wanted, request.handle(), work);
        }
    }

    private boolean isLive(String nqn, Work work) {
        return appearing.until(
                        () -> {
                            List<Controller> controllers = sysfs.controllers(nqn);
                            return controllers.isEmpty() || controllers.stream().anyMatch(Controller::isLive);
                        },
                        work)
                && !sysfs.controllers(nqn).isEmpty();
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

    private Attached device(NvmeofRequest wanted, String handle, Work work) {
        String subject = "namespace " + wanted.nsid() + " of " + wanted.nqn();
        var _ = appearing.until(
                () -> !sysfs.namespaces(wanted.nqn(), wanted.nsid()).isEmpty(), work);
        List<Namespace> namespaces = sysfs.namespaces(wanted.nqn(), wanted.nsid());
        if (namespaces.isEmpty()) {
            throw new StorageException(new Failure.BackendRejected(
                    "of volume " + handle,
                    "the subsystem let this node in and shows it no " + subject
                            + "; look at the subsystem's namespaces and whether they are enabled"));
        }
        Set<String> identities = namespaces.stream().map(Namespace::wwid).collect(Collectors.toSet());
        if (identities.size() > 1) {
            throw new StorageException(new Failure.Unintelligible(
                    "of volume " + handle,
                    subject + " is a different disk by each way: " + identities
                            + "; the ways of a volume have to lead to one subsystem"));
        }
        List<String> blocks = namespaces.stream().map(Namespace::block).toList();
        if (blocks.size() > 1 && !appearing.until(() -> use.tree().map(blocks).isPresent(), work)) {
            throw KernelThreads.fault(
                    "attaching " + subject,
                    "it has " + blocks.size() + " devices, and multipathd has made no map (mpath-) of them; load the"
                            + " module nvme_core with multipath=Y, or start multipathd on the node, or name one"
                            + " transport only");
        }
        maps.fit(blocks, work);
        Path node = use.node(use.tree().tops(blocks).getFirst());
        if (!appearing.until(() -> Files.exists(node), work)) {
            throw KernelThreads.fault(
                    "attaching " + subject, node + " is missing; the node's /dev has to be visible to this process");
        }
        return new Attached.Device(
                node,
                Map.of("subsystem", wanted.nqn(), "wwid", identities.iterator().next()));
    }

    @Override
    public void detach(Attachment.Nvmeof attachment, Map<String, String> facts, Work work) {
        String nqn = attachment.nqn();
        Place place = new Place(nqn, attachment.nsid());
        try (AttachLocks.Turn _ = locks.hold(NvmeofRequest.subsystem(nqn), work)) {
            List<Namespace> all = sysfs.namespaces(nqn);
            List<String> blocks = blocks(all.stream().filter(it -> it.nsid() == attachment.nsid()));
            user(blocks, work).ifPresent(user -> {
                throw new StorageException(new Failure.InUse(
                        "namespace " + attachment.nsid() + " of " + nqn, user, "take that away first"));
            });
            List<String> others = blocks(all.stream().filter(it -> it.nsid() != attachment.nsid()));
            Optional<String> other = volumes.besides(place)
                    .or(() -> user(others, work))
                    .or(() -> own.has(nqn) || facts.containsKey(RECOGNISED)
                            ? Optional.empty()
                            : Optional.of("whoever connected it before Fairlead attached a volume of it"));
            volumes.detached(place);
            if (other.isPresent()) {
                log.atDebug()
                        .addKeyValue("request", work.requestId())
                        .addKeyValue("subsystem", nqn)
                        .addKeyValue("user", other.get())
                        .log("the node stays connected to a subsystem that another uses");
                return;
            }
            retry.forget(nqn);
            use.tree().mapName(blocks).ifPresent(map -> maps.remove(map, work));
            connections.disconnect(nqn, work);
            volumes.disconnected(nqn);
            own.forget(nqn, work);
        }
    }

    private static List<String> blocks(Stream<Namespace> namespaces) {
        return namespaces.map(Namespace::block).toList();
    }

    /** Returns what uses these devices, in words: a mount, or whatever the kernel lets claim them. */
    private Optional<String> user(List<String> blocks, Work work) {
        return mounts.table(work).stream()
                .filter(mount -> use.tree().shows(blocks, mount))
                .map(mount -> "a mount at " + mount.mountPoint())
                .findFirst()
                .or(() -> use.user(blocks, work));
    }

    @Override
    public void rescan(Attachment.Nvmeof attachment, Work work) {
        List<String> blocks = blocks(sysfs.namespaces(attachment.nqn(), attachment.nsid()).stream());
        List<String> before = sizes(blocks);
        connections.rescan(attachment.nqn(), work);
        // the kernel looks in its own time, at each path by itself, and does not tell when it has
        var _ = SCAN.until(
                () -> !sizes(blocks).equals(before) && Set.copyOf(sizes(blocks)).size() == 1, work);
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
        Place wanted = new Place(attachment.nqn(), attachment.nsid());
        return places(mount).anyMatch(wanted::equals);
    }

    /** Returns the namespaces that a mount's device is made of, over maps and partitions. */
    private Stream<Place> places(MountEntry mount) {
        return use.tree().beneath(mount).stream().flatMap(it -> sysfs.place(it).stream());
    }

    @Override
    public Optional<Attachment.Nvmeof> recognise(MountEntry mount, Work work) {
        return places(mount)
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
        return mounts.table(work).stream()
                .filter(mount -> shows(attachment, mount, work))
                .map(MountEntry::mountPoint)
                .toList();
    }
}
