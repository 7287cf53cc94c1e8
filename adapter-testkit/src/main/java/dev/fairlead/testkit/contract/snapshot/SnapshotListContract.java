package dev.fairlead.testkit.contract.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.SnapshotSubject;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Snapshots are listed by id, all or those of one volume, without gaps or repeats. */
public interface SnapshotListContract extends SnapshotSubject {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 6, Integer.MAX_VALUE})
    default void pages_of_snapshots_join_without_gaps_or_repeats(int size) {
        try (VolumeStore store = store()) {
            List<StoredSnapshot> taken = new ArrayList<>();
            for (String volume : List.of("pvc-b", "pvc-a")) {
                StoredVolume source = make(store, TestVolumes.empty(volume));
                for (String name : List.of("-z", "-9", "-10")) {
                    taken.add(take(store, volume + name, source));
                }
            }

            List<StoredSnapshot> listed = everyPage(store, Optional.empty(), size);

            assertThat(listed).containsExactlyInAnyOrderElementsOf(taken);
            assertThat(listed).extracting(StoredSnapshot::id).isSorted();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, Integer.MAX_VALUE})
    default void the_snapshots_of_one_volume_are_listed_alone(int size) {
        try (VolumeStore store = store()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-1"));
            StoredVolume ten = make(store, TestVolumes.empty("pvc-10"));
            List<StoredSnapshot> ofOne = List.of(take(store, "s-a", one), take(store, "s-b", one));
            StoredSnapshot ofTen = take(store, "s-c", ten);

            assertThat(everyPage(store, Optional.of(one.id()), size)).containsExactlyInAnyOrderElementsOf(ofOne);
            assertThat(everyPage(store, Optional.of(ten.id()), size)).containsExactly(ofTen);
            assertThat(everyPage(store, Optional.of(TestVolumes.id("pvc")), size))
                    .isEmpty();
        }
    }

    @Test
    default void snapshots_that_stay_are_listed_once_while_others_come_and_go() {
        try (VolumeStore store = store()) {
            StoredVolume source = make(store, TestVolumes.empty("pvc-a"));
            for (String name : List.of("b", "d", "f", "h")) {
                take(store, name, source);
            }
            List<StoredSnapshot> before = snapshots(store);

            Page<StoredSnapshot> first = page(store, Optional.empty(), PageRequest.first(2));
            role(store).delete(before.get(1).id(), TestWork.patient());
            role(store).delete(before.get(2).id(), TestWork.patient());
            Page<StoredSnapshot> second = page(store, Optional.empty(), after(first, 2));

            assertThat(first.items()).containsExactly(before.get(0), before.get(1));
            assertThat(second.items()).containsExactly(before.get(3));
            assertThat(second.more()).isFalse();
        }
    }

    private List<StoredSnapshot> everyPage(VolumeStore store, Optional<NativeId> source, int size) {
        List<StoredSnapshot> all = new ArrayList<>();
        Page<StoredSnapshot> page = page(store, source, PageRequest.first(size));
        all.addAll(page.items());
        while (page.more()) {
            assertThat(page.items()).isNotEmpty().hasSizeLessThanOrEqualTo(size);
            page = page(store, source, after(page, size));
            all.addAll(page.items());
        }
        return all;
    }

    private Page<StoredSnapshot> page(VolumeStore store, Optional<NativeId> source, PageRequest request) {
        return role(store).list(source, request, TestWork.patient());
    }

    private static PageRequest after(Page<StoredSnapshot> page, int size) {
        return new PageRequest(Optional.of(page.items().getLast().id().value()), size);
    }
}
