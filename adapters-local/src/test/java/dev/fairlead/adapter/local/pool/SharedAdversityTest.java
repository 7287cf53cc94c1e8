package dev.fairlead.adapter.local.pool;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

class SharedAdversityTest extends PoolAdversityContract {
    @Override
    String kind() {
        return "directory";
    }

    @Override
    Map<String, String> keys() {
        return Map.of("shared", "true");
    }

    @Override
    void lay(Path pool) throws IOException {
        Files.createDirectory(pool);
    }

    /** A claim that could not be given back is dropped by the next process that looks at the pool. */
    @Override
    String dumped(Path pool) {
        try (VolumeStore next = process().open(PoolFixture.pool("legacy", pool, kind(), keys()))) {
            var _ = next.list(PageRequest.first(1), TestWork.patient());
        }
        return super.dumped(pool);
    }

    @Override
    PoolFixture process() {
        return PoolFixture.sharing("create");
    }
}
