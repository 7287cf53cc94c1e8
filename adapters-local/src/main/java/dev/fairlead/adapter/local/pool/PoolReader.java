package dev.fairlead.adapter.local.pool;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.FolderPath;
import dev.fairlead.application.port.out.ConnectionScope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads the pools of a connection's file: a list {@code pools}, or {@code datadir}, as the option of kubevirt's
 * hostpath-provisioner is called whose JSON has the same keys.
 */
final class PoolReader {
    /** The pool that a class without {@code storagePool} means, as in kubevirt's hostpath-provisioner. */
    static final String DEFAULT = "legacy";

    private static final String POOLS = "pools";
    private static final String DATADIR = "datadir";
    private static final String NAME = "name";
    private static final String PATH = "path";
    private static final String SHARED = "shared";
    private static final String REFLINK = "reflink";
    private static final double MOST_OVERCOMMIT = 100;

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,48}[A-Za-z0-9])?");

    private final ConfigNode block;

    private PoolReader(ConfigNode block) {
        this.block = block;
    }

    /** Reads the pools for whoever of a connection asks first, so that their problems are told once. */
    static List<PoolSettings> read(ConnectionScope scope, ConfigNode config) {
        ConfigNode block = config.strictChild(scope.block());
        return scope.shared(Pools.class, () -> new Pools(new PoolReader(block).read()), _ -> {})
                .get()
                .all();
    }

    private record Pools(List<PoolSettings> all) {}

    /** Returns the paths of the pools, without telling of any problem. */
    static List<Path> paths(ConfigNode block) {
        return nodes(block).stream()
                .flatMap(pool -> pool.string(PATH).stream())
                .filter(path -> path.startsWith("/") && path.indexOf('\0') < 0)
                .map(Path::of)
                .toList();
    }

    private static List<ConfigNode> nodes(ConfigNode block) {
        List<ConfigNode> all = new ArrayList<>(block.children(POOLS));
        all.addAll(block.children(DATADIR));
        return all;
    }

    private List<PoolSettings> read() {
        List<ConfigNode> nodes = nodes(block);
        if (nodes.isEmpty()) {
            block.problems()
                    .error(
                            block.pathOf(POOLS),
                            block.lineOf(POOLS),
                            "has no pool",
                            "give at least one, with name: " + DEFAULT + " and path: a folder of the node");
        }
        List<PoolSettings> pools = new ArrayList<>();
        for (ConfigNode node : nodes) {
            PoolSettings pool = pool(node);
            pools.forEach(other -> refuseSame(node, pool, other));
            pools.add(pool);
        }
        return List.copyOf(pools);
    }

    private static PoolSettings pool(ConfigNode node) {
        String name = node.require(
                NAME,
                PoolReader::name,
                "unnamed",
                "expected: 1 to 50 of A-Z, a-z, 0-9, '.', '_' and '-', the first and last a letter or digit");
        Path path = FolderPath.read(node, PATH);
        PoolKind kind = node.optional("kind", PoolKind::parse, "expected: " + PoolKind.words())
                .orElse(PoolKind.DIRECTORY);
        Reserve reserve =
                node.optional("reserve", Reserve::parse, Reserve.EXPECTED).orElse(Reserve.NONE);
        double overcommit = node.optional("overcommit", PoolReader::overcommit, "expected: a number from 1 to 100")
                .orElse(1.0);
        boolean sharesSystem = node.optional("systemDisk", PoolReader::sharesSystem, "expected: warn or refuse")
                .orElse(true);
        readOthers(node);
        return new PoolSettings(name, path, kind, reserve, overcommit, sharesSystem);
    }

    /** Reads the keys of kubevirt's hostpath-provisioner that mean nothing here, or something that is not built. */
    private static void readOthers(ConfigNode node) {
        var _ = node.optional("snapshotProvider", PoolReader::provider, "expected: " + REFLINK + ", or leave it out");
        if (node.string("snapshotPath").isPresent()) {
            node.problems()
                    .warning(
                            node.pathOf("snapshotPath"),
                            node.lineOf("snapshotPath"),
                            "is not used: snapshots are kept in s below the pool's path, so that blocks can be shared",
                            "remove it");
        }
        if (node.bool(SHARED, false)) {
            node.problems()
                    .error(
                            node.pathOf(SHARED),
                            node.lineOf(SHARED),
                            "is true, and pools that all nodes share are not built yet",
                            "use driver nfs-client or lustre-client for one mount on all nodes, or leave it out");
        }
    }

    /** Returns whether a pool can have this name. */
    static boolean isName(String text) {
        return FORM.matcher(text).matches();
    }

    private static String name(String text) {
        if (!isName(text)) {
            throw new IllegalArgumentException("'" + text + "' is no name of a pool");
        }
        return text;
    }

    private static String provider(String text) {
        if (!text.equals(REFLINK)) {
            throw new IllegalArgumentException("'" + text + "' is not known");
        }
        return text;
    }

    private static boolean sharesSystem(String text) {
        return switch (text) {
            case "warn" -> true;
            case "refuse" -> false;
            default -> throw new IllegalArgumentException("'" + text + "' is not known");
        };
    }

    private static double overcommit(String text) {
        double number = Double.parseDouble(text);
        if (!(number >= 1 && number <= MOST_OVERCOMMIT)) {
            throw new IllegalArgumentException(text + " is out of range");
        }
        return number;
    }

    private static void refuseSame(ConfigNode node, PoolSettings pool, PoolSettings other) {
        if (pool.name().equals(other.name())) {
            node.problems()
                    .error(
                            node.pathOf(NAME),
                            node.lineOf(NAME),
                            "'" + pool.name() + "' is the name of another pool too",
                            "give each pool a name of its own");
        }
        if (pool.path().startsWith(other.path()) || other.path().startsWith(pool.path())) {
            node.problems()
                    .error(
                            node.pathOf(PATH),
                            node.lineOf(PATH),
                            pool.path() + " and " + other.path() + " of pool '" + other.name()
                                    + "' are one, or one lies in the other",
                            "give each pool a folder of its own, beside the others");
        }
    }
}
