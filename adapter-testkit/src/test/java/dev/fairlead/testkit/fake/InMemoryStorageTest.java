package dev.fairlead.testkit.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.GroupShape;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A storage is empty if nothing is left there of any kind that it keeps. */
class InMemoryStorageTest {
    private static final NativeId ID = new NativeId("pvc-1");

    private final InMemoryStorage storage = InMemoryStorage.named("memory");

    @Test
    void a_storage_that_still_admits_somebody_is_not_empty() {
        storage.admit(ID, Grants.NONE);

        assertThat(storage.isEmpty()).isFalse();
    }

    @Test
    void a_storage_with_the_parameters_of_a_volume_is_not_empty() {
        storage.modify(ID, Map.of("speed", "fast"));

        assertThat(storage.isEmpty()).isFalse();
    }

    @Test
    void a_storage_with_a_group_is_not_empty_until_the_group_s_last_snapshot_has_gone() {
        var store = new InMemoryVolumeStore(storage);
        NativeId volume = store.create(store.plan(TestVolumes.empty("pvc-1"), ID), TestWork.patient())
                .volume()
                .id();
        SnapshotGroups groups = new InMemorySnapshotGroups(storage);
        var request = new GroupRequest(new CsiName("group-1"), List.of(volume), Map.of());
        NativeId group = groups.take(request, 128, TestWork.patient()).id();
        storage.snapshots().keySet().forEach(storage::lose);
        store.delete(volume, OnDependents.REFUSE, TestWork.patient());

        assertThat(storage.shape(group)).isEmpty();
        assertThat(storage.isEmpty()).isTrue();
    }

    @Test
    void the_text_of_a_storage_tells_of_its_groups() {
        storage.keep(ID, new GroupShape("members", "parameters"), List.of());

        assertThat(storage.dump()).contains("group pvc-1");
        assertThat(storage.isEmpty()).isFalse();
    }
}
