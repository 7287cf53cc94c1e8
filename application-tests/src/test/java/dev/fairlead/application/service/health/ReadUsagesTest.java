package dev.fairlead.application.service.health;

import static dev.fairlead.application.service.ProtocolNode.HANDLE;
import static dev.fairlead.application.service.ProtocolNode.POD;
import static dev.fairlead.application.service.ProtocolNode.SHARE;
import static dev.fairlead.application.service.ProtocolNode.STAGING;
import static dev.fairlead.application.service.ProtocolNode.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.node.MeasureVolume.Usage;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.health.HealthReason;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told of a volume's usage while it cannot be read. */
class ReadUsagesTest {
    private final ProtocolNode on = new ProtocolNode();
    private final NodeUseCases node = on.process();
    private final TestWork work = TestWork.patient();

    private Usage measured() {
        return node.measureVolume().measure(HANDLE, POD, work);
    }

    private void shared() {
        ProtocolNode.stage(node, SHARE, TestVolumes.MOUNT, work);
        ProtocolNode.publish(node, SHARE, TestVolumes.MOUNT, work);
    }

    @Test
    void what_was_read_last_is_told_with_its_age_while_the_server_is_silent() {
        shared();
        Usage before = measured();
        on.mounts.silenced(POD, false);
        on.clock.advance(Duration.ofSeconds(95));

        assertThat(before.age()).isZero();
        assertThat(measured()).isEqualTo(before.aged(Duration.ofSeconds(95)));
        assertThat(node.reportHealth()
                        .ofVolume(HANDLE, List.of(STAGING, POD), work)
                        .conditions())
                .anySatisfy(it -> {
                    assertThat(it.reason()).isEqualTo(HealthReason.USAGE_OUTDATED);
                    assertThat(it.message()).contains("96 s ago");
                });
    }

    @Test
    void a_server_that_answers_again_is_asked_and_nothing_is_told_to_be_old() {
        shared();
        var _ = measured();
        on.mounts.silenced(POD, false);
        on.clock.advance(Duration.ofMinutes(1));
        var _ = measured();
        on.mounts.answering(POD);

        assertThat(measured().age()).isZero();
        assertThat(node.reportHealth().ofVolume(HANDLE, List.of(POD), work).isAbnormal())
                .isFalse();
    }

    @Test
    void nothing_is_told_that_was_read_more_than_an_hour_ago() {
        shared();
        var _ = measured();
        on.mounts.silenced(POD, false);
        on.clock.advance(ReadUsages.OLDEST);
        assertThat(measured().age()).isEqualTo(ReadUsages.OLDEST);

        on.clock.advance(Duration.ofMillis(1));

        Failing.with(Failure.StaleMount.class, this::measured);
    }

    @Test
    void nothing_is_told_that_was_never_read_or_of_another_mount() {
        shared();
        on.mounts.silenced(POD, false);
        Failing.with(Failure.StaleMount.class, this::measured);
        on.mounts.answering(POD);
        var _ = measured();
        ProtocolNode.unpublish(node, work);
        ProtocolNode.publish(node, SHARE, TestVolumes.MOUNT, work);
        on.mounts.silenced(POD, false);

        Failing.with(Failure.StaleMount.class, this::measured);
    }

    @Test
    void a_server_that_is_slower_than_those_wait_who_look_is_measured_if_nothing_newer_is_known() {
        shared();
        on.mounts.slowed(POD);
        assertThat(measured().age()).isZero();
        on.clock.advance(ReadUsages.OLDEST);
        assertThat(measured().age()).isEqualTo(ReadUsages.OLDEST);

        on.clock.advance(Duration.ofMillis(1));

        assertThat(measured().age()).isZero();
    }

    @Test
    void a_mount_that_is_lost_is_not_told_as_one_that_waits() {
        shared();
        var _ = measured();
        on.mounts.silenced(POD, true);

        Failing.with(Failure.StaleMount.class, this::measured);
    }

    @Test
    void the_size_of_a_raw_device_that_hangs_is_told_from_before() {
        ProtocolNode.stage(node, TARGET, TestVolumes.BLOCK, work);
        ProtocolNode.publish(node, TARGET, TestVolumes.BLOCK, work);
        on.filesystems.blank(POD, 1L << 30);
        Usage before = measured();
        on.filesystems.unreadable();
        on.clock.advance(Duration.ofSeconds(3));

        assertThat(measured()).isEqualTo(before.aged(Duration.ofSeconds(3)));
    }

    @Test
    void the_time_that_reading_took_counts_for_its_age() {
        SteppingClock clock = SteppingClock.standing();
        ReadUsages usages = new ReadUsages(clock);
        shared();
        MountEntry mount = on.mounts.at(POD, work).orElseThrow();
        var _ = usages.reading(HANDLE, mount, () -> {
            clock.advance(Duration.ofSeconds(20));
            return Usage.ofDevice(1);
        });

        assertThat(usages.last(HANDLE, mount).orElseThrow().age()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void no_more_mounts_are_remembered_than_a_node_may_have() {
        ReadUsages usages = new ReadUsages(on.clock);
        shared();
        MountEntry mount = on.mounts.at(POD, work).orElseThrow();
        for (int i = 0; i <= ReadUsages.MOST; i++) {
            var _ = usages.reading("v:nas/" + i, mount, () -> Usage.ofDevice(1));
        }

        assertThat(usages.last("v:nas/0", mount)).isEmpty();
        assertThat(usages.last("v:nas/1", mount)).isPresent();
    }
}
