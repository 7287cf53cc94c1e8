package dev.fairlead.application.service.publish;

import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.application.port.out.export.AccessControl;
import dev.fairlead.application.port.out.export.NodePublication;
import dev.fairlead.application.port.out.store.ContentProbe;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.format.HostFinding;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.VolumeHandle;
import dev.fairlead.domain.node.NodeFact;
import dev.fairlead.domain.node.NodeIdCodec;
import dev.fairlead.domain.node.NodeIdentity;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records a node with a closed volume, and then lets it in: a repeated call finishes one that was interrupted between
 * the two, and every node with access is recorded. Then the exporter makes the volume available on the node, if its
 * storage needs that. The node is told what the storage knew of a device's content before the node was let in.
 */
public record PublishVolumeService(Connections connections, HandleCodec codec, KeyedLocks locks, NodeIdCodec nodes)
        implements PublishVolume {
    private static final Logger log = LoggerFactory.getLogger(PublishVolumeService.class);

    @Override
    public Map<String, String> publish(Command command, Work work) {
        String text = command.handle();
        VolumeHandle handle = codec.volume(text).orElseThrow(() -> notFound(text));
        NodeIdentity node = nodes.parse(command.nodeId())
                .orElseThrow(() -> new StorageException(new Failure.NodeNotFound(command.nodeId())));
        try (ConnectionUse use = connections.use(handle.connection())) {
            return locks.changingAttachment(
                    text,
                    work,
                    () -> use.change(
                            work, work.what(), (backend, its) -> publish(backend, handle, node, command, its)));
        }
    }

    private static Map<String, String> publish(
            Backend backend, VolumeHandle handle, NodeIdentity node, Command command, Work work) {
        StoredVolume volume = backend.store().find(handle.id(), work).orElseThrow(() -> notFound(command.handle()));
        backend.settings()
                .capabilities()
                .objectionToFound(List.of(command.capability()))
                .ifPresent(objection -> {
                    throw new StorageException(new Failure.InvalidRequest(
                            "volume_capability", "connection " + backend.name() + ": " + objection));
                });
        Optional<NodePublication> publication = backend.exporter().nodePublication();
        Optional<Grant> named = publication.map(_ -> grant(NodeFact.NAME, node, command));
        HostFinding finding = finding(backend, volume, command, work);
        if (Access.of(volume.notes()) instanceof Access.Nodes) {
            AccessControl control = GrantReconciler.control(backend, command.handle());
            Grant wanted = grant(control.knownBy(), node, command);
            new GrantReconciler(backend, volume, command.handle(), work).grant(control, wanted);
        }
        Map<String, String> context = new HashMap<>();
        publication.ifPresent(role -> context.putAll(role.publish(volume, named.orElseThrow(), work)));
        context.putAll(finding.context());
        return Map.copyOf(context);
    }

    /**
     * Asks the storage what is on a device; not for a raw one, since no node formats it. An answer that makes no sense
     * is none: the node goes by what it reads itself, and the volume is not kept from it.
     */
    private static HostFinding finding(Backend backend, StoredVolume volume, Command command, Work work) {
        boolean isMounted = volume.medium().kind() == VolumeMedium.Kind.BLOCK_DEVICE
                && !command.capability().isBlock();
        return backend.store()
                .contentProbe()
                .filter(_ -> isMounted)
                .map(probe -> answer(probe, volume.id(), command, work))
                .orElse(HostFinding.UNKNOWN);
    }

    private static HostFinding answer(ContentProbe probe, NativeId id, Command command, Work work) {
        try {
            return probe.probe(id, work);
        } catch (StorageException e) {
            if (!(e.failure() instanceof Failure.Unintelligible)) {
                throw e;
            }
            log.atWarn()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("volume", command.handle())
                    .setCause(e)
                    .log("what the storage tells of the device's content cannot be understood; the node goes by what it"
                            + " reads itself");
            return HostFinding.UNKNOWN;
        }
    }

    private static Grant grant(NodeFact knownBy, NodeIdentity node, Command command) {
        String name = node.name()
                .filter(Grant::isName)
                .orElseThrow(() -> unfit(
                        command,
                        "does not say its name, by which it would be remembered",
                        "set nodeId.parts.nodeName to true in the main file of the nodes"));
        String initiator = knownBy.of(node)
                .orElseThrow(() -> unfit(
                        command,
                        "does not say its " + knownBy.part() + ", by which the storage would know it",
                        knownBy.remedy()));
        return new Grant(
                name,
                initiator,
                command.readonly(),
                command.capability().mode(),
                command.capability().isBlock());
    }

    private static StorageException unfit(Command command, String lack, String remedy) {
        return new StorageException(new Failure.NodeUnfit(command.handle(), command.nodeId(), lack, remedy));
    }

    private static StorageException notFound(String handle) {
        return new StorageException(new Failure.VolumeNotFound(handle));
    }
}
