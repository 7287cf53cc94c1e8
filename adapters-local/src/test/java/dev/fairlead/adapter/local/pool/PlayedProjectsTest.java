package dev.fairlead.adapter.local.pool;

import java.util.Optional;

/** A pool of projects whose quotas are played; those of a kernel are tested where it has them. */
class PlayedProjectsTest extends PoolSampleContract {
    private Optional<PlayedProjects> disk = Optional.empty();

    @Override
    String kind() {
        return "xfs";
    }

    @Override
    PoolFixture process(String baseFolder) {
        if (disk.isEmpty()) {
            disk = Optional.of(new PlayedProjects(folder));
        }
        return new PoolFixture(baseFolder, disk.get());
    }
}
