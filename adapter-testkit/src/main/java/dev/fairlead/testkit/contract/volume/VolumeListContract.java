package dev.fairlead.testkit.contract.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.HostileInput;
import dev.fairlead.testkit.contract.StoreSubject;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Volumes are listed in the order of their ids, in pages without gaps or repeats, whatever comes and goes meanwhile.
 */
public interface VolumeListContract extends StoreSubject {
    @Test
    default void an_empty_store_lists_nothing() {
        try (VolumeStore store = store()) {
            Page<StoredVolume> page = store.list(PageRequest.all(), TestWork.patient());

            assertThat(page).isEqualTo(new Page<StoredVolume>(List.of(), false));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 6, 7, 8, Integer.MAX_VALUE})
    default void pages_join_without_gaps_or_repeats(int size) {
        try (VolumeStore store = store()) {
            List<StoredVolume> made = new ArrayList<>();
            for (String name : List.of("pvc-c", "pvc-a", "pvc-10", "pvc-9", "pvc-B", "pvc-b", "pvc")) {
                made.add(make(store, TestVolumes.empty(name)));
            }

            List<StoredVolume> listed = new ArrayList<>();
            Page<StoredVolume> page = store.list(PageRequest.first(size), TestWork.patient());
            listed.addAll(page.items());
            while (page.more()) {
                assertThat(page.items()).isNotEmpty().hasSizeLessThanOrEqualTo(size);
                page = store.list(after(page, size), TestWork.patient());
                listed.addAll(page.items());
            }

            assertThat(listed).containsExactlyInAnyOrderElementsOf(made).doesNotHaveDuplicates();
            assertThat(listed).extracting(StoredVolume::id).isSorted();
        }
    }

    @Test
    default void a_page_shows_the_same_as_find() {
        try (VolumeStore store = store()) {
            StoredVolume made = make(store, TestVolumes.empty("pvc-a"));

            List<StoredVolume> listed = volumes(store);

            assertThat(listed).containsExactly(made);
            assertThat(store.find(made.id(), TestWork.patient())).contains(listed.getFirst());
        }
    }

    @Test
    default void what_stays_is_listed_once_while_others_come_and_go() {
        try (VolumeStore store = store()) {
            List<StoredVolume> made = Stream.of("pvc-b", "pvc-d", "pvc-f", "pvc-h", "pvc-j")
                    .map(name -> make(store, TestVolumes.empty(name)))
                    .toList();

            Page<StoredVolume> first = store.list(PageRequest.first(2), TestWork.patient());
            store.delete(made.get(1).id(), OnDependents.REFUSE, TestWork.patient());
            store.delete(made.get(2).id(), OnDependents.REFUSE, TestWork.patient());
            make(store, TestVolumes.empty("pvc-a"));
            make(store, TestVolumes.empty("pvc-g"));
            Page<StoredVolume> second = store.list(after(first, 2), TestWork.patient());
            Page<StoredVolume> third = store.list(after(second, 2), TestWork.patient());

            assertThat(names(first)).containsExactly("pvc-b", "pvc-d");
            assertThat(names(second)).containsExactly("pvc-g", "pvc-h");
            assertThat(names(third)).containsExactly("pvc-j");
            assertThat(third.more()).isFalse();
        }
    }

    @Test
    default void a_list_may_go_on_after_any_text() {
        try (VolumeStore store = store()) {
            StoredVolume made = make(store, TestVolumes.empty("pvc-a"));

            HostileInput.texts().filter(text -> !text.isEmpty()).limit(500).forEach(text -> {
                Page<StoredVolume> page = store.list(new PageRequest(Optional.of(text), 5), TestWork.patient());
                boolean follows = made.id().value().compareTo(text) > 0;
                assertThat(page.items()).as("after %s", text).hasSize(follows ? 1 : 0);
            });
        }
    }

    private static List<String> names(Page<StoredVolume> page) {
        return page.items().stream()
                .map(volume -> volume.name().orElseThrow().value())
                .toList();
    }

    private static PageRequest after(Page<StoredVolume> page, int size) {
        return new PageRequest(Optional.of(page.items().getLast().id().value()), size);
    }
}
