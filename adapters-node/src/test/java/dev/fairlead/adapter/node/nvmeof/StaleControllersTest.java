package dev.fairlead.adapter.node.nvmeof;

import static dev.fairlead.testkit.Failing.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of lost connections whose subsystem has got another key. */
class StaleControllersTest {
    private static final String NQN = "nqn.2026-11.test.lab:stor";
    private static final Attachment.Nvmeof VOLUME = new Attachment.Nvmeof("tcp://10.0.0.1:4420", List.of(), NQN, 1);
    private static final Attachment.Nvmeof OTHER = new Attachment.Nvmeof("tcp://10.0.0.1:4420", List.of(), NQN, 2);
    private static final String FORMER = "DHHC-1:00:ia6zGodOr4SEG0Zzaw398rpY0wqipUWj4jWjUh4HWUz6aQ2n:";
    private static final String KEY = "DHHC-1:00:AAAAGodOr4SEG0Zzaw398rpY0wqipUWj4jWjUh4HWUz6aQ2n:";

    @TempDir
    private Path folder;

    @AutoClose
    private ScriptedKernel kernel;

    private NvmeofAttacher attacher;

    @BeforeEach
    void a_subsystem_with_keys() throws IOException {
        kernel = new ScriptedKernel(folder.toRealPath());
        kernel.subsystems.put(NQN, List.of(1, 2));
        kernel.options = Set.of("dhchap_secret", "dhchap_ctrl_secret");
        attacher = kernel.attacher();
    }

    private Attached.Device attach(Attachment.Nvmeof volume, String key) {
        return attach(volume, key, Duration.ofSeconds(5));
    }

    private Attached.Device attach(Attachment.Nvmeof volume, String key, Duration left) {
        kernel.stage("v:" + volume.nsid(), volume);
        return AttachCalls.raw(
                attacher,
                "v:" + volume.nsid(),
                volume,
                Map.of("dhchap_secret", new Secret(key)),
                TestWork.patient().left(left));
    }

    private void staysLost(String key) {
        assertThat(failure(() -> attach(VOLUME, key))).isInstanceOf(Failure.BackendUnavailable.class);
        assertThat(kernel.disconnected).isEmpty();
    }

    @Test
    void one_that_nothing_uses_is_made_anew_with_the_new_key() throws IOException {
        attach(VOLUME, FORMER);
        kernel.lose(NQN);

        attach(VOLUME, KEY);

        assertThat(kernel.disconnected).containsExactly(NQN);
        assertThat(kernel.connected).hasSize(2).last().asString().contains("dhchap_secret=" + KEY);
        attacher.detach(VOLUME, Map.of(), TestWork.patient());
        assertThat(kernel.disconnected).hasSize(2);
    }

    @Test
    void one_that_has_the_same_key_may_come_back() throws IOException {
        attach(VOLUME, KEY);
        kernel.lose(NQN);

        staysLost(KEY);
    }

    @Test
    void one_that_is_live_stays_whatever_its_key() {
        attach(VOLUME, FORMER);

        attach(VOLUME, KEY);

        assertThat(kernel.disconnected).isEmpty();
        assertThat(kernel.connected).hasSize(1);
    }

    @Test
    void one_of_another_volume_stays() throws IOException {
        attach(VOLUME, FORMER);
        attach(OTHER, FORMER);
        kernel.lose(NQN);

        staysLost(KEY);
    }

    @Test
    void one_under_a_mount_stays() throws IOException {
        Path device = attach(VOLUME, FORMER).path();
        kernel.mounts.makeDirectory(folder, TestWork.patient());
        kernel.mounts.bindDevice(device, folder.resolve("device"), List.of(), TestWork.patient());
        kernel.lose(NQN);

        staysLost(KEY);
    }

    @Test
    void one_that_was_there_before_fairlead_stays() throws IOException {
        kernel.connect("transport=tcp,traddr=10.0.0.1,trsvcid=4420,nqn=" + NQN + ",dhchap_secret=" + FORMER);
        kernel.lose(NQN);

        staysLost(KEY);
    }

    @Test
    void a_key_that_the_kernel_does_not_tell_keeps_the_thread_no_longer_than_its_deadline() throws Exception {
        attach(VOLUME, FORMER);
        kernel.lose(NQN);
        Path made = kernel.sysfs().controllers(NQN).getFirst().folder().resolve("dhchap_secret");
        Files.delete(made);
        assertThat(new ProcessBuilder("mkfifo", made.toString()).start().waitFor())
                .isZero();
        FutureTask<Failure> attaching =
                new FutureTask<>(() -> failure(() -> attach(VOLUME, KEY, Duration.ofMillis(200))));

        MountSandbox.THREADS.newThread(attaching).start();

        try {
            assertThat(attaching.get(20, TimeUnit.SECONDS)).isInstanceOf(Failure.NodeFault.class);
        } finally {
            new RandomAccessFile(made.toFile(), "rw").close();
        }
        assertThat(kernel.disconnected).isEmpty();
    }
}
