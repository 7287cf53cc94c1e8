package dev.fairlead.application.service;

import static dev.fairlead.application.service.ControllerFixture.command;
import static dev.fairlead.application.service.ControllerFixture.reaching;
import static dev.fairlead.application.service.ControllerFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.topology.TopologySegment;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class SeveralConnectionsTest {
    private static final Map<String, String> FAST = Map.of("tier", "fast");
    private static final Map<String, String> SELECTED = Map.of("connectionSelector", "tier=fast");
    private static final Map<String, String> ANY_OF_THREE = Map.of("connections", "a,b,c");

    private final InMemoryStorage a = InMemoryStorage.named("a");
    private final InMemoryStorage b = InMemoryStorage.named("b");
    private final InMemoryStorage c = InMemoryStorage.named("c");
    private final ControllerFixture controller = ControllerFixture.proxy();
    private final CountDownLatch storageAnswers = new CountDownLatch(1);

    @AfterEach
    void close() {
        storageAnswers.countDown();
        controller.close();
    }

    @Test
    void the_first_preferred_place_that_is_reachable_wins_and_the_volume_reports_it() {
        controller.in("z1", a).in("z2", b).in("z3", c);
        var reach = new AccessibilityRequirement(
                List.of(segment("z1"), segment("z2"), segment("z3")),
                List.of(segment("z2"), segment("z3"), segment("z1")));

        VolumeView volume = controller.create(reaching(command("pvc-1", ANY_OF_THREE), reach));

        assertThat(volume.handle()).isEqualTo("v:b/pvc-1");
        assertThat(volume.accessibleFrom())
                .containsExactly(TopologySegment.of(Map.of(ControllerFixture.ZONE, "z2", "example.com/rack", "r-z2")));
    }

    @Test
    void nothing_reachable_makes_nothing() {
        controller.in("z1", a).in("z2", b).in("z3", c);
        var reach = new AccessibilityRequirement(List.of(segment("z9")), List.of());

        Failing.with(
                Failure.Unreachable.class, () -> controller.create(reaching(command("pvc-1", ANY_OF_THREE), reach)));
        Failing.with(
                Failure.Unreachable.class,
                () -> controller.create(reaching(command("pvc-1", Map.of("connection", "a")), reach)));
        assertThat(a.isEmpty() && b.isEmpty() && c.isEmpty()).isTrue();
    }

    @Test
    void names_spread_over_equal_connections_and_each_keeps_its_own() {
        controller.with(a, b, c);
        Set<String> used = new TreeSet<>();

        for (int i = 0; i < 30; i++) {
            String handle = controller.create("pvc-" + i, ANY_OF_THREE).handle();
            used.add(handle.substring(2, 3));
            assertThat(controller.create("pvc-" + i, ANY_OF_THREE).handle()).isEqualTo(handle);
        }

        assertThat(used).containsExactly("a", "b", "c");
    }

    @Test
    void labels_select_connections_and_one_that_joins_is_used() {
        controller.labelled(Map.of("tier", "slow"), a).labelled(Map.of("tier", "fast"), b);
        Map<String, String> fast = Map.of("connectionSelector", "tier=fast");

        assertThat(controller.create("pvc-1", fast).handle()).isEqualTo("v:b/pvc-1");
        assertThatThrownBy(() -> controller.create("pvc-2", Map.of("connectionSelector", "tier=none")))
                .hasMessageContaining("tier=none");
    }

    @Test
    void a_connection_without_room_is_left_out_and_none_with_room_is_out_of_space() {
        controller.with(a.holding(Capacity.ofBytes(10)), b, c.holding(Capacity.ofBytes(20)));

        for (int i = 0; i < 10; i++) {
            assertThat(controller.create("pvc-" + i, ANY_OF_THREE).handle()).startsWith("v:b/");
        }
        Failing.with(
                Failure.OutOfSpace.class,
                () -> controller.create(command("big", ANY_OF_THREE, CapacityRange.of(1L << 50, 0), Source.NONE)));
    }

    @Test
    void a_retry_finds_the_volume_where_it_was_made_though_another_place_is_preferred_now() {
        controller.in("z1", a).in("z2", b).in("z3", c);
        var all = List.of(segment("z1"), segment("z2"), segment("z3"));
        controller.create(
                reaching(command("pvc-1", ANY_OF_THREE), new AccessibilityRequirement(all, List.of(segment("z1")))));

        VolumeView again = controller.create(
                reaching(command("pvc-1", ANY_OF_THREE), new AccessibilityRequirement(all, List.of(segment("z3")))));

        assertThat(again.handle()).isEqualTo("v:a/pvc-1");
        assertThat(c.isEmpty()).isTrue();
    }

    @Test
    void a_volume_that_is_out_of_reach_now_lets_the_scheduler_go_back_to_where_it_is_found() {
        controller.in("z1", a).in("z2", b).in("z3", c);
        controller.create(reaching(
                command("pvc-1", ANY_OF_THREE), new AccessibilityRequirement(List.of(segment("z1")), List.of())));

        Failing.with(
                Failure.Unreachable.class,
                () -> controller.create(reaching(
                        command("pvc-1", ANY_OF_THREE),
                        new AccessibilityRequirement(List.of(segment("z2")), List.of()))));
        assertThat(b.isEmpty()).isTrue();
        assertThat(controller
                        .create(reaching(
                                command("pvc-1", ANY_OF_THREE),
                                new AccessibilityRequirement(List.of(segment("z1")), List.of())))
                        .handle())
                .isEqualTo("v:a/pvc-1");
    }

    @Test
    void a_retry_finds_the_volume_where_its_label_has_gone_and_says_so() {
        controller.labelled(FAST, a);
        VolumeView made = controller.create("pvc-1", SELECTED);
        controller.with(a).labelled(FAST, b);

        VolumeView again = controller.create("pvc-1", SELECTED);

        assertThat(again).isEqualTo(made);
        assertThat(b.isEmpty()).isTrue();
        assertThat(controller.foundElsewhere).containsExactly("a");
        assertThat(controller.create("pvc-2", SELECTED).handle()).isEqualTo("v:b/pvc-2");
    }

    @Test
    void a_clone_is_found_where_its_label_has_gone_too() {
        controller.labelled(FAST, a).with(b);
        controller.create("pvc-1", "a");
        var clone = command("pvc-2", SELECTED, CapacityRange.ANY, new Source.Volume("v:a/pvc-1"));
        VolumeView made = controller.create(clone);
        controller.with(a).labelled(FAST, b);

        assertThat(controller.create(clone)).isEqualTo(made);
        assertThat(b.isEmpty()).isTrue();
    }

    @Test
    void what_is_found_where_it_could_not_be_made_now_is_to_be_repeated_and_not_made_again() {
        controller.with(a);
        controller.create("pvc-1", "a");
        controller.with(a, ControllerFixture.blocksOnly()).with(b);

        Failing.with(Failure.BackendUnavailable.class, () -> controller.create("pvc-1", Map.of("connections", "a,b")));
        assertThat(b.isEmpty()).isTrue();
        assertThat(controller.foundElsewhere).containsExactly("a");
        assertThat(controller.create("pvc-2", Map.of("connections", "a,b")).handle())
                .isEqualTo("v:b/pvc-2");
    }

    @Test
    void another_s_volume_of_the_same_id_is_not_taken_for_an_earlier_one() {
        controller.with(a).labelled(FAST, b);
        controller.create("pvc-1", "a");
        a.forget(TestVolumes.id("pvc-1"));

        assertThat(controller.create("pvc-1", SELECTED).handle()).isEqualTo("v:b/pvc-1");
        assertThat(controller.foundElsewhere).isEmpty();
    }

    @Test
    void silent_connections_beside_a_selector_are_passed_over_together() {
        controller.labelled(FAST, a).impatient(b).impatient(c);
        b.beforeEachCall(this::hang);
        c.beforeEachCall(this::hang);

        assertThat(controller.create("pvc-1", SELECTED).handle()).isEqualTo("v:a/pvc-1");

        assertThat(controller.passedOver).containsExactlyInAnyOrder("b", "c");
        storageAnswers.countDown();
    }

    @Test
    void a_connection_that_stays_silent_beside_a_selector_holds_up_one_call_and_is_asked_again_once_it_answers() {
        controller.labelled(FAST, a).with(b);
        controller.create("made-before", "b");
        b.beforeEachCall(this::hang);

        assertThat(duration(() -> controller.create("pvc-1", SELECTED))).isLessThan(Duration.ofMillis(1900));
        assertThat(duration(() -> {
                    for (int i = 2; i < 6; i++) {
                        controller.create("pvc-" + i, SELECTED);
                    }
                }))
                .isLessThan(Duration.ofMillis(1900));

        assertThat(controller.passedOver).hasSize(5).containsOnly("b");
        storageAnswers.countDown();
        while (controller.connections.statuses().stream().anyMatch(status -> status.running() > 0)) {
            Thread.onSpinWait();
        }
        assertThat(controller.create("made-before", SELECTED).handle()).isEqualTo("v:b/made-before");
    }

    @Test
    void a_read_that_takes_long_makes_its_connection_not_silent_for_a_selector() {
        controller.labelled(FAST, a).impatient(b);
        controller.create("made-before", "b");
        b.beforeEachCall(this::hang);
        assertThatThrownBy(() -> controller.useCases.getVolume().get("v:b/made-before", TestWork.named("GetVolume")))
                .hasMessageContaining("FL-CON-003");
        b.beforeEachCall(() -> {});

        assertThat(controller.create("made-before", SELECTED).handle()).isEqualTo("v:b/made-before");
    }

    private static Duration duration(Runnable calls) {
        long begun = System.nanoTime();
        calls.run();
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    @Test
    void one_name_on_two_connections_is_a_conflict_that_names_both() {
        controller.with(a, b, c);
        controller.create("pvc-1", "a");
        controller.create("pvc-1", "c");

        assertThatThrownBy(() -> controller.create("pvc-1", ANY_OF_THREE))
                .hasMessageContaining("FL-VOL-002")
                .hasMessageContaining("a, c");
    }

    @Test
    void a_silent_candidate_is_passed_over_and_counted() {
        controller.with(a, b).impatient(c);
        c.beforeEachCall(this::hang);

        for (int i = 0; i < 5; i++) {
            assertThat(controller.create("pvc-" + i, ANY_OF_THREE).handle()).doesNotStartWith("v:c");
        }

        assertThat(controller.passedOver).isNotEmpty().containsOnly("c");
        storageAnswers.countDown();
    }

    @Test
    void a_candidate_that_fails_or_is_not_loaded_is_passed_over_too() {
        controller.with(a, b);
        b.failWith(new Failure.BackendUnavailable("b", "connection refused"));

        assertThat(controller.create("pvc-1", ANY_OF_THREE).handle()).isEqualTo("v:a/pvc-1");
        assertThat(controller.passedOver).contains("b", "c");
    }

    @Test
    void when_all_are_silent_the_call_is_to_be_repeated() {
        controller.with(a, b);
        a.failWith(new Failure.BackendUnavailable("a", "connection refused"));
        b.failWith(new Failure.TimedOut("b", "list", Duration.ofSeconds(1)));

        Failing.with(Failure.BackendUnavailable.class, () -> controller.create("pvc-1", Map.of("connections", "a,b")));
    }

    @Test
    void a_source_decides_among_the_candidates() {
        controller.with(a, b, c);
        controller.create("pvc-1", "c");

        VolumeView clone =
                controller.create(command("pvc-2", ANY_OF_THREE, CapacityRange.ANY, new Source.Volume("v:c/pvc-1")));

        assertThat(clone.handle()).isEqualTo("v:c/pvc-2");
    }

    @Test
    void a_connection_whose_place_is_unknown_is_never_chosen() {
        controller
                .with(a, ControllerFixture.settings(Placement.UNKNOWN, Map.of(), ControllerFixture.PATIENT))
                .with(b);

        for (int i = 0; i < 10; i++) {
            assertThat(controller
                            .create("pvc-" + i, Map.of("connections", "a,b"))
                            .handle())
                    .startsWith("v:b/");
        }
        assertThat(a.volumes()).doesNotContainKey(TestVolumes.id("pvc-0"));
    }

    private void hang() {
        try {
            storageAnswers.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
