package dev.fairlead.adapter.local.pool;

import java.util.Optional;

/** What befalls a pool of projects whose quotas are played. */
class PlayedAdversityTest extends PoolAdversityContract {
    private Optional<PlayedProjects> disk = Optional.empty();

    @Override
    String kind() {
        return "xfs";
    }

    @Override
    PoolFixture process() {
        if (disk.isEmpty()) {
            disk = Optional.of(new PlayedProjects(folder));
        }
        return new PoolFixture("create", disk.get());
    }
}
