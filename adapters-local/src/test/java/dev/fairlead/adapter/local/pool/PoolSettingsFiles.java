package dev.fairlead.adapter.local.pool;

import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.testkit.contract.FactoryContract.BadConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Files of connections with pools, without mistakes and with them, for the factories that read them. */
final class PoolSettingsFiles {
    private PoolSettingsFiles() {}

    static Mapping good() {
        return file(
                PoolFixture.mapping(Map.of("name", "legacy", "path", "/nowhere/legacy", "kind", "directory")),
                PoolFixture.mapping(Map.of(
                        "name",
                        "fast",
                        "path",
                        "/nowhere/fast",
                        "kind",
                        "image",
                        "reserve",
                        "5%",
                        "overcommit",
                        "1.5",
                        "systemDisk",
                        "refuse",
                        "snapshotProvider",
                        "reflink",
                        "shared",
                        "false")));
    }

    static Mapping file(Mapping... pools) {
        return PoolFixture.mapping(Map.of(
                "driver", "local-pool", "local-pool", PoolFixture.mapping(Map.of("pools", PoolFixture.list(pools)))));
    }

    private static Mapping pool(String name, String path, String... more) {
        Map<String, Object> keys = new LinkedHashMap<>(Map.of("name", name, "path", path));
        for (int i = 0; i < more.length; i += 2) {
            keys.put(more[i], more[i + 1]);
        }
        return PoolFixture.mapping(keys);
    }

    static List<BadConfig> bad() {
        String first = "local-pool.pools[0].";
        String second = "local-pool.pools[1].";
        return List.of(
                new BadConfig("nothing", PoolFixture.mapping(Map.of()), List.of("local-pool.pools")),
                new BadConfig("a pool of nothing", file(Mapping.EMPTY), List.of(first + "name", first + "path")),
                new BadConfig(
                        "everything",
                        file(pool(
                                "../up",
                                "/",
                                "kind",
                                "xfs-quota",
                                "reserve",
                                "100%",
                                "overcommit",
                                "0.5",
                                "systemDisk",
                                "no",
                                "snapshotProvider",
                                "zfs",
                                "shared",
                                "true")),
                        List.of(
                                first + "name",
                                first + "path",
                                first + "kind",
                                first + "reserve",
                                first + "overcommit",
                                first + "systemDisk",
                                first + "snapshotProvider",
                                first + "shared")),
                new BadConfig("one name", file(pool("a", "/a"), pool("a", "/b")), List.of(second + "name")),
                new BadConfig("one folder", file(pool("a", "/a"), pool("b", "/a/")), List.of(second + "path")),
                new BadConfig("one in the other", file(pool("a", "/p/a"), pool("b", "/p")), List.of(second + "path")),
                new BadConfig(
                        "too much", file(pool("a", "/a", "reserve", "999999999999Ti")), List.of(first + "reserve")));
    }
}
