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

    /** A file that is right on a node whose name is known. */
    static BadConfig withoutNode() {
        return new BadConfig(
                "shared, on a node without a name",
                file(pool("a", "/a", "shared", "true")),
                List.of("local-pool.pools"));
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
                                first + "snapshotProvider")),
                new BadConfig("one name", file(pool("a", "/a"), pool("a", "/b")), List.of(second + "name")),
                new BadConfig("one folder", file(pool("a", "/a"), pool("b", "/a/")), List.of(second + "path")),
                new BadConfig("one in the other", file(pool("a", "/p/a"), pool("b", "/p")), List.of(second + "path")),
                new BadConfig(
                        "another program's folders in images",
                        file(pool("a", "/a", "kind", "image", "hostpathProvisioner", "true", "snapshotPath", "s")),
                        List.of(first + "hostpathProvisioner", first + "snapshotPath")),
                mixed("/a"),
                mixed("/"),
                mixed("/p"),
                mixed("/p/b"),
                mixed("/a/v"),
                mixed("/p/b/s/x"),
                mixed("/a/.fairlead/hostpath"),
                mixed("/a/pvc-0f0c3a4e-5d8e-4b0e-9e52-6a1b7f2f0001/x"),
                new BadConfig(
                        "too much", file(pool("a", "/a", "reserve", "999999999999Ti")), List.of(first + "reserve")));
    }

    /** Folders in which what is no snapshot could look like one. */
    private static BadConfig mixed(String snapshots) {
        return new BadConfig(
                "snapshots in " + snapshots,
                file(pool("a", "/a", "hostpathProvisioner", "true", "snapshotPath", snapshots), pool("b", "/p/b")),
                List.of("local-pool.pools[0].snapshotPath"));
    }
}
