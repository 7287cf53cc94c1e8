package dev.fairlead.adapter.local.pool;

import java.util.Map;

/** What every pool promises, by one node of a pool that nodes share. */
class SharedDirectoryTest extends PoolContract {
    @Override
    String kind() {
        return "directory";
    }

    @Override
    Map<String, String> keys() {
        return Map.of("shared", "true");
    }

    @Override
    PoolFixture process(String baseFolder) {
        return PoolFixture.sharing(baseFolder);
    }
}
