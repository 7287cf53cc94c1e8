package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.export.NodePublication;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes volumes of an {@link InMemoryReplicas} available on each node that they are published to. */
public final class ReplicaExporter extends InMemoryExporter implements NodePublication {
    /** The entry of the publish context that names the device on the node. */
    public static final String DEVICE = "fake/device";

    private final InMemoryReplicas replicas;

    ReplicaExporter(InMemoryReplicas replicas) {
        super(replicas.storage);
        this.replicas = replicas;
    }

    @Override
    public Optional<NodePublication> nodePublication() {
        return Optional.of(this);
    }

    @Override
    public Map<String, String> publish(StoredVolume volume, Grant grant, Work work) {
        replicas.storage.called();
        NativeId id = volume.id();
        Grants now = replicas.published(id);
        now.of(grant.node()).flatMap(own -> own.difference(grant)).ifPresent(difference -> {
            throw new StorageException(new Failure.PublishConflict(id.value(), grant.node(), difference));
        });
        now.inTheWayOf(grant).ifPresent(other -> {
            throw new StorageException(new Failure.PublishedToOtherNode(
                    id.value(), other.node(), other.mode().name()));
        });
        if (now.of(grant.node()).isEmpty()) {
            work.effect(new Effect("make available", id + " on " + grant.node()), () -> replicas.publish(id, grant));
        }
        require(id, replicas.published(id).of(grant.node()).isPresent());
        return Map.of(DEVICE, "/dev/replica/" + grant.node() + "/" + id);
    }

    @Override
    public void unpublish(StoredVolume volume, List<String> names, Work work) {
        replicas.storage.called();
        NativeId id = volume.id();
        names.stream()
                .filter(name -> replicas.published(id).of(name).isPresent())
                .findFirst()
                .ifPresent(node -> {
                    work.effect(new Effect("withdraw", id + " from " + node), () -> replicas.unpublish(id, node));
                    require(id, replicas.published(id).of(node).isEmpty());
                });
    }

    @Override
    public void unpublishAll(StoredVolume volume, Work work) {
        replicas.storage.called();
        withdrawAll(volume.id(), work);
    }

    @Override
    public void unexport(NativeId id, Optional<VolumeMedium> where, Optional<StoredVolume> stored, Work work) {
        withdrawAll(id, work);
        super.unexport(id, where, stored, work);
    }

    private void withdrawAll(NativeId id, Work work) {
        if (!replicas.published(id).isEmpty()) {
            work.effect(new Effect("withdraw", id + " from all"), () -> replicas.unpublish(id));
        }
        require(id, replicas.published(id).isEmpty());
    }

    private void require(NativeId id, boolean told) {
        if (!told) {
            throw new StorageException(new Failure.Unintelligible(
                    replicas.storage.name, id + " was made available or withdrawn, and is not"));
        }
    }
}
