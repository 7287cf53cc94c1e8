package dev.fairlead.application.service.publish;

import dev.fairlead.application.port.in.volume.UnpublishVolume;
import dev.fairlead.application.port.out.export.NodePublication;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.VolumeHandle;
import dev.fairlead.domain.node.NodeIdCodec;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.List;
import java.util.Optional;

/**
 * Shuts a node out, removes it from the volume's record, and has the exporter take the volume from it. It needs only
 * the node's id, not the node.
 */
public record UnpublishVolumeService(Connections connections, HandleCodec codec, KeyedLocks locks)
        implements UnpublishVolume {
    @Override
    public void unpublish(String text, Optional<String> nodeId, Work work) {
        Optional<VolumeHandle> handle = codec.volume(text);
        Optional<List<String>> names = nodeId.map(NodeIdCodec::names);
        if (handle.isEmpty() || names.filter(List::isEmpty).isPresent()) {
            return;
        }
        try (ConnectionUse use = connections.use(handle.get().connection())) {
            locks.changingAttachment(
                    text,
                    work,
                    () -> use.run(
                            work, work.what(), (backend, its) -> unpublish(backend, handle.get(), text, names, its)));
        }
    }

    /** @param names the names under which the node may be recorded; empty: all nodes */
    private static void unpublish(
            Backend backend, VolumeHandle handle, String text, Optional<List<String>> names, Work work) {
        Optional<StoredVolume> volume = backend.store().fencing().find(handle.id(), work);
        volume.ifPresent(existing -> unpublish(backend, existing, text, names, work));
    }

    private static void unpublish(
            Backend backend, StoredVolume volume, String text, Optional<List<String>> names, Work work) {
        if (Access.of(volume.notes()) instanceof Access.Nodes(var grants)) {
            Optional<String> node = names.flatMap(known ->
                    known.stream().filter(name -> grants.of(name).isPresent()).findFirst());
            if (node.isPresent() || (names.isEmpty() && !grants.isEmpty())) {
                new GrantReconciler(backend, volume, text, work).revoke(node);
            }
        }
        Optional<NodePublication> publication = backend.exporter().nodePublication();
        publication.ifPresent(role -> names.ifPresentOrElse(
                known -> role.unpublish(volume, known, work), () -> role.unpublishAll(volume, work)));
    }
}
