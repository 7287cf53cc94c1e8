package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.testkit.lying.LyingBackend;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What befalls a pool of datasets that are played. */
class PlayedZfsAdversityTest extends ZfsAdversityContract {
    private Optional<PlayedDatasets> datasets = Optional.empty();

    @ParameterizedTest
    @EnumSource
    void storage_may_lie_about_anything_of_a_group(GroupVerb verb) throws IOException {
        var counts = new LyingBackend<>(world()).seeThrough(verb.scenario).counts();

        assertThat(counts).allSatisfy(count -> assertThat(count.runs()).isGreaterThanOrEqualTo(4));
    }

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
