package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.pool.hostpath.HostpathSettings;
import dev.fairlead.adapter.local.pool.kind.PoolKind;
import dev.fairlead.adapter.local.pool.room.Reserve;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.FolderPath;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.domain.base.VolumeBases;
import dev.fairlead.domain.volume.HostpathName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads the pools of a connection's file: a list {@code pools}, or {@code datadir}, as the option of kubevirt's
 * hostpath-provisioner is called whose JSON has the same keys.
 */
final class PoolReader {
    /** The pool that a class without {@code storagePool} means, as in kubevirt's hostpath-provisioner. */
    static final String DEFAULT = VolumeBases.UNNAMED_POOL;

    private static final String POOLS = "pools";
    private static final String DATADIR = "datadir";
    private static final String NAME = "name";
    private static final String PATH = "path";
    private static final String SHARED = "shared";
    private static final String HOSTPATH = "hostpathProvisioner";
    private static final String SNAPSHOTS = "snapshotPath";
    private static final String REFLINK = "reflink";
    private static final double MOST_OVERCOMMIT = 100;

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,48}[A-Za-z0-9])?");

    private final ConfigNode block;

    private final boolean placed;

    /** @param placed whether the file says from where the connection's storage is reachable */
    private PoolReader(ConfigNode block, boolean placed) {
        this.block = block;
        this.placed = placed;
    }

    /** Reads the pools for whoever of a connection asks first, so that their problems are told once. */
    static List<PoolSettings> read(ConnectionScope scope, ConfigNode config) {
        ConfigNode block = config.strictChild(scope.block());
        boolean placed = config.child("proxy").child("perDriver").has("topology");
        return scope.shared(Pools.class, () -> new Pools(new PoolReader(block, placed).read()), _ -> {})
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
            PoolSettings pool = pool(node, node.path().startsWith(block.pathOf(DATADIR)));
            pools.forEach(other -> refuseSame(node, pool, other));
            pools.add(pool);
        }
        for (int i = 0; i < pools.size(); i++) {
            refuseMixed(nodes.get(i), pools.get(i), pools);
        }
        return List.copyOf(pools);
    }

    /** @param theirs whether the list is that of kubevirt's hostpath-provisioner */
    private PoolSettings pool(ConfigNode node, boolean theirs) {
        String name = node.require(
                NAME,
                PoolReader::name,
                "unnamed",
                "expected: 1 to 50 of A-Z, a-z, 0-9, '.', '_' and '-', the first and last a letter or digit");
        Path path = FolderPath.read(node, PATH);
        Optional<PoolKind> kind =
                node.optional("kind", PoolKind::parse, "expected: " + PoolKind.words() + ", or leave it out");
        Reserve reserve =
                node.optional("reserve", Reserve::parse, Reserve.EXPECTED).orElse(Reserve.NONE);
        double overcommit = node.optional("overcommit", PoolReader::overcommit, "expected: a number from 1 to 100")
                .orElse(1.0);
        Optional<Boolean> system = node.optional("systemDisk", PoolReader::sharesSystem, "expected: warn or refuse");
        var _ = node.optional("snapshotProvider", PoolReader::provider, "expected: " + REFLINK + ", or leave it out");
        boolean shared = node.bool(SHARED, false);
        if (shared) {
            refuseUnshareable(node, kind, system);
        }
        boolean byDisk = node.optional("topology", PoolReader::byDisk, "expected: node or disk")
                .orElse(false);
        if (byDisk) {
            refuseSecondPlace(node, shared);
        }
        Optional<HostpathSettings> hostpath = hostpath(node, kind, theirs);
        Optional<PoolKind> its =
                kind.or(() -> shared || hostpath.isPresent() ? Optional.of(PoolKind.DIRECTORY) : Optional.empty());
        its.filter(PoolKind.DIRECTORY::equals).ifPresent(_ -> noteAdvisory(node, name, shared));
        return new PoolSettings(
                name,
                path,
                its,
                reserve,
                overcommit,
                system.orElse(!shared),
                shared,
                shared && !placed,
                byDisk,
                hostpath);
    }

    /** Tells what a directory, which somebody may want as it is, does not do. */
    private static void noteAdvisory(ConfigNode node, String name, boolean shared) {
        node.problems()
                .note(
                        node.pathOf("kind"),
                        node.lineOf("kind"),
                        "sizes in pool '" + name + "' are advisory: its volumes are folders, and a pod can write more"
                                + " than its claim asks for",
                        shared
                                ? "keep it: a pool that nodes share has no other kind"
                                : "keep it, or give new volumes a pool of kind: image, or one on XFS, ext4, btrfs or"
                                        + " ZFS, whose sizes hold");
    }

    /** Refuses what nodes that share a pool could destroy for each other, or could not tell from the pool itself. */
    private static void refuseUnshareable(ConfigNode node, Optional<PoolKind> kind, Optional<Boolean> system) {
        if (kind.filter(it -> it != PoolKind.DIRECTORY).isPresent()) {
            node.problems()
                    .error(
                            node.pathOf("kind"),
                            node.lineOf("kind"),
                            "is " + kind.get() + " in a pool that nodes share, of which none knows what the others"
                                    + " have in use",
                            "write kind: " + PoolKind.DIRECTORY + ", or leave it out");
        }
        if (system.filter(allowed -> allowed).isPresent()) {
            node.problems()
                    .error(
                            node.pathOf("systemDisk"),
                            node.lineOf("systemDisk"),
                            "is warn in a pool that nodes share, so that a node without the mount would make volumes"
                                    + " on its own disk that are to be everywhere",
                            "write systemDisk: refuse, or leave it out");
        }
    }

    /**
     * Reads whether volumes of kubevirt's hostpath-provisioner are served: in its own list they are, unless new volumes
     * are of another kind than its own.
     */
    private static Optional<HostpathSettings> hostpath(ConfigNode node, Optional<PoolKind> kind, boolean theirs) {
        boolean folders = kind.orElse(PoolKind.DIRECTORY) == PoolKind.DIRECTORY;
        boolean served = node.bool(HOSTPATH, theirs && folders);
        Optional<Path> snapshots =
                node.string(SNAPSHOTS).isPresent() ? Optional.of(FolderPath.read(node, SNAPSHOTS)) : Optional.empty();
        if (served && !folders) {
            node.problems()
                    .error(
                            node.pathOf(HOSTPATH),
                            node.lineOf(HOSTPATH),
                            "is true in a pool of kind " + kind.get() + ", and volumes of kubevirt's"
                                    + " hostpath-provisioner are folders",
                            "write kind: " + PoolKind.DIRECTORY
                                    + ", and give new volumes of another kind a pool on a disk of its own");
        }
        if (snapshots.isPresent() && !served) {
            node.problems()
                    .warning(
                            node.pathOf(SNAPSHOTS),
                            node.lineOf(SNAPSHOTS),
                            "is not used: new snapshots are kept below the pool's path, so that blocks can be shared",
                            "remove it, or write " + HOSTPATH
                                    + ": true if kubevirt's hostpath-provisioner has taken snapshots there");
        }
        return served ? Optional.of(new HostpathSettings(snapshots)) : Optional.empty();
    }

    /**
     * Refuses a folder of snapshots that a pool lies in, or that is a pool itself or what a pool keeps: folders in it
     * that are no snapshots could look like some, and would be deleted as such.
     */
    private static void refuseMixed(ConfigNode node, PoolSettings pool, List<PoolSettings> all) {
        Optional<Path> snapshots = pool.hostpath().flatMap(HostpathSettings::snapshots);
        all.stream()
                .filter(other -> snapshots.filter(path -> isMixed(path, other)).isPresent())
                .findFirst()
                .ifPresent(other -> node.problems()
                        .error(
                                node.pathOf(SNAPSHOTS),
                                node.lineOf(SNAPSHOTS),
                                "is " + snapshots.orElseThrow() + ", in which what is at " + other.path() + " of pool '"
                                        + other.name() + "' would be taken for snapshots",
                                "give snapshots a folder of their own, beside the pools or directly below one"));
    }

    private static boolean isMixed(Path snapshots, PoolSettings pool) {
        if (pool.path().startsWith(snapshots)) {
            return true;
        }
        if (!snapshots.startsWith(pool.path())) {
            return false;
        }
        String top = String.valueOf(pool.path().relativize(snapshots).getName(0));
        BaseFolderLayout layout = new BaseFolderLayout(pool.path());
        return HostpathName.isName(top)
                || layout.folders().contains(layout.base().resolve(top));
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

    private static boolean byDisk(String text) {
        return switch (text) {
            case "node" -> false;
            case "disk" -> true;
            default -> throw new IllegalArgumentException("'" + text + "' is not known");
        };
    }

    /** Refuses to place a pool by its disk that has another place already. */
    private void refuseSecondPlace(ConfigNode node, boolean shared) {
        if (shared || placed) {
            node.problems()
                    .error(
                            node.pathOf("topology"),
                            node.lineOf("topology"),
                            shared
                                    ? "is disk in a pool that nodes share, which is where all of them are"
                                    : "is disk, and proxy.perDriver.topology says where the pool is, too",
                            "keep one of the two");
        }
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
