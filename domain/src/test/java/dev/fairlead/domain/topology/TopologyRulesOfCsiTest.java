package dev.fairlead.domain.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.TopologyChoice.Choice;
import dev.fairlead.domain.topology.TopologyChoice.ConnectionCandidate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The sentences of CSI's {@code TopologyRequirement}, on placements and requirements of every kind. */
class TopologyRulesOfCsiTest {
    /** "If requisite is specified, the provisioned volume MUST be accessible from at least one of them." */
    @Property
    void a_chosen_volume_is_accessible_from_a_requisite_topology(
            @ForAll("candidates") List<ConnectionCandidate<Integer>> candidates,
            @ForAll("requirements") AccessibilityRequirement wanted) {
        for (Choice<Integer> choice : order(candidates, wanted)) {
            Placement placement = choice.candidate().placement();
            assertThat(wanted.requisite().isEmpty()
                            || wanted.requisite().stream().anyMatch(term -> TopologyChoice.reaches(placement, term)))
                    .isTrue();
            choice.term()
                    .ifPresent(term ->
                            assertThat(TopologyChoice.reaches(placement, term)).isTrue());
        }
    }

    /** "If … unable to make the volume available from any of the requisite topologies it MUST fail": and only then. */
    @Property
    void a_volume_is_refused_only_where_no_candidate_reaches_a_requisite_topology(
            @ForAll("candidates") List<ConnectionCandidate<Integer>> candidates,
            @ForAll("requirements") AccessibilityRequirement wanted) {
        boolean reachable = candidates.stream().anyMatch(c -> TopologyChoice.satisfies(c.placement(), wanted));

        assertThat(order(candidates, wanted).isEmpty()).isEqualTo(!reachable);
    }

    /** "An SP MUST attempt … using the preferred topologies in order from first to last." */
    @Property
    void no_candidate_of_an_earlier_preferred_topology_comes_after_one_of_a_later(
            @ForAll("candidates") List<ConnectionCandidate<Integer>> candidates,
            @ForAll("requirements") AccessibilityRequirement wanted) {
        int before = 0;
        for (Choice<Integer> choice : order(candidates, wanted)) {
            int rank = rank(choice.candidate().placement(), wanted.preferred());
            assertThat(rank).isGreaterThanOrEqualTo(before);
            before = rank;
        }
    }

    /**
     * x is the number of topologies that the volume is accessible from, n that of the requisite ones. "If x==n … all
     * topologies from the list": a connection of exactly the requisite places reaches every one of them. "If x&gt;n …
     * from all": so does one of these and further places. "If x&lt;n … choose x unique topologies from the list": one
     * of a part of them is reachable from requisite places alone.
     */
    @Property
    void volumes_of_fewer_as_many_or_more_places_than_asked_for_reach_what_they_must(
            @ForAll("distinctZones") List<TopologySegment> zones, @ForAll("counts") List<Integer> counts) {
        List<TopologySegment> places = zones.subList(0, Math.min(counts.get(0), zones.size()));
        List<TopologySegment> requisite = zones.subList(0, Math.min(counts.get(1), zones.size()));
        Placement placement = within(places);

        List<Choice<Integer>> choices = order(
                List.of(new ConnectionCandidate<>(new ConnectionName("a"), placement, 0)),
                new AccessibilityRequirement(requisite, requisite));

        assertThat(choices).hasSize(1);
        List<TopologySegment> reported = TopologyChoice.reported(placement);
        Set<TopologySegment> both = new HashSet<>(reported);
        both.retainAll(requisite);
        assertThat(new HashSet<>(reported)).hasSameSizeAs(reported);
        assertThat(both).hasSize(Math.min(places.size(), requisite.size()));
    }

    @Property
    void a_retry_meets_the_same_order_whatever_the_order_of_the_candidates(
            @ForAll("candidates") List<ConnectionCandidate<Integer>> candidates,
            @ForAll("requirements") AccessibilityRequirement wanted) {
        assertThat(order(candidates.reversed(), wanted)).isEqualTo(order(candidates, wanted));
    }

    @Property
    void a_connection_that_goes_leaves_the_order_of_the_others(
            @ForAll("candidates") List<ConnectionCandidate<Integer>> candidates,
            @ForAll("requirements") AccessibilityRequirement wanted) {
        List<Choice<Integer>> all = order(candidates, wanted);
        for (Choice<Integer> gone : all) {
            List<ConnectionCandidate<Integer>> left = new ArrayList<>(candidates);
            left.remove(gone.candidate());
            List<Choice<Integer>> expected = new ArrayList<>(all);
            expected.remove(gone);

            assertThat(order(left, wanted)).isEqualTo(expected);
        }
    }

    private static int rank(Placement placement, List<TopologySegment> preferred) {
        int rank = 0;
        while (rank < preferred.size() && !TopologyChoice.reaches(placement, preferred.get(rank))) {
            rank++;
        }
        return rank;
    }

    private static <T> List<Choice<T>> order(List<ConnectionCandidate<T>> candidates, AccessibilityRequirement wanted) {
        try {
            return TopologyChoice.order(candidates, wanted, "pvc-1");
        } catch (StorageException e) {
            assertThat(e.failure()).isInstanceOf(Failure.Unreachable.class);
            return List.of();
        }
    }

    private static Placement within(List<TopologySegment> places) {
        return new Placement.Within(places.stream()
                .map(place -> new Placement.Place(place, TopologySegment.EVERYWHERE))
                .toList());
    }

    @Provide
    Arbitrary<List<ConnectionCandidate<Integer>>> candidates() {
        Arbitrary<Placement> placements = Arbitraries.frequencyOf(
                net.jqwik.api.Tuple.of(1, Arbitraries.just(Placement.ANYWHERE)),
                net.jqwik.api.Tuple.of(1, Arbitraries.just(Placement.UNKNOWN)),
                net.jqwik.api.Tuple.of(6, segments().list().ofMaxSize(3).map(TopologyRulesOfCsiTest::within)));
        return placements.list().ofMaxSize(5).map(list -> {
            List<ConnectionCandidate<Integer>> candidates = new ArrayList<>();
            for (Placement placement : list) {
                candidates.add(new ConnectionCandidate<>(
                        new ConnectionName("c" + candidates.size()), placement, candidates.size()));
            }
            return candidates;
        });
    }

    @Provide
    Arbitrary<AccessibilityRequirement> requirements() {
        return Combinators.combine(
                        segments().list().ofMaxSize(4), segments().list().ofMaxSize(3))
                .as(AccessibilityRequirement::new);
    }

    @Provide
    Arbitrary<List<TopologySegment>> distinctZones() {
        return Arbitraries.shuffle("z1", "z2", "z3", "z4", "z5")
                .map(zones -> zones.stream()
                        .map(zone -> TopologySegment.of(Map.of("p/zone", zone)))
                        .toList());
    }

    @Provide
    Arbitrary<List<Integer>> counts() {
        return Arbitraries.integers().between(1, 5).list().ofSize(2);
    }

    private static Arbitrary<TopologySegment> segments() {
        return Arbitraries.maps(Arbitraries.of("p/region", "p/zone", "q/rack"), Arbitraries.of("1", "2"))
                .ofMaxSize(3)
                .map(TopologySegment::of);
    }
}
