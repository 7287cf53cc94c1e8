package dev.fairlead.application.service.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.SavedVolume;
import dev.fairlead.application.port.out.placement.VolumeCatalog;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** When what another controller has kept is taken over, and what waits for it. */
class SavedVolumeRunTest {
    private static final Duration SETTLE = Duration.ofSeconds(60);

    private final StagedCluster cluster = new StagedCluster();
    private final StagedOtherController other = new StagedOtherController();
    private final KeptInMemory kept = new KeptInMemory();
    private final List<String> taken = new ArrayList<>();
    private final Semaphore woken = new Semaphore(0);
    private volatile Duration passed = Duration.ZERO;
    private final SavedVolumeRun run = new SavedVolumeRun(
            new SavedVolumeReader(
                    kept, () -> Instant.EPOCH.plus(passed), Thread.ofVirtual().factory(), woken::release),
            new StagedTaking(kept, taken),
            cluster,
            other,
            SETTLE);
    private final GuardedChanger changer = new GuardedChanger(cluster, other, run, cluster, "org.example.csi"::equals);

    @Test
    void what_is_kept_is_taken_once_it_has_stayed_the_same_and_is_removed_last() {
        kept.put("vol-1", "text");
        changer.resume(() -> true);
        wait(59);
        changer.resume(() -> true);
        assertThat(taken).isEmpty();
        wait(1);

        assertThat(changer.resume(() -> true)).extracting(ChangeOutcome::result).containsExactly(Result.IN_PLACE);

        assertThat(taken).containsExactly("vol-1");
        assertThat(kept.all).isEmpty();
        assertThat(other.wrote).isEmpty();
    }

    @Test
    void what_was_taken_over_is_told_although_the_other_begins_to_live() {
        kept.put("vol-1", "text");
        changer.resume(() -> true);
        wait(60);
        kept.removed = () -> other.sign = Optional.of("it renews");

        assertThat(changer.resume(() -> true)).extracting(ChangeOutcome::result).containsExactly(Result.IN_PLACE);

        assertThatThrownBy(() -> changer.resume(() -> true)).hasMessageContaining("it renews");
    }

    @Test
    void what_appears_or_changes_shows_that_the_other_lives() {
        changer.resume(() -> true);
        kept.put("vol-1", "text");
        wait(15);
        assertThatThrownBy(() -> changer.resume(() -> true))
                .satisfies(
                        e -> assertThat(((StorageException) e).failure().code()).isEqualTo("FL-AFF-011"));
        assertThat(other.wrote).hasSize(1);
        assertThat(taken).isEmpty();
    }

    @Test
    void half_a_list_shows_nothing() {
        cluster.add("pvc-1", "vol-1", StagedCluster.IDLE, "a");
        kept.put("vol-1", "text");
        kept.put("vol-2", "text");
        changer.resume(() -> true);
        SavedVolume lacking = kept.all.remove("vol-1");
        changer.resume(() -> true);
        assertThat(changer.change(change(), _ -> true).result()).isNotEqualTo(Result.REPLACED);
        kept.all.put("vol-1", lacking);
        changer.resume(() -> true);
        assertThat(other.wrote).isEmpty();
    }

    @Test
    void a_volume_of_which_something_is_kept_is_not_changed_until_that_has_ended() {
        cluster.add("pvc-1", "vol-1", StagedCluster.IDLE, "a");
        kept.put("vol-1", "text");
        changer.resume(() -> true);
        assertThat(changer.change(change(), _ -> true).result()).isEqualTo(Result.ABANDONED);
        wait(60);
        changer.resume(() -> true);
        assertThat(changer.change(change(), _ -> true).result()).isEqualTo(Result.REPLACED);
    }

    @Test
    void where_nothing_is_kept_no_volume_is_looked_up_for_a_change() {
        cluster.add("pvc-1", "vol-1", StagedCluster.IDLE, "a");
        List<String> asked = new ArrayList<>();
        VolumeCatalog catalog = new VolumeCatalog() {
            @Override
            public List<KnownVolume> volumes() {
                return cluster.volumes();
            }

            @Override
            public Optional<KnownVolume> volume(String name) {
                asked.add(name);
                return cluster.volume(name);
            }
        };
        var guarded = new GuardedChanger(cluster, other, run, catalog, "org.example.csi"::equals);
        assertThat(guarded.obstacle(change())).isPresent();
        guarded.resume(() -> true);
        asked.clear();

        assertThat(guarded.obstacle(change())).isEmpty();

        assertThat(asked).isEmpty();
    }

    @Test
    void while_it_is_not_known_what_is_kept_only_volumes_of_others_are_changed() {
        cluster.add("pvc-1", "vol-1", StagedCluster.IDLE, "a");
        kept.away = true;
        assertThat(changer.resume(() -> true)).isEmpty();
        assertThat(changer.change(change(), _ -> true).result()).isEqualTo(Result.ABANDONED);
        var others = new GuardedChanger(cluster, other, run, cluster, "other"::equals);
        assertThat(others.change(change(), _ -> true).result()).isEqualTo(Result.REPLACED);
    }

    @Test
    void a_storage_that_fails_after_long_is_not_asked_in_each_round() {
        AtomicInteger asked = new AtomicInteger();
        kept.away = true;
        kept.failing = () -> {
            asked.incrementAndGet();
            wait(20);
        };
        changer.resume(() -> true);
        wait(39);
        assertThat(changer.resume(() -> true)).isEmpty();
        assertThat(asked).hasValue(1);
        wait(1);
        changer.resume(() -> true);
        assertThat(asked).hasValue(2);
    }

    @Test
    void a_storage_that_is_silent_keeps_no_round_waiting_and_is_heard_later() throws Exception {
        cluster.add("pvc-1", "vol-1", StagedCluster.IDLE, "a");
        kept.put("vol-1", "text");
        CountDownLatch silence = kept.silent();
        long began = System.nanoTime();
        for (int round = 0; round < 5; round++)
            assertThat(changer.resume(() -> true)).isEmpty();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
        assertThat(kept.asked).as("one question at a time").hasValue(1);
        assertThat(changer.change(change(), _ -> true).message()).contains("not known yet");
        var others = new GuardedChanger(cluster, other, run, cluster, "other"::equals);
        assertThat(others.change(change(), _ -> true).result()).isEqualTo(Result.REPLACED);

        wait(90);
        silence.countDown();
        assertThat(woken.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
        assertThat(changer.resume(() -> true)).isEmpty();
        assertThat(changer.change(change(), _ -> true).message()).contains("to be ended first");
        changer.resume(() -> true);
        assertThat(kept.asked).as("it rests after an answer that took long").hasValue(1);
        wait(15);
        changer.resume(() -> true);
        assertThat(taken).as("it was asked for 90 s apart").containsExactly("vol-1");
    }

    @Test
    void what_was_kept_before_the_other_lived_is_not_relied_on_after_it() throws Exception {
        cluster.add("pvc-1", "vol-1", StagedCluster.IDLE, "a");
        changer.resume(() -> true);
        other.sign = Optional.of("it renews");
        assertThatThrownBy(() -> changer.resume(() -> true)).isInstanceOf(StorageException.class);
        kept.put("vol-1", "text");
        wait(300);
        other.sign = Optional.empty();
        CountDownLatch silence = kept.silent();
        changer.resume(() -> true);

        assertThat(changer.change(change(), _ -> true).message()).contains("not known yet");

        silence.countDown();
        assertThat(woken.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void what_was_asked_for_before_the_other_lived_tells_nothing_after_it() throws Exception {
        cluster.add("pvc-1", "vol-1", StagedCluster.IDLE, "a");
        CountDownLatch silence = kept.silent();
        changer.resume(() -> true);
        other.unknown = true;
        wait(1);
        assertThatThrownBy(() -> changer.resume(() -> true)).isInstanceOf(StorageException.class);
        silence.countDown();
        assertThat(woken.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
        other.unknown = false;
        CountDownLatch again = kept.silent();
        changer.resume(() -> true);

        assertThat(changer.change(change(), _ -> true).message()).contains("not known yet");
        assertThat(kept.asked).as("it is asked anew at once").hasValue(2);
        again.countDown();
    }

    @Test
    void what_a_late_answer_tells_has_been_the_same_up_to_the_question_only() throws Exception {
        kept.put("vol-1", "text");
        changer.resume(() -> true);
        CountDownLatch silence = kept.silent();
        wait(30);
        changer.resume(() -> true);
        wait(40);
        silence.countDown();
        assertThat(woken.tryAcquire(20, TimeUnit.SECONDS)).isTrue();

        assertThat(changer.resume(() -> true)).isEmpty();

        assertThat(taken).isEmpty();
        wait(15);
        changer.resume(() -> true);
        assertThat(taken).containsExactly("vol-1");
    }

    @Test
    void a_storage_that_takes_no_removal_is_asked_for_one_in_a_round() {
        kept.put("vol-1", "text");
        kept.put("vol-2", "text");
        changer.resume(() -> true);
        wait(60);
        kept.removed = () -> {
            wait(20);
            throw new StorageException(new Failure.BackendUnavailable("linstor", "no answer"));
        };

        assertThat(changer.resume(() -> true)).extracting(ChangeOutcome::result).containsExactly(Result.UNFINISHED);
        assertThat(taken).containsExactly("vol-1");
        wait(39);
        assertThat(changer.resume(() -> true)).isEmpty();
        wait(1);
        assertThat(changer.resume(() -> true)).hasSize(1);
    }

    @Test
    void a_storage_whose_answer_breaks_the_program_is_not_known_and_stops_nobody_else() {
        cluster.add("pvc-1", "vol-1", StagedCluster.IDLE, "a");
        kept.away = true;
        kept.failing = () -> {
            throw new IllegalStateException("x");
        };

        assertThat(changer.resume(() -> true)).isEmpty();

        assertThat(changer.change(change(), _ -> true).message()).contains("not known yet");
    }

    @Test
    void nothing_is_changed_or_resumed_while_the_other_lives_or_may_live() {
        cluster.add("pvc-1", "vol-1", StagedCluster.IDLE, "a");
        kept.put("vol-1", "text");
        other.sign = Optional.of("it renews");
        assertThatThrownBy(() -> changer.resume(() -> true)).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> changer.change(change(), _ -> true)).isInstanceOf(StorageException.class);
        other.unknown = true;
        assertThatThrownBy(() -> changer.resume(() -> true)).isInstanceOf(StorageException.class);
        assertThat(cluster.resumed()).isZero();
        assertThat(cluster.changed()).isEmpty();
        assertThat(other.told).contains(Optional.of("it renews"));
    }

    @Test
    void a_change_that_is_about_to_begin_does_not_if_the_other_comes_alive() {
        cluster.add("pvc-1", "vol-1", StagedCluster.IDLE, "a");
        changer.resume(() -> true);
        var late = new GuardedChanger(
                new DelayedChanger(cluster, () -> other.sign = Optional.of("it renews")),
                other,
                run,
                cluster,
                _ -> false);
        assertThat(late.change(change(), _ -> true).result()).isEqualTo(Result.ABANDONED);
        assertThat(cluster.changed()).isEmpty();
    }

    private AffinityChange change() {
        KnownVolume volume = cluster.volume("pvc-1").orElseThrow();
        return new AffinityChange(
                "pvc-1",
                volume.uid(),
                volume.affinity(),
                NodeAffinity.of(StagedSource.segments("b")).orElseThrow(),
                "test",
                "why",
                Optional.empty());
    }

    private void wait(int seconds) {
        passed = passed.plusSeconds(seconds);
    }
}
