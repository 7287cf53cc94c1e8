package dev.fairlead.testkit.fake;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.topology.TopologySegment;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Keeps the replicas of each volume on the nodes of an {@link InMemoryReplicas} that the request prefers. */
final class ReplicatedVolumeStore extends InMemoryVolumeStore {
    private final InMemoryReplicas replicas;

    ReplicatedVolumeStore(InMemoryReplicas replicas) {
        super(replicas.storage);
        this.replicas = replicas;
    }

    static StoredVolume placed(StoredVolume volume, Placement placement) {
        return new StoredVolume(
                volume.id(),
                volume.name(),
                volume.capacity(),
                volume.medium(),
                volume.content(),
                volume.notes(),
                Optional.of(placement));
    }

    @Override
    public Birth plan(CreateRequest request, NativeId suggested) {
        chosen(request.reach()); // refuses before the first effect
        return super.plan(request, suggested);
    }

    @Override
    Optional<Placement> placement(CreateRequest request) {
        return Optional.of(InMemoryReplicas.on(chosen(request.reach())));
    }

    /**
     * Returns the preferred nodes, then the requisite ones, then others; the first of them has to be a requisite one.
     */
    private List<String> chosen(AccessibilityRequirement reach) {
        List<String> wanted = Stream.concat(reach.preferred().stream(), reach.requisite().stream())
                .flatMap(this::nodes)
                .distinct()
                .toList();
        if (wanted.isEmpty() && !reach.requisite().isEmpty()) {
            throw new StorageException(
                    new Failure.Unreachable("no node of " + replicas.storage.name + " is in " + reach.requisite()));
        }
        return Stream.concat(wanted.stream(), replicas.nodes().stream())
                .distinct()
                .limit(replicas.count)
                .toList();
    }

    private Stream<String> nodes(TopologySegment term) {
        return replicas.nodes().stream()
                .filter(node -> InMemoryReplicas.segment(node).agreesWith(term));
    }
}
