package dev.fairlead.testkit.contract.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.out.store.VolumeStore.NoteChange;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.HostileInput;
import dev.fairlead.testkit.contract.StoreSubject;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Notes are born with the volume, live as long as it does, and come back as they were given. */
public interface VolumeNotesContract extends StoreSubject {
    /** The number of texts that one volume is given: a property of ZFS has room for 8 KiB. */
    int AT_ONCE = 20;

    @Test
    default void a_volume_is_born_with_its_notes() {
        try (VolumeStore store = store()) {
            Map<String, String> notes = Map.of("digest", "abc", "context/path", "/x y/z", "empty", "");
            Birth birth = birth(store, TestVolumes.empty("pvc-a")).noting(notes);

            store.create(birth, TestWork.patient());

            StoredVolume found = store.find(birth.id(), TestWork.patient()).orElseThrow();
            assertThat(found.notes()).containsAllEntriesOf(notes).containsAllEntriesOf(birth.notes());
        }
    }

    @Test
    default void notes_are_added_and_replaced_and_survive_a_restart() {
        StoredVolume made;
        try (VolumeStore store = store()) {
            made = make(store, TestVolumes.empty("pvc-a"));
            store.note(made.id(), Map.of("a", "1", "b", "1"), TestWork.patient());
            store.note(made.id(), Map.of("b", "2", "c", "3"), TestWork.patient());
        }

        try (VolumeStore reopened = store()) {
            StoredVolume found = reopened.find(made.id(), TestWork.patient()).orElseThrow();

            Map<String, String> all = new TreeMap<>(made.notes());
            all.putAll(Map.of("a", "1", "b", "2", "c", "3"));
            assertThat(found.notes()).containsExactlyInAnyOrderEntriesOf(all);
            assertThat(volumes(reopened)).containsExactly(found);
        }
    }

    @Test
    default void noting_what_is_noted_changes_nothing() {
        try (VolumeStore store = store()) {
            StoredVolume made = make(store, TestVolumes.empty("pvc-a"));

            store.note(made.id(), made.notes(), TestWork.patient());
            store.note(made.id(), Map.of(), TestWork.patient());

            assertThat(store.find(made.id(), TestWork.patient())).contains(made);
        }
    }

    @Test
    default void a_note_is_changed_only_where_it_is_what_was_expected() {
        try (VolumeStore store = store()) {
            StoredVolume made = make(store, TestVolumes.empty("pvc-a"));

            assertThat(store.change(made.id(), new NoteChange("a", "", "1"), TestWork.patient()))
                    .isTrue();
            assertThat(store.change(made.id(), new NoteChange("a", "", "2"), TestWork.patient()))
                    .isFalse();
            assertThat(store.change(made.id(), new NoteChange("a", "2", "3"), TestWork.patient()))
                    .isFalse();
            assertThat(store.change(made.id(), new NoteChange("a", "1", "4"), TestWork.patient()))
                    .isTrue();
            assertThat(store.change(TestVolumes.id("pvc-never"), new NoteChange("a", "", "1"), TestWork.patient()))
                    .isFalse();

            StoredVolume found = store.find(made.id(), TestWork.patient()).orElseThrow();
            assertThat(found.notes()).containsAllEntriesOf(made.notes()).containsEntry("a", "4");
        }
    }

    @Test
    default void notes_survive_growth() {
        try (VolumeStore store = store()) {
            StoredVolume made = make(store, TestVolumes.empty("pvc-a"));
            store.note(made.id(), Map.of("a", "1"), TestWork.patient());

            StoredVolume grown =
                    store.expand(made.id(), TestVolumes.atLeast(VolumeLifeContract.DOUBLE), TestWork.patient());

            assertThat(grown.notes()).containsAllEntriesOf(made.notes()).containsEntry("a", "1");
        }
    }

    @Test
    default void any_text_without_nul_can_be_noted() {
        List<String> texts = HostileInput.texts()
                .filter(text -> text.indexOf('\0') < 0 && text.length() < 300)
                .limit(400)
                .toList();
        try (VolumeStore store = store()) {
            for (int from = 0; from < texts.size(); from += AT_ONCE) {
                Map<String, String> nasty = new TreeMap<>();
                texts.subList(from, Math.min(texts.size(), from + AT_ONCE))
                        .forEach(text -> nasty.put("note-" + nasty.size(), text));
                StoredVolume made = make(store, TestVolumes.empty("pvc-" + from));

                store.note(made.id(), nasty, TestWork.patient());

                assertThat(store.find(made.id(), TestWork.patient())
                                .orElseThrow()
                                .notes())
                        .containsAllEntriesOf(nasty);
            }
        }
    }
}
