package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.Mounts;
import dev.fairlead.testkit.crash.Interference;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("machine")
class ZfsAdversityTest extends ZfsAdversityContract {
    @RegisterExtension
    private static final ZfsDisk DISK = new ZfsDisk();

    /** Dies only: each run takes seconds here. */
    @Override
    List<Interference> interferences() {
        return List.of(Interference.DEATH_BEFORE);
    }

    @Override
    String kind() {
        return "zfs";
    }

    @Override
    PoolFixture process() {
        return new PoolFixture("create", DISK.datasets());
    }

    @Override
    Path place() throws IOException {
        return DISK.place();
    }

    /** Counts what is left below the pool's dataset; their names are random. */
    @Override
    String dumped(Path pool) {
        try {
            return super.dumped(pool) + (DISK.datasets().at(DISK.dataset()).size() - 1) + " datasets";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Destroys what a scenario left; each with all that depends on it, so that some are gone already. */
    @Override
    void lay(Path pool) throws IOException {
        for (String dataset : DISK.datasets().at(DISK.dataset()).keySet()) {
            try {
                if (!dataset.equals(DISK.dataset())) {
                    var _ = Mounts.run("zfs", "destroy", "-R", dataset);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }
    }
}
