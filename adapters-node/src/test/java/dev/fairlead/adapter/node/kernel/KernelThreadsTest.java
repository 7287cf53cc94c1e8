package dev.fairlead.adapter.node.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.Until;
import dev.fairlead.testkit.fake.TestWork;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KernelThreadsTest {
    private static final Duration SOON = Duration.ofMillis(20);

    /** The root, and shares of two servers, each a file system of its own as exports of datasets are. */
    private static final List<MountEntry> SHARES = Stream.concat(
                    Stream.of(mounted("/", 1, "ext4", "/dev/sda1")),
                    IntStream.range(0, 20)
                            .mapToObj(i -> mounted(
                                    "/nas-" + (1 + i / 10) + "/" + i % 10,
                                    100 + i,
                                    "nfs4",
                                    "nas-" + (1 + i / 10) + ":/pool/" + i % 10)))
            .toList();

    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger lateEffects = new AtomicInteger();

    @AfterEach
    void let_everything_go() {
        release.countDown();
    }

    @Test
    void an_answer_and_a_failure_come_back_as_they_are() throws IOException {
        KernelThreads threads = threads(4);

        assertThat(run(threads, "/a", _ -> "done")).isEqualTo("done");
        assertThatThrownBy(() -> run(threads, "/a", _ -> {
                    throw new FileNotFoundException("nowhere");
                }))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessage("nowhere");
    }

    @Test
    void a_call_that_hangs_is_left_behind_with_its_path_named() {
        KernelThreads threads = threads(4);

        assertThatThrownBy(() -> hang(threads, "/dead/x"))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("FL-NODE-005")
                .hasMessageContaining("/dead/x");
        assertThat(threads.leftBehind()).isEqualTo(1);
    }

    @Test
    void a_path_that_hangs_is_refused_at_once_and_others_are_served() throws IOException {
        KernelThreads threads = threads(16);
        assertThatThrownBy(() -> hang(threads, "/dead/x")).isInstanceOf(StorageException.class);

        assertThatThrownBy(() -> run(threads, "/dead/x", _ -> "never begun"))
                .hasMessageContaining("an earlier call (hang) still hangs");
        assertThat(run(threads, "/alive", _ -> "served")).isEqualTo("served");
    }

    @Test
    void a_call_that_takes_long_by_right_goes_on_and_those_who_ask_meanwhile_are_told_so() throws IOException {
        KernelThreads threads = threads(16);
        for (String path : List.of("/dev/1", "/dev/2", "/dev/3")) {
            assertThatThrownBy(() -> threads.lasting(
                            "fsck",
                            Path.of(path),
                            Duration.ofHours(1),
                            TestWork.patient().left(SOON),
                            _ -> waited()))
                    .extracting("failure")
                    .isInstanceOf(Failure.OperationPending.class);
        }

        assertThatThrownBy(() -> run(threads, "/dev/1", _ -> "never begun"))
                .extracting("failure")
                .isInstanceOfSatisfying(
                        Failure.OperationPending.class,
                        it -> assertThat(it.running()).isEqualTo("fsck"));
        assertThat(run(threads, "/dev/4", _ -> "served")).isEqualTo("served");
        release.countDown();
        Until.holds(() -> threads.leftBehind() == 0);
        assertThat(run(threads, "/dev/1", _ -> "served")).isEqualTo("served");
    }

    @Test
    void calls_that_take_long_by_right_leave_room_for_all_others() throws IOException {
        KernelThreads threads = threads(16);
        for (int i = 0; i < 12; i++) {
            Path device = Path.of("/dev/" + i);
            assertThatThrownBy(() -> threads.lasting(
                            "fsck",
                            device,
                            Duration.ofHours(1),
                            TestWork.patient().left(SOON),
                            _ -> waited()))
                    .extracting("failure")
                    .isInstanceOf(Failure.OperationPending.class);
        }

        assertThat(threads.leftBehind()).isEqualTo(1);
        assertThat(run(threads, "/alive", _ -> "served")).isEqualTo("served");
    }

    @Test
    void a_question_that_hangs_keeps_nobody_from_its_path_but_other_questions() throws IOException {
        KernelThreads threads = threads(16);
        Path dead = Path.of("/dead/x");
        assertThatThrownBy(() -> threads.ask("asking", dead, SOON, TestWork.patient(), _ -> waited()))
                .hasMessageContaining("FL-NODE-005");

        assertThat(threads.isAskedInVain(dead)).isTrue();
        assertThatThrownBy(() -> threads.ask("asking", dead, SOON, TestWork.patient(), _ -> "never begun"))
                .hasMessageContaining("an earlier call (asking) still hangs");
        assertThat(run(threads, "/dead/x", _ -> "unmounted")).isEqualTo("unmounted");
    }

    @Test
    void a_file_system_that_hangs_takes_no_more_than_its_share() throws IOException {
        KernelThreads threads = threads(16);
        assertThatThrownBy(() -> hang(threads, "/dead/1")).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> hang(threads, "/dead/2")).isInstanceOf(StorageException.class);

        assertThatThrownBy(() -> run(threads, "/dead/3", _ -> "never begun"))
                .hasMessageContaining("2 earlier calls still hang");
        assertThat(run(threads, "/proc/alive", _ -> "served")).isEqualTo("served");
    }

    @Test
    void questions_to_one_server_leave_room_for_those_to_others_though_each_of_its_shares_is_a_file_system() {
        KernelThreads threads = threads(16, () -> SHARES);
        for (int i = 0; i < 8; i++) {
            Path share = Path.of("/nas-1/" + i);
            assertThatThrownBy(() -> threads.ask("asking", share, SOON, TestWork.patient(), _ -> waited()))
                    .hasMessageContaining("FL-NODE-005");
        }

        assertThat(threads.leftBehind()).isEqualTo(2);
        assertThatThrownBy(() -> ask(threads, "/nas-1/9"))
                .hasMessageContaining("2 earlier calls still hang in the kernel on the server nas-1");
        assertThat(ask(threads, "/nas-2/0")).isEqualTo("answered");
    }

    @Test
    void a_share_is_changed_however_many_questions_to_its_server_hang() throws IOException {
        KernelThreads threads = threads(16, () -> SHARES);
        for (String folder : List.of("/nas-1/0/a", "/nas-1/0/b")) {
            assertThatThrownBy(() -> threads.ask("asking", Path.of(folder), SOON, TestWork.patient(), _ -> waited()))
                    .hasMessageContaining("FL-NODE-005");
        }

        assertThat(run(threads, "/nas-1/0", _ -> "unmounted")).isEqualTo("unmounted");
        assertThat(run(threads, "/nas-1/9", _ -> "unmounted")).isEqualTo("unmounted");
    }

    @Test
    void a_server_has_its_share_again_when_what_hung_has_come_back() {
        KernelThreads threads = threads(16, () -> SHARES);
        for (int i = 0; i < 2; i++) {
            Path share = Path.of("/nas-1/" + i);
            assertThatThrownBy(() -> threads.ask("asking", share, SOON, TestWork.patient(), _ -> waited()))
                    .hasMessageContaining("FL-NODE-005");
        }

        release.countDown();
        Until.holds(() -> threads.leftBehind() == 0);

        for (int i = 0; i < 10; i++) {
            assertThat(ask(threads, "/nas-1/" + i)).isEqualTo("answered");
        }
    }

    @Test
    void what_hangs_below_a_mount_that_was_taken_off_counts_on_no_other() throws IOException {
        AtomicReference<List<MountEntry>> table = new AtomicReference<>(SHARES);
        KernelThreads threads = threads(16, table::get);
        assertThatThrownBy(() -> hang(threads, "/nas-1/0")).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> hang(threads, "/nas-1/1")).isInstanceOf(StorageException.class);

        table.set(SHARES.subList(0, 1));

        assertThat(run(threads, "/pods/new", _ -> "made")).isEqualTo("made");
    }

    @Test
    void mounts_of_one_server_leave_room_for_those_of_others() {
        KernelThreads threads = threads(16, () -> SHARES);
        for (int i = 0; i < 4; i++) {
            String target = "/nas-1/" + i;
            assertThatThrownBy(() -> mount(threads, target, "nas-1", this::waited))
                    .extracting("failure")
                    .isInstanceOf(Failure.OperationPending.class);
        }

        assertThat(threads.leftBehind()).isEqualTo(1);
        assertThat(mount(threads, "/nas-2/0", "nas-2", () -> true)).isTrue();
    }

    @Test
    void a_path_is_served_again_when_what_hung_has_come_back() throws Exception {
        KernelThreads threads = threads(16);
        assertThatThrownBy(() -> hang(threads, "/dead/x")).isInstanceOf(StorageException.class);

        release.countDown();
        Until.holds(() -> threads.leftBehind() == 0);

        assertThat(run(threads, "/dead/x", _ -> "served")).isEqualTo("served");
        assertThat(lateEffects).as("effects of a thread for which nobody waits").hasValue(0);
    }

    @Test
    void when_every_thread_hangs_the_message_says_so() {
        KernelThreads threads = threads(1);
        assertThatThrownBy(() -> hang(threads, "/dead/x")).isInstanceOf(StorageException.class);

        assertThatThrownBy(() -> run(threads, "/proc/alive", _ -> "never begun"))
                .hasMessageContaining("no thread was free")
                .hasMessageContaining("at most 1");
    }

    @Test
    void one_path_is_touched_by_one_call_at_a_time() throws Exception {
        KernelThreads threads = threads(16);
        CountDownLatch inside = new CountDownLatch(1);
        Thread first = Thread.ofPlatform().daemon().unstarted(() -> {
            try {
                threads.run("first", List.of(Path.of("/a"), Path.of("/b")), TestWork.patient(), _ -> {
                    inside.countDown();
                    return waited();
                });
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        first.start();
        inside.await();

        assertThatThrownBy(() -> run(threads, "/b", _ -> "never begun")).hasMessageContaining("no thread was free");
        release.countDown();
        first.join();
        assertThat(run(threads, "/b", _ -> "served")).isEqualTo("served");
    }

    private String run(KernelThreads threads, String path, KernelThreads.Action<String> action) throws IOException {
        return threads.run("try", List.of(Path.of(path)), Duration.ofMillis(200), TestWork.patient(), action);
    }

    private static String ask(KernelThreads threads, String path) {
        try {
            return threads.ask("try", Path.of(path), Duration.ofSeconds(1), TestWork.patient(), _ -> "answered");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean mount(KernelThreads threads, String target, String server, BooleanSupplier mounting) {
        TestWork work = TestWork.patient().left(SOON);
        return threads.lasting(
                "mounting",
                List.of(Path.of(target)),
                Optional.of(server),
                Duration.ofHours(1),
                work,
                _ -> mounting.getAsBoolean());
    }

    private static MountEntry mounted(String place, int number, String type, String source) {
        return new MountEntry(number, 1, "0:" + number, "/", place, List.of("rw"), type, source, List.of("rw"));
    }

    private String hang(KernelThreads threads, String path) throws IOException {
        return threads.run("hang", List.of(Path.of(path)), SOON, TestWork.patient(), work -> {
            waited();
            work.effect(new Effect("late", path), lateEffects::incrementAndGet);
            return "late";
        });
    }

    private boolean waited() {
        try {
            return release.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KernelThreads threads(int most) {
        return threads(most, MountTable::read);
    }

    private static KernelThreads threads(int most, MountPlaces.Table table) {
        ThreadFactory daemons = Thread.ofPlatform().daemon().factory();
        return new KernelThreads(daemons, most, Duration.ofSeconds(10), (_, _) -> Optional.empty(), table);
    }
}
