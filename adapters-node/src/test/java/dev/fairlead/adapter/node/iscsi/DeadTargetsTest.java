package dev.fairlead.adapter.node.iscsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.filesystem.LinuxFilesystems;
import dev.fairlead.adapter.node.settings.FilesystemSettings;
import dev.fairlead.adapter.node.settings.NodeSettings;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A host with a target for each of its 20 volumes, which dies, and one that answers. */
class DeadTargetsTest {
    private static final int VOLUMES = 20;
    private static final String DEAD = "10.0.0.1:3260";
    private static final String ALIVE = "10.0.0.2:3260";

    /** How many changes one host may have. */
    private static final int SHARE = NodeSettings.KERNEL_CALLS / 8;

    private final CountDownLatch back = new CountDownLatch(1);
    private final AtomicInteger hanging = new AtomicInteger();
    private final Map<String, Attached.Device> attached = new HashMap<>();
    private ScriptedInitiator node;
    private IscsiAttacher attacher;
    private LinuxFilesystems filesystems;

    @BeforeEach
    void attach_all_and_let_one_host_die(@TempDir Path folder) throws IOException {
        node = new ScriptedInitiator(folder);
        attacher = node.attacher();
        filesystems = new LinuxFilesystems(node.threads, new DevicePrograms(), FilesystemSettings.NONE);
        for (int i = 0; i < VOLUMES; i++) {
            attach(DEAD, "dead-" + i);
        }
        attach(ALIVE, "alive-0");
        node.receiver = (file, text) -> {
            hangIfDead(file.toString());
            node.write(file, text);
        };
    }

    @AfterEach
    void let_everything_go() {
        back.countDown();
        node.close();
    }

    /** Plays programs that wait for the device that is their last argument. */
    private final class DevicePrograms implements CommandRunner {
        @Override
        public Ended run(Command command, Work work) {
            hangIfDead(command.argv().getLast());
            return Ended.with(0, "", "");
        }

        @Override
        public void close() {}
    }

    private void hangIfDead(String path) {
        if (path.matches(".*/session(1?[0-9]|20)/.*|.*/dev/sd[a-t]")) {
            hanging.incrementAndGet();
            try {
                back.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void attach(String portal, String name) throws IOException {
        node.targets.put(iqn(name), List.of(0));
        Attached.Device device =
                AttachCalls.raw(attacher, "v:" + name, volume(portal, name), Map.of(), TestWork.patient());
        Files.write(device.path(), new byte[8192]);
        attached.put(name, device);
    }

    private static String iqn(String name) {
        return "iqn.2003-01.org.example:" + name;
    }

    private static Attachment.Iscsi volume(String portal, String name) {
        return new Attachment.Iscsi(portal, List.of(), "", iqn(name), 0);
    }

    @Test
    @Timeout(120)
    void all_calls_for_one_host_hang_and_none_for_another_is_refused() throws Exception {
        do {
            useAllOfTheDead();
        } while (hanging.get() < SHARE); // the first time, unless callers lost patience before their calls began
        assertThat(node.threads.hanging()).containsEntry("10.0.0.1", Map.of("change", SHARE));

        attach(ALIVE, "alive-1");
        use("alive-0");
        use("alive-1");
        attacher.detach(volume(ALIVE, "alive-0"), Map.of(), TestWork.patient());

        assertThat(node.threads.hanging()).containsOnlyKeys("", "10.0.0.1");
        assertThat(hanging).as("calls in the kernel").hasValue(SHARE);
    }

    /** Grows a volume, and reads its device by programs as stage and health do. */
    private void use(String name) {
        attacher.rescan(volume(ALIVE, name), TestWork.patient());
        assertThat(digest(name, TestWork.patient())).isNotEmpty();
    }

    private String digest(String name, Work work) {
        return filesystems.digest(Objects.requireNonNull(attached.get(name)).path(), work);
    }

    private void useAllOfTheDead() throws Exception {
        List<Future<?>> begun = new ArrayList<>();
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < VOLUMES; i++) {
                String name = "dead-" + i;
                begun.add(calls.submit(() -> fails(() -> attacher.rescan(volume(DEAD, name), hurried()))));
                begun.add(calls.submit(() -> fails(() -> attacher.detach(volume(DEAD, name), Map.of(), hurried()))));
                begun.add(calls.submit(() -> fails(() -> digest(name, hurried()))));
            }
        }
        for (Future<?> each : begun) {
            each.get(); // it fails if the call did not fail as it should
        }
    }

    private static Work hurried() {
        return TestWork.patient().left(Duration.ofMillis(100));
    }

    private static void fails(ThrowingCallable call) {
        assertThatThrownBy(call).hasMessageContaining("FL-NODE-005");
    }
}
