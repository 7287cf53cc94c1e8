package dev.fairlead.adapter.local.pool;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** What befalls a pool of datasets that are played. */
class PlayedZfsAdversityTest extends ZfsAdversityContract {
    private Optional<PlayedDatasets> datasets = Optional.empty();

    @Override
    String kind() {
        return "zfs";
    }

    private PlayedDatasets datasets() {
        if (datasets.isEmpty()) {
            datasets = Optional.of(new PlayedDatasets(folder));
        }
        return datasets.get();
    }

    @Override
    PoolFixture process() {
        return new PoolFixture("create", datasets());
    }

    @Override
    void lay(Path pool) throws IOException {
        datasets().keep(Set.of());
    }

    @Override
    String dumped(Path pool) {
        return super.dumped(pool) + datasets().dump();
    }
}
