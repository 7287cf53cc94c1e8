package dev.fairlead.adapter.node.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.settings.NodeSettings;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.Until;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HangingCallsTest {
    private static final Duration SOON = Duration.ofMillis(20);
    private static final List<MountEntry> MOUNTS = List.of(
            mounted("/", "1:0", "ext4", "/dev/sda1"),
            mounted("/a", "0:1", "nfs4", "nas:/a"),
            mounted("/b", "0:2", "nfs4", "nas:/b"));

    private final CountDownLatch release = new CountDownLatch(1);
    private final KernelThreads threads = new KernelThreads(
            Thread.ofPlatform().daemon().factory(),
            16,
            Duration.ofSeconds(10),
            (_, _) -> Optional.empty(),
            () -> MOUNTS);

    @AfterEach
    void let_everything_go() {
        release.countDown();
    }

    @Test
    void while_nothing_hangs_there_is_a_zero_for_each_kind_of_call() {
        assertThat(threads.hanging()).isEqualTo(Map.of("", counts(0, 0, 0)));
    }

    @Test
    void calls_that_hang_count_by_their_server_and_by_what_they_are() {
        change("/a/x");
        question("/a");
        question("/b");
        change("/local");

        assertThat(threads.hanging()).isEqualTo(Map.of("", counts(1, 0, 0), "nas", Map.of("change", 1, "question", 2)));
    }

    @Test
    void a_mount_that_hangs_counts_by_the_server_whose_share_it_mounts() {
        mount("/local", "nas-2");

        assertThat(threads.hanging()).isEqualTo(Map.of("", counts(0, 0, 0), "nas-2", Map.of("lasting", 1)));
    }

    @Test
    void calls_that_somebody_waits_for_or_that_have_come_back_do_not_count() throws Exception {
        change("/a/x");
        CountDownLatch inside = new CountDownLatch(1);
        Thread waiting = Thread.ofPlatform()
                .daemon()
                .start(() -> threads.call("waiting", Path.of("/b"), TestWork.patient(), _ -> {
                    inside.countDown();
                    return waited();
                }));
        inside.await();
        assertThat(threads.hanging()).containsEntry("nas", Map.of("change", 1));

        release.countDown();
        waiting.join();
        Until.holds(() -> threads.leftBehind() == 0);

        assertThat(threads.hanging()).isEqualTo(Map.of("", counts(0, 0, 0)));
    }

    @Test
    void a_target_of_which_nobody_knows_the_host_is_not_named() {
        KernelThreads nodes = threads(new Node(Map.of()));
        for (String target : List.of("iqn:pvc-1", "iqn:pvc-2")) {
            login(nodes, target);
            login(nodes, target + "/again");
        }

        assertThat(nodes.hanging()).isEqualTo(Map.of("", counts(0, 0, 0), "unknown", Map.of("change", 4)));
    }

    @Test
    void a_target_counts_by_the_host_of_its_session_until_another_is_noted() {
        KernelThreads nodes = threads(new Node(Map.of("iqn:pvc-1", "10.0.0.1", "iqn:pvc-2", "10.0.0.1")));
        login(nodes, "iqn:pvc-1");
        login(nodes, "iqn:pvc-2");
        nodes.note("iqn:pvc-2", "nas");
        assertThat(nodes.hanging()).containsEntry("10.0.0.1", Map.of("change", 2));

        login(nodes, "iqn:pvc-2/again");

        assertThat(nodes.hanging())
                .containsEntry("10.0.0.1", Map.of("change", 2))
                .containsEntry("nas", Map.of("change", 1));
    }

    /** Logs in at a target, which is named before the slash, and which does not answer. */
    private void login(KernelThreads nodes, String text) {
        String target = text.replaceFirst("/.*", "");
        assertThatThrownBy(() ->
                        nodes.call("login", Path.of("/sys", text), target, SOON, TestWork.patient(), _ -> waited()))
                .hasMessageContaining("the kernel has not answered");
    }

    /** Has devices of its own alone below {@code /dev}, and sessions with the targets of these hosts. */
    private record Node(Map<String, String> hosts) implements KernelThreads.Devices {
        @Override
        public Optional<String> target(String path, Optional<MountEntry> mount) {
            return Optional.empty();
        }

        @Override
        public Optional<String> device(String path, Optional<MountEntry> mount) {
            return path.startsWith("/dev/") ? Optional.of("the device " + path) : Optional.empty();
        }
    }

    @Test
    void devices_of_the_node_count_each_for_itself() {
        KernelThreads nodes = threads(new Node(Map.of()));
        for (int i = 0; i < 20; i++) {
            fsck(nodes, "/dev/" + i);
        }

        assertThat(nodes.hanging()).isEqualTo(Map.of("", counts(0, 20, 0)));
        boolean checked = nodes.lasting("fsck", Path.of("/dev/20"), Duration.ofHours(1), TestWork.patient(), _ -> true);
        assertThat(checked).isTrue();
    }

    private void fsck(KernelThreads nodes, String device) {
        assertThatThrownBy(() -> nodes.lasting("fsck", Path.of(device), SOON, TestWork.patient(), _ -> waited()))
                .isInstanceOf(StorageException.class);
    }

    private static KernelThreads threads(KernelThreads.Devices devices) {
        return new KernelThreads(
                Thread.ofPlatform().daemon().factory(),
                NodeSettings.KERNEL_CALLS,
                Duration.ofSeconds(30),
                devices,
                () -> MOUNTS);
    }

    private void change(String path) {
        assertThatThrownBy(
                        () -> threads.run("changing", List.of(Path.of(path)), SOON, TestWork.patient(), _ -> waited()))
                .isInstanceOf(StorageException.class);
    }

    private void question(String path) {
        assertThatThrownBy(() -> threads.ask("asking", Path.of(path), SOON, TestWork.patient(), _ -> waited()))
                .isInstanceOf(StorageException.class);
    }

    private void mount(String path, String server) {
        assertThatThrownBy(() -> threads.lasting(
                        "mounting",
                        List.of(Path.of(path)),
                        Optional.of(server),
                        Duration.ofHours(1),
                        TestWork.patient().left(SOON),
                        _ -> waited()))
                .isInstanceOf(StorageException.class);
    }

    private boolean waited() {
        try {
            release.await();
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Integer> counts(int change, int lasting, int question) {
        return Map.of("change", change, "lasting", lasting, "question", question);
    }

    private static MountEntry mounted(String place, String device, String type, String source) {
        return new MountEntry(1, 1, device, "/", place, List.of("rw"), type, source, List.of("rw"));
    }
}
