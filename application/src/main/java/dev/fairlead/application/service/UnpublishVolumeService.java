package dev.fairlead.application.service;

import dev.fairlead.application.port.in.UnpublishVolume;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.VolumeHandle;
import dev.fairlead.domain.node.NodeIdCodec;
import dev.fairlead.domain.node.NodeIdentity;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.Optional;

/** Shuts a node out, and once that is so takes it off the volume's record. Needs no more of the node than its id. */
record UnpublishVolumeService(Connections connections, HandleCodec codec, KeyedLocks locks, NodeIdCodec nodes)
        implements UnpublishVolume {
    @Override
    public void unpublish(String text, Optional<String> nodeId, Work work) {
        Optional<VolumeHandle> handle = codec.volume(text);
        Optional<String> node = nodeId.flatMap(nodes::parse).flatMap(NodeIdentity::name);
        if (handle.isEmpty() || (nodeId.isPresent() && node.isEmpty())) {
            return;
        }
        try (Lease lease = connections.lease(handle.get().connection())) {
            locks.exclusively(
                    Key.volume(text),
                    work,
                    () -> lease.change(
                            work, work.what(), (backend, its) -> unpublish(backend, handle.get(), text, node, its)));
        }
    }

    private static boolean unpublish(
            Backend backend, VolumeHandle handle, String text, Optional<String> node, Work work) {
        Optional<StoredVolume> volume = backend.store().find(handle.id(), work);
        if (volume.isPresent()
                && Access.of(volume.get().notes()) instanceof Access.Nodes(var grants)
                && (node.isPresent() ? grants.of(node.get()).isPresent() : !grants.isEmpty())) {
            new Admission(backend, Admission.control(backend, text), volume.get(), text, work).revoke(node);
        }
        return true;
    }
}
