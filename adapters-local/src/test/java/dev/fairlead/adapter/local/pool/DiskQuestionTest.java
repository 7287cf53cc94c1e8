package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.pool.kind.DiskQuestion;
import dev.fairlead.adapter.local.pool.kind.ImageUse;
import dev.fairlead.adapter.local.pool.room.Reserve;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Questions to disks that do not answer. */
class DiskQuestionTest {
    private final DiskQuestion question =
            new DiskQuestion(Thread.ofPlatform().daemon().factory(), Duration.ofMillis(200));

    @Test
    void what_answers_is_passed_on_and_so_is_its_failure() throws IOException {
        assertThat(question.ask("a", () -> 1)).isEqualTo(1);
        assertThatThrownBy(() -> question.ask("a", () -> {
                    throw new NoSuchFileException("gone");
                }))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> question.ask("a", () -> {
                    throw new IllegalStateException("broken");
                }))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void what_does_not_answer_is_asked_once_and_again_when_it_has_answered() throws Exception {
        CountDownLatch back = new CountDownLatch(1);
        assertThatThrownBy(() -> question.ask("dead", () -> {
                    back.await();
                    return 1;
                }))
                .hasMessageContaining("dead gave no answer within");
        assertThatThrownBy(() -> question.ask("dead", () -> 2)).hasMessageContaining("still gives no answer");
        assertThat(question.ask("alive", () -> 3)).isEqualTo(3);

        back.countDown();
        while (!question.vain().isEmpty()) {
            Thread.sleep(5);
        }
        assertThat(question.ask("dead", () -> 4)).isEqualTo(4);
    }

    /** Its device is not known, and a pool that answers cannot lie on it. */
    @Test
    void a_neighbour_that_does_not_answer_shares_nothing() {
        Path dead = Path.of("/dead");
        SystemDisk system = SystemDisk.asking(List.of(), question, folder -> {
            if (folder.equals(dead)) {
                Thread.sleep(Duration.ofMinutes(1));
            }
            return 7L;
        });
        PoolSettings pool = settings("alive", Path.of("/alive"));
        assertThat(system.shared(pool, List.of(pool, settings("dead", dead)))).isEmpty();
        assertThat(system.holds(Path.of("/alive"))).isFalse();
    }

    /** The folder above it answers, and says nothing of what is mounted on it. */
    @Test
    void a_pool_that_does_not_answer_is_not_taken_for_one_on_the_disk_of_the_operating_system() {
        SystemDisk system = SystemDisk.asking(List.of(Path.of("/")), question, folder -> {
            if (folder.startsWith("/mnt/hung")) {
                Thread.sleep(Duration.ofMinutes(1));
            }
            if (folder.startsWith("/mnt/broken")) {
                throw new FileSystemException("/mnt/broken", null, "Input/output error");
            }
            if (folder.startsWith("/mnt/none")) {
                throw new NoSuchFileException("/mnt/none");
            }
            return 7L;
        });

        assertThat(system.holds(Path.of("/mnt/hung"))).isFalse();
        assertThat(system.holds(Path.of("/mnt/broken"))).isFalse();
        assertThat(system.holds(Path.of("/mnt/none"))).isTrue();
    }

    /** Its mark is on the disk that does not answer, and both are on one file system. */
    @Test
    void a_neighbour_on_the_same_disk_whose_mark_does_not_answer_counts() {
        Path other = Path.of("/other");
        SystemDisk system = SystemDisk.asking(List.of(), question, _ -> 7L);
        PoolSettings pool = settings("alive", Path.of("/alive"));
        List<PoolSettings> all = List.of(pool, settings("other", other));
        assertThat(system.shared(pool, all)).isEmpty();

        question.vain().add(other.resolve(".fairlead/owner"));

        assertThat(system.shared(pool, all)).contains(all.get(1));
    }

    @Test
    void whether_blocks_can_be_shared_is_not_waited_for_on_a_disk_that_does_not_answer() {
        Path dead = Path.of("/dead/partial");
        question.vain().add(dead);

        assertThatThrownBy(() -> ImageUse.ofThisMachine(question).sharesBlocks(dead))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("still gives no answer");
    }

    @Test
    void one_disk_takes_no_more_than_eight_threads_however_many_ask() throws Exception {
        CountDownLatch back = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        DiskQuestion few = new DiskQuestion(Thread.ofPlatform().daemon().factory(), Duration.ofMillis(500));
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            callers.add(Thread.ofVirtual()
                    .start(() -> assertThatThrownBy(() -> few.ask("dead", () -> {
                                asked.incrementAndGet();
                                back.await();
                                return 1;
                            }))
                            .isInstanceOf(IOException.class)));
        }
        for (Thread caller : callers) {
            assertThat(caller.join(Duration.ofSeconds(20))).isTrue();
        }

        assertThat(asked).hasValueBetween(1, 8);
        assertThat(few.ask("alive", () -> 3)).isEqualTo(3);
        back.countDown();
    }

    private static PoolSettings settings(String name, Path path) {
        return new PoolSettings(
                name, path, Optional.empty(), Reserve.NONE, 1, true, false, false, false, Optional.empty());
    }
}
