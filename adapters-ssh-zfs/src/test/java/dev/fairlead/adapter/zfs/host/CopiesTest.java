package dev.fairlead.adapter.zfs.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A copy takes hours: however many are wanted, most of a connection's threads are left to all other calls. */
class CopiesTest {
    private final CountDownLatch begun = new CountDownLatch(4);
    private final CountDownLatch end = new CountDownLatch(1);
    private final ZfsCommands zfs = new ZfsCommands(List.of("zfs"));
    private final ZfsHost host = new ZfsHost(
            new Copying(),
            zfs,
            new ConnectionScope(new ConnectionName("nas"), "zfs-generic-nfs", Optional.empty(), "test"),
            new SeenParents(List.of(), Optional.empty(), Optional.empty()));

    /** Copies until it is told that there is no more. */
    private final class Copying implements CommandRunner {
        @Override
        public Ended run(Command command, Work work) {
            try {
                begun.countDown();
                end.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return Ended.with(0, "", "");
        }

        @Override
        public void close() {}
    }

    private boolean copied(String source) {
        Steps steps = new Steps().then(List.of("zfs", "send", "tank/v/a@s"));
        return host.copy(source, "tank/v/a", steps, TestWork.patient()).succeeded();
    }

    @Test
    @Timeout(60)
    void one_too_many_is_refused_at_once_and_has_its_turn_later() throws Exception {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4; i++) {
                String source = "pvc-" + i / 2;
                callers.execute(() -> assertThat(copied(source)).isTrue());
            }
            begun.await();

            assertThatThrownBy(() -> copied("pvc-2"))
                    .hasMessageContaining("FL-CON-003")
                    .hasMessageContaining("4 copies are under way");
            end.countDown();
        }

        assertThat(copied("pvc-2")).isTrue();
    }
}
