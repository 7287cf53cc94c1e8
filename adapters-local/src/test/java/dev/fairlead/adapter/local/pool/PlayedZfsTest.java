package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.testkit.contract.snapshot.SnapshotGroupsContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Set;

/** Everything that a pool promises, of datasets that are played; those of a kernel are tested where it has them. */
class PlayedZfsTest extends PoolContract implements SnapshotGroupsContract {
    private Optional<PlayedDatasets> datasets = Optional.empty();
    private Set<String> before = Set.of();

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
    public void putAnother() {
        before = datasets().names();
        super.putAnother();
    }

    @Override
    public void takeAnotherUntouched() {
        super.takeAnotherUntouched();
        try {
            datasets().keep(before);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void verifyEmpty() {
        super.verifyEmpty();
        assertThat(datasets().dump()).isEqualTo("[]");
    }
}
