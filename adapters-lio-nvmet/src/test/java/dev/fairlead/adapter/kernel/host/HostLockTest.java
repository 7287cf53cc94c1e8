package dev.fairlead.adapter.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.domain.connection.ConnectionName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines, run by the shell of this machine. */
class HostLockTest {
    private static final ConnectionName NAS = new ConnectionName("nas");

    @TempDir
    private Path folder;

    private Process start(HostLock lock, String body) throws IOException {
        return new ProcessBuilder("/bin/sh", "-c", lock.taken() + body)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
    }

    @Test
    void two_scripts_do_not_run_at_once() throws Exception {
        HostLock lock = new HostLock(folder.resolve("a lock's").toString(), Duration.ofSeconds(10));
        Path count = Files.writeString(folder.resolve("count"), "0\n");
        String body = "read -r n <" + count + "; sleep 0.02; echo $((n + 1)) >" + count;
        List<Process> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(start(lock, body));
        }

        for (Process one : all) {
            assertThat(one.waitFor()).isZero();
        }

        assertThat(Files.readString(count)).isEqualTo("8\n");
    }

    @Test
    void who_does_not_get_it_does_nothing_and_says_so() throws Exception {
        HostLock lock = new HostLock(folder.resolve("lock").toString(), Duration.ZERO);
        Process holder = start(lock, "echo held >" + folder.resolve("held") + "; exec sleep 60");
        while (!Files.exists(folder.resolve("held"))) {
            assertThat(holder.isAlive()).isTrue();
            Thread.onSpinWait();
        }

        int code = start(lock, "touch " + folder.resolve("done")).waitFor();

        assertThat(folder.resolve("done")).doesNotExist();
        assertThatThrownBy(() -> lock.requireTaken(Ended.with(code, "", ""), NAS))
                .hasMessageContaining("holds " + lock.file());
        holder.destroyForcibly().waitFor();
        assertThat(start(lock, "exit 0").waitFor()).isZero();
        lock.requireTaken(Ended.with(0, "", ""), NAS);
    }
}
