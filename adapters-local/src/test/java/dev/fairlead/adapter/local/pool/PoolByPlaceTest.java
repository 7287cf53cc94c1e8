package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.topology.TopologySegment;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes that name no pool, where each pool is where its disk is. */
class PoolByPlaceTest {
    private static final String KEY = "org.democratic-csi.topology/pool.";

    @TempDir(factory = InMemory.class)
    Path folder = Path.of("/nowhere");

    private final Map<String, String> disks = new HashMap<>(Map.of("fast", "disk-f", "slow", "disk-s"));

    private VolumeStore open(String... names) {
        return new PoolFixture(path -> Optional.ofNullable(disks.get(String.valueOf(path.getFileName()))))
                .open(List.of(names).stream()
                        .map(name ->
                                PoolFixture.pool(name, folder.resolve(name), "directory", Map.of("topology", "disk")))
                        .toArray(Mapping[]::new));
    }

    private static StoredVolume make(VolumeStore store, String name, Map<String, String> term) {
        CreateRequest plain = TestVolumes.empty(name);
        List<TopologySegment> terms = List.of(TopologySegment.of(term));
        CreateRequest request = new CreateRequest(
                plain.name(),
                plain.capacity(),
                plain.capabilities(),
                plain.parameters(),
                plain.content(),
                plain.mutable(),
                new AccessibilityRequirement(terms, terms));
        return store.create(store.plan(request, new NativeId(name)), TestWork.patient())
                .volume();
    }

    @Test
    void the_pool_whose_disk_is_wanted_is_meant() {
        try (VolumeStore store = open("fast", "slow")) {
            assertThat(make(store, "pvc-a", Map.of(KEY + "fast", "disk-f", "node", "n1"))
                            .id())
                    .hasToString("fast/pvc-a");
            assertThat(make(store, "pvc-b", Map.of(KEY + "slow", "disk-s", KEY + "fast", "disk-x"))
                            .id())
                    .hasToString("slow/pvc-b");
            assertThat(make(store, "pvc-a", Map.of(KEY + "fast", "disk-f")).id())
                    .hasToString("fast/pvc-a");
        }
    }

    @Test
    void the_room_is_that_of_the_pool_with_most_even_if_another_one_is_out_of_reach() throws Exception {
        Files.writeString(folder.resolve("slow"), "no folder");
        try (VolumeStore store = open("fast", "slow")) {
            assertThatThrownBy(() -> store.room(Map.of("storagePool", "slow"), TestWork.patient()))
                    .isInstanceOf(StorageException.class);
            assertThat(store.room(Map.of(), TestWork.patient()).available()).isNotEqualTo(Capacity.ZERO);
        }
    }

    @Test
    void two_that_are_wanted_are_not_told_apart_and_one_whose_disk_is_away_may_be_meant() {
        try (VolumeStore store = open("fast", "slow")) {
            Map<String, String> both = Map.of(KEY + "fast", "disk-f", KEY + "slow", "disk-s");
            Failing.with(Failure.InvalidRequest.class, () -> make(store, "pvc-a", both));
            Failing.with(Failure.InvalidRequest.class, () -> make(store, "pvc-a", Map.of("node", "n1")));
        }
        disks.remove("fast");
        try (VolumeStore store = open("fast", "slow")) {
            Failing.with(Failure.BackendUnavailable.class, () -> make(store, "pvc-a", Map.of(KEY + "fast", "disk-f")));
            assertThat(make(store, "pvc-b", Map.of(KEY + "slow", "disk-s")).id())
                    .hasToString("slow/pvc-b");
        }
    }

    @Test
    void the_only_pool_is_meant_and_one_called_legacy_before_all_others() {
        try (VolumeStore store = open("fast")) {
            assertThat(make(store, "pvc-a", Map.of("node", "n1")).id()).hasToString("fast/pvc-a");
        }
        disks.put("legacy", "disk-l");
        try (VolumeStore store = open("fast", "legacy")) {
            assertThat(make(store, "pvc-b", Map.of(KEY + "fast", "disk-f", "node", "n1"))
                            .id())
                    .hasToString("pvc-b");
        }
    }
}
