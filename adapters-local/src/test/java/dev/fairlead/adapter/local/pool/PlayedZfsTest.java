package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;

/** Everything that a pool promises, of datasets that are played; those of a kernel are tested where it has them. */
class PlayedZfsTest extends PoolContract {
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
    PoolFixture process(String baseFolder) {
        return new PoolFixture(baseFolder, datasets());
    }

    @Override
    public void verifyEmpty() {
        super.verifyEmpty();
        assertThat(datasets().dump()).isEqualTo("[]");
    }
}
