package dev.fairlead.adapter.node.nvmeof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.health.VolumePath;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of ways that were dead when a volume was attached, after a restart of the plugin. */
class NvmeofRetriedPathsTest {
    private static final String NQN = "nqn.2026-11.test.lab:stor";
    private static final String KEY = "DHHC-1:00:ia6zGodOr4SEG0Zzaw398rpY0wqipUWj4jWjUh4HWUz6aQ2n:";
    private static final String FIRST = "tcp://10.0.0.1:4420";
    private static final String SECOND = "tcp://10.0.0.2:4420";
    private static final Attachment.Nvmeof VOLUME = new Attachment.Nvmeof(FIRST, List.of(SECOND), NQN, 1);

    @TempDir
    private Path folder;

    @AutoClose
    private ScriptedKernel kernel;

    @BeforeEach
    void a_subsystem_with_a_dead_way() throws IOException {
        kernel = new ScriptedKernel(folder.toRealPath());
        kernel.subsystems.put(NQN, List.of(1));
        kernel.silent.add("10.0.0.2");
        kernel.stage("v:nas/pvc-1", VOLUME);
    }

    private Attached.Device attached(Map<String, Secret> secrets) {
        return (Attached.Device) AttachCalls.attach(kernel.attacher(), VOLUME, TestVolumes.BLOCK, secrets);
    }

    private List<VolumePath> paths() {
        return kernel.attacher().paths(VOLUME, TestWork.patient());
    }

    private List<String> usable() {
        return paths().stream().filter(VolumePath::usable).map(VolumePath::name).toList();
    }

    private void half() {
        assertThat(paths()).hasSize(2);
        assertThat(usable()).containsExactly(FIRST);
    }

    private void whole() {
        assertThat(paths()).hasSize(2);
        assertThat(usable()).containsExactlyInAnyOrder(FIRST, SECOND);
    }

    @Test
    void a_new_process_tries_the_ways_that_the_journal_names() throws InterruptedException {
        Attached.Device device = attached(Map.of());
        half();
        NvmeofAttacher started = kernel.attacher(Duration.ofMillis(10));

        started.restorePaths(VOLUME, device.facts(), TestWork.patient());
        kernel.silent.clear();

        for (int i = 0; i < 1000 && usable().size() < 2; i++) {
            Thread.sleep(10);
        }
        whole();
    }

    @Test
    void a_connection_that_does_not_tell_its_address_keeps_the_thread_no_longer_than_its_deadline() throws Exception {
        Attached.Device device = attached(Map.of());
        Path address =
                kernel.sysfs().controllers(NQN).getFirst().folder().toRealPath().resolve("address");
        Files.delete(address);
        assertThat(new ProcessBuilder("mkfifo", address.toString()).start().waitFor())
                .isZero();
        NvmeofAttacher started = kernel.attacher();
        FutureTask<Optional<Failure>> look = new FutureTask<>(() -> looked(started, device));

        MountSandbox.THREADS.newThread(look).start();

        try {
            assertThat(look.get(20, TimeUnit.SECONDS)).containsInstanceOf(Failure.NodeFault.class);
        } finally {
            new RandomAccessFile(address.toFile(), "rw").close();
        }
    }

    private static Optional<Failure> looked(NvmeofAttacher attacher, Attached.Device device) {
        try {
            attacher.restorePaths(VOLUME, device.facts(), TestWork.patient().left(Duration.ofMillis(200)));
            return Optional.empty();
        } catch (StorageException e) {
            return Optional.of(e.failure());
        }
    }

    @Test
    void ways_with_keys_of_a_stage_secret_wait_for_the_next_attachment() throws InterruptedException {
        kernel.options = Set.of("dhchap_secret");
        Map<String, Secret> secrets = Map.of("dhchap_secret", new Secret(KEY));
        Attached.Device device = attached(secrets);
        NvmeofAttacher started = kernel.attacher(Duration.ofMillis(1));
        kernel.silent.clear();

        started.restorePaths(VOLUME, device.facts(), TestWork.patient());
        Thread.sleep(100);

        half();
        assertThat(device.facts().toString()).doesNotContain(KEY);
        var _ = attached(secrets);
        whole();
    }

    @Test
    void nothing_is_connected_of_a_subsystem_that_is_detached() throws InterruptedException {
        Attached.Device device = attached(Map.of());
        NvmeofAttacher started = kernel.attacher(Duration.ofMillis(1));
        started.restorePaths(VOLUME, device.facts(), TestWork.patient());
        started.detach(VOLUME, device.facts(), TestWork.patient());
        kernel.silent.clear();

        Thread.sleep(100);

        assertThat(kernel.sysfs().controllers(NQN)).isEmpty();
    }
}
