package dev.fairlead.application.service.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.service.call.KeyedLocks.LockKey;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CsiName;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class KeyedLocksTest {
    private final TestClock clock = new TestClock();
    private final KeyedLocks locks = new KeyedLocks(clock);
    private final LockKey volume = LockKey.volume("v:nas/pvc-1");
    private final RunningWork copying = clock.work("CreateVolume pvc-1");
    private final RunningWork other = clock.work("DeleteVolume v:nas/pvc-1");

    @Test
    void the_second_caller_is_told_what_runs_for_how_long_and_how_far_it_is() {
        Failure told = locks.exclusively(volume, copying, () -> {
            copying.progress(30, 40);
            clock.advance(Duration.ofSeconds(42));
            return refusal(() -> locks.exclusively(volume, other, () -> "never"));
        });

        assertThat(told)
                .isEqualTo(new Failure.OperationPending(
                        "volume v:nas/pvc-1", "CreateVolume pvc-1", Duration.ofSeconds(42), "30 of 40, 75 %"));
    }

    @Test
    void what_is_exclusive_shuts_out_sharing_and_what_is_shared_shuts_out_exclusive() {
        Failure whileExclusive =
                locks.exclusively(volume, copying, () -> refusal(() -> locks.sharing(volume, other, () -> "never")));
        Failure whileShared =
                locks.sharing(volume, copying, () -> refusal(() -> locks.exclusively(volume, other, () -> "never")));

        assertThat(whileExclusive).isInstanceOf(Failure.OperationPending.class);
        assertThat(whileShared).isInstanceOf(Failure.OperationPending.class);
    }

    @Test
    void several_share_and_the_last_one_frees_the_key() {
        String both = locks.sharing(volume, copying, () -> {
            String inner = locks.sharing(volume, other, () -> "inner");
            Failure still = refusal(() -> locks.exclusively(volume, other, () -> "never"));
            return inner + " " + still.code();
        });

        assertThat(both).isEqualTo("inner FL-OP-001");
        assertThat(locks.<String>exclusively(volume, other, () -> "free")).isEqualTo("free");
    }

    @Test
    void the_same_work_sharing_twice_leaves_once() {
        Failure held = locks.sharing(volume, copying, () -> {
            locks.sharing(volume, copying, () -> "again");
            return refusal(() -> locks.exclusively(volume, other, () -> "never"));
        });

        assertThat(held).isInstanceOf(Failure.OperationPending.class);
    }

    @Test
    void a_body_that_throws_frees_the_key() {
        assertThatThrownBy(() -> locks.exclusively(volume, copying, () -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");

        assertThat(locks.<String>exclusively(volume, other, () -> "free")).isEqualTo("free");
    }

    @Test
    void keys_of_different_kinds_and_names_do_not_meet() {
        String done = locks.exclusively(
                volume,
                copying,
                () -> locks.exclusively(
                        LockKey.snapshot("v:nas/pvc-1"),
                        other,
                        () -> locks.exclusively(
                                LockKey.volumeName(new CsiName("v:nas/pvc-1")),
                                other,
                                () -> locks.exclusively(LockKey.path(Path.of("/v:nas/pvc-1")), other, () -> "all"))));

        assertThat(done).isEqualTo("all");
    }

    @Test
    void two_spellings_of_a_path_are_one_key() {
        assertThat(LockKey.path(Path.of("/a/./b/../c"))).isEqualTo(LockKey.path(Path.of("/a/c")));
    }

    private static Failure refusal(Runnable call) {
        try {
            call.run();
        } catch (StorageException refused) {
            return refused.failure();
        }
        throw new AssertionError("it was not refused");
    }
}
