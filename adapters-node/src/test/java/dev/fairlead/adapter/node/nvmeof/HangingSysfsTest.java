package dev.fairlead.adapter.node.nvmeof;

import static dev.fairlead.testkit.Failing.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long a call waits for what the kernel does not tell of a connection. */
class HangingSysfsTest {
    private static final String NQN = "nqn.2026-11.test.lab:stor";
    private static final Attachment.Nvmeof VOLUME = new Attachment.Nvmeof("tcp://10.0.0.1:4420", List.of(), NQN, 1);
    private static final Duration SOON = Duration.ofMillis(200);

    @TempDir
    private Path folder;

    private ScriptedKernel kernel;
    private final List<Path> silent = new ArrayList<>();

    @BeforeEach
    void a_subsystem() throws IOException {
        kernel = new ScriptedKernel(folder.toRealPath());
        kernel.subsystems.put(NQN, List.of(1));
    }

    @AfterEach
    void let_everything_go() throws IOException {
        for (Path each : silent) {
            new RandomAccessFile(each.toFile(), "rw").close();
        }
        kernel.close();
    }

    private void attach(Duration left) {
        kernel.stage("v:1", VOLUME);
        var _ = AttachCalls.raw(
                kernel.attacher(), "v:1", VOLUME, Map.of(), TestWork.patient().left(left));
    }

    /** Lets the address of each controller be a question that is not answered. */
    private void silence() throws IOException {
        try (var controllers = Files.list(folder.resolve("sys/class/nvme"))) {
            for (Path each : controllers.toList()) {
                Path address = each.toRealPath().resolve("address");
                Files.delete(address);
                assertThat(new ProcessBuilder("mkfifo", address.toString())
                                .start()
                                .waitFor())
                        .isZero();
                silent.add(address);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void endsInTime(Runnable call) throws Exception {
        FutureTask<Failure> ending = new FutureTask<>(() -> failure(call));

        MountSandbox.THREADS.newThread(ending).start();

        assertThat(ending.get(20, TimeUnit.SECONDS)).isInstanceOf(Failure.NodeFault.class);
    }

    @Test
    void detaching_waits_no_longer_than_its_deadline() throws Exception {
        attach(Duration.ofSeconds(5));
        silence();

        endsInTime(() ->
                kernel.attacher().detach(VOLUME, Map.of(), TestWork.patient().left(SOON)));
    }

    @Test
    void attaching_waits_no_longer_than_its_deadline_for_what_it_has_just_connected() throws Exception {
        kernel.fabrics = new SilentlyConnecting();

        endsInTime(() -> attach(SOON));
    }

    @Test
    void asking_what_a_mount_shows_waits_no_longer_than_its_deadline() throws Exception {
        attach(Duration.ofSeconds(5));
        Path place = folder.resolve("device");
        kernel.mounts.makeDirectory(folder, TestWork.patient());
        kernel.mounts.bindDevice(folder.toRealPath().resolve("dev/nvme0n1"), place, List.of(), TestWork.patient());
        var mount = kernel.mounts.at(place, TestWork.patient()).orElseThrow();
        silence();

        endsInTime(() -> {
            var _ = kernel.attacher().recognise(mount, TestWork.patient().left(SOON));
        });
    }

    /** Connects, and does not tell the address of what it has made. */
    private final class SilentlyConnecting implements Fabrics {
        @Override
        public Set<String> options(Work work) {
            return kernel.options(work);
        }

        @Override
        public Optional<String> atWork() {
            return kernel.atWork();
        }

        @Override
        public void connect(String shown, Secret text, Work work) throws IOException {
            kernel.connect(shown, text, work);
            silence();
        }
    }
}
