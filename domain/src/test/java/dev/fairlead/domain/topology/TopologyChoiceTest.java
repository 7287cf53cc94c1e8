package dev.fairlead.domain.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.TopologyChoice.Choice;
import dev.fairlead.domain.topology.TopologyChoice.ConnectionCandidate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TopologyChoiceTest {
    private static final TopologySegment Z1 = zone("z1");
    private static final TopologySegment Z2 = zone("z2");
    private static final TopologySegment Z3 = zone("z3");
    private static final String NAME = "pvc-1";

    @Test
    void one_requisite_term_is_enough() {
        List<Choice<String>> choices = order(wanted(List.of(Z2, Z1), List.of()), within("a", Z1));

        assertThat(names(choices)).containsExactly("a");
        assertThat(choices.getFirst().term()).contains(Z1);
    }

    @Test
    void preferred_terms_order_the_candidates() {
        AccessibilityRequirement wanted = wanted(List.of(Z1, Z2, Z3), List.of(Z3, Z1, Z2));

        List<Choice<String>> choices = order(wanted, within("a", Z1), within("b", Z2), within("c", Z3));

        assertThat(names(choices)).containsExactly("c", "a", "b");
        assertThat(choices.stream().map(choice -> choice.term().orElseThrow())).containsExactly(Z3, Z1, Z2);
    }

    @Test
    void preference_never_leads_out_of_what_is_requisite() {
        List<Choice<String>> choices = order(wanted(List.of(Z1), List.of(Z2, Z1)), within("a", Z1), within("b", Z2));

        assertThat(names(choices)).containsExactly("a");
    }

    @Test
    void where_no_preferred_term_is_reached_a_requisite_one_serves() {
        List<Choice<String>> choices = order(wanted(List.of(Z1, Z2), List.of(Z1)), within("b", Z2));

        assertThat(choices.getFirst().term()).contains(Z2);
    }

    @Test
    void preferred_terms_alone_exclude_nothing() {
        List<Choice<String>> choices = order(wanted(List.of(), List.of(Z1)), within("b", Z2), within("a", Z1));

        assertThat(names(choices)).containsExactly("a", "b");
        assertThat(choices.getLast().term()).isEmpty();
    }

    @Test
    void a_connection_in_several_places_is_reached_from_each() {
        ConnectionCandidate<String> stretched = within("a", Z1, Z2);

        assertThat(names(order(wanted(List.of(Z2), List.of()), stretched))).containsExactly("a");
        assertThat(TopologyChoice.reported(stretched.placement())).containsExactly(Z1, Z2);
    }

    @Test
    void a_key_that_one_side_lacks_restricts_nothing() {
        TopologySegment fine = segment(Map.of("p/region", "r1", "p/zone", "z1"));

        assertThat(names(order(wanted(List.of(Z1), List.of()), within("a", fine))))
                .containsExactly("a");
        assertThat(names(order(wanted(List.of(fine), List.of()), within("a", Z1))))
                .containsExactly("a");
        assertThat(names(order(wanted(List.of(zone("z1")), List.of()), within("a", segment(Map.of("q/rack", "1"))))))
                .containsExactly("a");
    }

    @Test
    void a_key_in_another_case_is_the_same_key() {
        TopologySegment other = segment(Map.of("p/Zone", "z2"));

        assertThatThrownBy(() -> order(wanted(List.of(other), List.of()), within("a", Z1)))
                .isInstanceOf(StorageException.class);
    }

    @Test
    void a_term_without_labels_is_reached_from_every_place_but_not_from_none() {
        AccessibilityRequirement wanted = wanted(List.of(TopologySegment.EVERYWHERE), List.of());

        assertThat(names(order(wanted, within("a", Z1), within("nowhere")))).containsExactly("a");
    }

    @Test
    void an_empty_topology_reaches_nothing_that_is_asked_for() {
        assertThat(unreachable(wanted(List.of(Z1), List.of()), within("a")))
                .contains("a is reachable from nowhere", "{p/zone=z1}");
        assertThat(unreachable(wanted(List.of(), List.of(Z1)), within("a"))).contains("a is reachable from nowhere");
    }

    @Test
    void an_empty_topology_comes_last_where_nothing_is_asked_for() {
        List<Choice<String>> choices =
                order(AccessibilityRequirement.NONE, within("nowhere"), within("a", Z1), anywhere("b"));

        assertThat(names(choices)).hasSize(3).endsWith("nowhere");
    }

    @Test
    void unknown_is_never_anywhere() {
        ConnectionCandidate<String> unknown = new ConnectionCandidate<>(new ConnectionName("u"), Placement.UNKNOWN, "");

        assertThat(unreachable(AccessibilityRequirement.NONE, unknown)).contains("u does not say now");
        assertThat(unreachable(wanted(List.of(Z1), List.of()), unknown)).contains("u does not say now");
        assertThat(names(order(AccessibilityRequirement.NONE, unknown, within("a", Z1))))
                .containsExactly("a");
        assertThat(TopologyChoice.reaches(Placement.UNKNOWN, Z1)).isFalse();
    }

    @Test
    void anywhere_serves_everything_and_reports_no_restriction() {
        assertThat(names(order(wanted(List.of(Z1), List.of(Z1)), anywhere("a"))))
                .containsExactly("a");
        assertThat(TopologyChoice.reported(Placement.ANYWHERE)).isEmpty();
    }

    @Test
    void a_refusal_names_each_connection_and_why() {
        assertThat(unreachable(wanted(List.of(Z3), List.of()), within("a", Z1), within("b", Z1, Z2)))
                .contains("{p/zone=z3}", "a is reachable only from {p/zone=z1}")
                .contains("b is reachable only from {p/zone=z1} or {p/zone=z2}", "allowedTopologies");
    }

    @Test
    void a_refusal_of_many_stays_readable() {
        List<ConnectionCandidate<String>> many =
                IntStream.range(0, 500).mapToObj(i -> within("c" + i, Z1)).toList();

        String message = refusal(wanted(List.of(Z3), List.of()), many);

        assertThat(message).hasSizeLessThan(2000).contains("and 492 more");
    }

    @Test
    void no_candidate_at_all_is_a_refusal_of_its_own() {
        assertThat(unreachable(AccessibilityRequirement.NONE)).contains("no connection");
    }

    @Test
    void what_is_reported_is_requirements_and_extra_of_every_place_once() {
        TopologySegment extra = segment(Map.of("other.org/kind", "ssd"));
        var twice = new Placement.Within(List.of(
                new Placement.Place(Z1, extra),
                new Placement.Place(Z1, extra),
                new Placement.Place(Z2, TopologySegment.EVERYWHERE)));

        assertThat(TopologyChoice.reported(twice))
                .containsExactly(segment(Map.of("p/zone", "z1", "other.org/kind", "ssd")), Z2);
    }

    @Test
    void extra_labels_are_never_compared() {
        var place = new Placement.Place(Z1, segment(Map.of("q/rack", "1")));
        var candidate = new ConnectionCandidate<>(new ConnectionName("a"), new Placement.Within(List.of(place)), "");

        assertThat(names(order(wanted(List.of(segment(Map.of("q/rack", "2"))), List.of()), candidate)))
                .containsExactly("a");
    }

    @Test
    void a_place_without_labels_reports_no_restriction() {
        assertThat(TopologyChoice.reported(
                        within("a", Z1, TopologySegment.EVERYWHERE).placement()))
                .isEmpty();
    }

    @Test
    void equals_are_spread_over_many_names_and_stay_for_one() {
        Map<String, Integer> first = new HashMap<>();
        for (int i = 0; i < 3000; i++) {
            String name = "pvc-" + i;
            List<ConnectionCandidate<String>> candidates = List.of(within("a", Z1), within("b", Z1), anywhere("c"));
            List<Choice<String>> once = TopologyChoice.order(candidates, AccessibilityRequirement.NONE, name);

            assertThat(TopologyChoice.order(candidates.reversed(), AccessibilityRequirement.NONE, name))
                    .isEqualTo(once);
            first.merge(once.getFirst().candidate().name().value(), 1, Integer::sum);
        }

        assertThat(first.values()).hasSize(3).allMatch(count -> count > 900 && count < 1100);
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static List<Choice<String>> order(
            AccessibilityRequirement wanted, ConnectionCandidate<String>... candidates) {
        return TopologyChoice.order(Arrays.asList(candidates), wanted, NAME);
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static String unreachable(AccessibilityRequirement wanted, ConnectionCandidate<String>... candidates) {
        return refusal(wanted, Arrays.asList(candidates));
    }

    private static String refusal(AccessibilityRequirement wanted, List<ConnectionCandidate<String>> candidates) {
        try {
            return "chosen: " + names(TopologyChoice.order(candidates, wanted, NAME));
        } catch (StorageException e) {
            assertThat(e.failure()).isInstanceOf(Failure.Unreachable.class);
            return e.failure().message();
        }
    }

    private static List<String> names(List<Choice<String>> choices) {
        return choices.stream().map(choice -> choice.candidate().name().value()).toList();
    }

    private static AccessibilityRequirement wanted(List<TopologySegment> requisite, List<TopologySegment> preferred) {
        return new AccessibilityRequirement(requisite, preferred);
    }

    private static ConnectionCandidate<String> within(String name, TopologySegment... places) {
        List<Placement.Place> all = Arrays.stream(places)
                .map(place -> new Placement.Place(place, TopologySegment.EVERYWHERE))
                .toList();
        return new ConnectionCandidate<>(new ConnectionName(name), new Placement.Within(all), "");
    }

    private static ConnectionCandidate<String> anywhere(String name) {
        return new ConnectionCandidate<>(new ConnectionName(name), Placement.ANYWHERE, "");
    }

    private static TopologySegment zone(String zone) {
        return segment(Map.of("p/zone", zone));
    }

    private static TopologySegment segment(Map<String, String> labels) {
        return TopologySegment.of(labels);
    }
}
