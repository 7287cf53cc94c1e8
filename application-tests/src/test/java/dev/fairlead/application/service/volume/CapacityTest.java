package dev.fairlead.application.service.volume;

import static dev.fairlead.application.service.ControllerFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.volume.ReportCapacity;
import dev.fairlead.application.service.ControllerFixture;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.topology.TopologySegment;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CapacityTest {
    private static final Capacity TEN = Capacity.ofGibibytes(10);
    private static final Capacity THIRTY = Capacity.ofGibibytes(30);

    private final InMemoryStorage ten = InMemoryStorage.named("ten").holding(TEN);
    private final InMemoryStorage thirty = InMemoryStorage.named("thirty").holding(THIRTY);
    private final ControllerFixture controller =
            ControllerFixture.proxy().in("z1", ten).in("z2", thirty);

    @AfterEach
    void close() {
        controller.close();
    }

    @Test
    void a_class_with_one_connection_has_that_ones_room() {
        assertThat(report(Map.of("connection", "ten"))).isEqualTo(result(TEN));
    }

    @Test
    void a_class_with_several_has_the_largest_since_no_volume_spans_two() {
        assertThat(report(Map.of("connections", "ten,thirty"))).isEqualTo(result(THIRTY));
    }

    @Test
    void in_a_segment_only_what_is_reachable_counts() {
        Map<String, String> both = Map.of("connections", "ten,thirty");

        assertThat(report(both, segment("z1"))).isEqualTo(result(TEN));
        assertThat(report(both, segment("z9"))).isEqualTo(result(Capacity.ZERO));
    }

    @Test
    void without_a_class_it_is_the_sum_and_the_largest_volume_is_the_largest() {
        assertThat(report(Map.of()))
                .isEqualTo(new ReportCapacity.Result(Capacity.ofGibibytes(40), Optional.of(THIRTY)));
    }

    @Test
    void what_cannot_be_made_has_no_room() {
        assertThat(report(Map.of("connection", "ten"), Optional.empty(), List.of(TestVolumes.BLOCK)))
                .isEqualTo(result(Capacity.ZERO));
    }

    @Test
    void a_silent_connection_is_left_out_and_when_all_are_silent_there_is_no_answer() {
        thirty.failWith(new Failure.BackendUnavailable("thirty", "connection refused"));
        assertThat(report(Map.of("connections", "ten,thirty"))).isEqualTo(result(TEN));

        ten.failWith(new Failure.BackendUnavailable("ten", "connection refused"));
        Failing.with(Failure.BackendUnavailable.class, () -> report(Map.of("connections", "ten,thirty")));
        Failing.with(Failure.ConnectionUnknown.class, () -> report(Map.of("connection", "gone")));
    }

    @Test
    void a_node_whose_own_disks_do_not_answer_has_no_room_so_that_no_claim_is_sent_to_it() {
        List<Failure> all = List.of(
                new Failure.BackendUnavailable("ten", "its disk is not mounted"),
                new Failure.BackendRejected("ten", "its disk is another one"),
                new Failure.StorageReadOnly("ten", "its file system is read-only"),
                new Failure.PoolInVolume("ten", "it is in a volume"),
                new Failure.TimedOut("ten", "statfs", Duration.ofSeconds(10)));
        for (Failure gone : all) {
            ten.failWith(gone);
            Failing.with(gone.getClass(), () -> report(Map.of("connection", "ten")));
        }
        ten.belongToNode();
        for (Failure gone : all) {
            ten.failWith(gone);
            assertThat(report(Map.of("connection", "ten"))).isEqualTo(result(Capacity.ZERO));
        }
        ten.failWith(new Failure.InvalidRequest("storagePool", "is no pool"));
        Failing.with(Failure.InvalidRequest.class, () -> report(Map.of("connection", "ten")));
    }

    /** A provisioner that is told of no room does not ask again for a quarter of an hour. */
    @Test
    void one_that_is_late_has_the_room_that_it_told() {
        thirty.belongToNode();
        controller.impatient(thirty);
        Map<String, String> both = Map.of("connections", "ten,thirty");
        assertThat(report(Map.of("connection", "thirty"))).isEqualTo(result(THIRTY));
        assertThat(report(both)).isEqualTo(result(THIRTY));
        assertThat(report(Map.of()).available()).isEqualTo(Capacity.ofGibibytes(40));

        CountDownLatch answers = new CountDownLatch(1);
        thirty.beforeEachCall(() -> await(answers));
        try {
            assertThat(report(Map.of("connection", "thirty"))).isEqualTo(result(THIRTY));
            assertThat(report(both)).isEqualTo(result(THIRTY));
            assertThat(report(Map.of()).available()).isEqualTo(Capacity.ofGibibytes(40));
            assertThat(report(Map.of("connection", "thirty", "more", "class")))
                    .as("what was never told")
                    .isEqualTo(result(Capacity.ZERO));
        } finally {
            answers.countDown();
        }
    }

    @Test
    void one_that_fails_has_no_room_whatever_it_told() {
        ten.belongToNode();
        assertThat(report(Map.of("connection", "ten"))).isEqualTo(result(TEN));
        ten.failWith(new Failure.BackendUnavailable("ten", "its disk is not mounted"));
        assertThat(report(Map.of("connection", "ten"))).isEqualTo(result(Capacity.ZERO));
    }

    @Test
    void whoever_has_gone_is_told_nothing() {
        assertThat(report(Map.of("connection", "ten"))).isEqualTo(result(TEN));
        var command = new ReportCapacity.Command(Map.of("connection", "ten"), List.of(), Optional.empty());
        Failing.with(
                Failure.Cancelled.class,
                () -> controller
                        .useCases
                        .reportCapacity()
                        .report(command, TestWork.patient().cancelledWhen(() -> true)));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void without_connections_there_is_no_room() {
        try (ControllerFixture empty = ControllerFixture.proxy()) {
            var command = new ReportCapacity.Command(Map.of(), List.of(), Optional.empty());

            assertThat(empty.useCases.reportCapacity().report(command, TestWork.patient()))
                    .isEqualTo(result(Capacity.ZERO));
        }
    }

    private static ReportCapacity.Result result(Capacity available) {
        return new ReportCapacity.Result(available, Optional.empty());
    }

    private ReportCapacity.Result report(Map<String, String> parameters) {
        return report(parameters, Optional.empty(), List.of());
    }

    private ReportCapacity.Result report(Map<String, String> parameters, TopologySegment where) {
        return report(parameters, Optional.of(where), List.of());
    }

    private ReportCapacity.Result report(
            Map<String, String> parameters, Optional<TopologySegment> where, List<VolumeCapability> capabilities) {
        return controller
                .useCases
                .reportCapacity()
                .report(new ReportCapacity.Command(parameters, capabilities, where), TestWork.patient());
    }
}
