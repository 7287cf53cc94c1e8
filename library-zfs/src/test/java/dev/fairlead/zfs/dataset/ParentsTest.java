package dev.fairlead.zfs.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.volume.NativeId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** The ids of volumes below labelled parents. */
class ParentsTest {
    private static final DatasetName USUAL = new DatasetName("tank/v");
    private static final Parents PARENTS = new Parents(
            USUAL,
            Map.of(
                    "fast", new DatasetName("ssd/v"),
                    "f", new DatasetName("tank/f"),
                    "f-2", new DatasetName("tank/f-2")));
    private static final DatasetLayout LAYOUT = new DatasetLayout(PARENTS, Optional.of(new DatasetName("tank/s")));

    /** What an id of democratic-csi's is made of, and one of ours below the usual parent. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]*");

    @Provide
    Arbitrary<String> leaves() {
        return Arbitraries.strings()
                .withCharRange('a', 'f')
                .withCharRange('A', 'C')
                .withCharRange('0', '3')
                .withChars("-_")
                .ofMinLength(1)
                .ofMaxLength(60)
                .filter(text -> PLAIN.matcher(text).matches());
    }

    @Provide
    Arbitrary<DatasetName> parents() {
        return Arbitraries.of(PARENTS.all());
    }

    @Property
    void an_id_leads_back_to_the_dataset_that_it_is_of(
            @ForAll("parents") DatasetName parent, @ForAll("leaves") String leaf) {
        DatasetName dataset = parent.child(leaf);

        NativeId id = LAYOUT.volume(dataset).orElseThrow();

        assertThat(LAYOUT.volume(id)).contains(dataset);
        assertThat(LAYOUT.snapshot(new NativeId(id + "@s")))
                .contains(new DatasetLayout.Place.Snapshot(id, dataset.snapshot("s")));
        assertThat(LAYOUT.snapshot(dataset.snapshot("s"))).contains(new NativeId(id + "@s"));
        DatasetName copy = LAYOUT.detached(id, "s").orElseThrow();
        assertThat(copy).hasToString("tank/s/" + id + "/s");
        assertThat(LAYOUT.detached(copy)).contains(new NativeId(id + "/s"));
        assertThat(LAYOUT.snapshot(new NativeId(id + "/s"))).contains(new DatasetLayout.Place.Detached(id, copy));
    }

    @Property
    void an_id_below_a_label_is_no_id_below_the_usual_parent_nor_one_of_democratic_csis(
            @ForAll("parents") DatasetName parent, @ForAll("leaves") String leaf) {
        NativeId id = LAYOUT.volume(parent.child(leaf)).orElseThrow();

        assertThat(PLAIN.matcher(id.value()).matches()).isEqualTo(parent.equals(USUAL));
        assertThat(new DatasetLayout(USUAL, Optional.empty()).volume(id).isPresent())
                .isEqualTo(parent.equals(USUAL));
    }

    /** Also in lower case, which the names of targets are in. */
    @Property
    void the_same_name_below_other_parents_has_other_ids(@ForAll("leaves") String leaf) {
        Set<String> ids = new HashSet<>();
        for (DatasetName parent : PARENTS.all()) {
            ids.add(LAYOUT.volume(parent.child(leaf)).orElseThrow().value().toLowerCase(java.util.Locale.ROOT));
        }

        assertThat(ids).hasSameSizeAs(PARENTS.all());
    }

    @Test
    void the_ids_below_the_usual_parent_are_what_they_are_without_labels() {
        assertThat(LAYOUT.volume(new DatasetName("tank/v/pvc-1"))).contains(new NativeId("pvc-1"));
        assertThat(LAYOUT.volume(new DatasetName("ssd/v/pvc-1"))).contains(new NativeId("fast.pvc-1"));
        assertThat(LAYOUT.volume(new DatasetName("tank/v/fast.pvc-1"))).isEmpty();
        assertThat(LAYOUT.volume(new DatasetName("ssd/v/pvc-1/child"))).isEmpty();
        assertThat(LAYOUT.volume(new DatasetName("ssd/pvc-1"))).isEmpty();
    }

    @Test
    void what_begins_with_no_label_of_ours_is_no_volumes() {
        for (String id : List.of(
                "slow.pvc-1", "Fast.pvc-1", "fast.", ".pvc-1", "fast..pvc-1", "fast.f.pvc-1", "fast.pvc-1.x", "f.-r")) {
            assertThat(LAYOUT.volume(new NativeId(id))).as(id).isEmpty();
            assertThat(LAYOUT.snapshot(new NativeId(id + "@s"))).as(id).isEmpty();
        }
    }

    @Test
    void a_label_that_was_taken_out_is_told_from_what_never_was_an_id() {
        assertThat(LAYOUT.unknownLabel(new NativeId("slow.pvc-1"))).contains("slow");
        assertThat(LAYOUT.unknownLabel(new NativeId("slow.pvc-1@s"))).contains("slow");
        for (String id :
                List.of("fast.pvc-1", "pvc-1", "Slow.pvc-1", "slow.", ".x", "slow.a.b", "@slow.x", "a@slow.x")) {
            assertThat(LAYOUT.unknownLabel(new NativeId(id))).as(id).isEmpty();
        }
        assertThat(new DatasetLayout(USUAL, Optional.empty()).unknownLabel(new NativeId("slow.pvc-1")))
                .isEmpty();
    }

    /** Detached snapshots outlive their volumes, and so the parents of those. */
    @Test
    void a_copy_is_found_though_the_label_of_its_volume_has_gone() {
        assertThat(LAYOUT.snapshot(new NativeId("slow.pvc-1/s")))
                .contains(new DatasetLayout.Place.Detached(
                        new NativeId("slow.pvc-1"), new DatasetName("tank/s/slow.pvc-1/s")));
    }

    @Test
    void a_label_is_short_and_in_lower_case() {
        assertThat(List.of("f", "fast", "nvme-0", "a23456789012")).allMatch(Parents::isLabel);
        assertThat(List.of("", "-f", "f-", "Fast", "fa_st", "fa.st", "fa/st", "a234567890123", "ß"))
                .noneMatch(Parents::isLabel);
        assertThatThrownBy(() -> new Parents(USUAL, Map.of("A", new DatasetName("ssd/v"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'A'");
    }

    @Test
    void namesakes_are_what_the_other_parents_have_of_a_name() {
        assertThat(LAYOUT.namesakes(new DatasetName("ssd/v/pvc-1")))
                .containsExactly(
                        new DatasetName("tank/v/pvc-1"),
                        new DatasetName("tank/f/pvc-1"),
                        new DatasetName("tank/f-2/pvc-1"));
    }
}
