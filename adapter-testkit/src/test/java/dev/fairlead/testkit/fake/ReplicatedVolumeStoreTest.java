package dev.fairlead.testkit.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.topology.TopologySegment;
import dev.fairlead.testkit.contract.volume.VolumePlacementContract;
import dev.fairlead.testkit.contract.volume.VolumeStoreContract;
import java.util.List;

class ReplicatedVolumeStoreTest implements InMemorySubject, VolumeStoreContract, VolumePlacementContract {
    private final InMemoryStorage storage = InMemoryStorage.named("memory");
    private final InMemoryReplicas replicas = InMemoryReplicas.of(storage, 2, "a", "b", "c");

    @Override
    public InMemoryStorage storage() {
        return storage;
    }

    @Override
    public VolumeStore store() {
        return replicas.store();
    }

    @Override
    public List<TopologySegment> places() {
        return List.of(InMemoryReplicas.segment("a"), InMemoryReplicas.segment("c"));
    }

    @Override
    public TopologySegment nowhere() {
        return InMemoryReplicas.segment("x");
    }

    @Override
    public void verifyEmpty() {
        assertThat(replicas.dump()).isEmpty();
    }
}
