package dev.fairlead.bootstrap.driver;

import dev.fairlead.application.config.Problem;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.bootstrap.driver.BackendAssembler.Assembled;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.topology.Placement;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * Knows which base folders the connections in force have. Two connections in one folder would each serve, and delete,
 * the volumes of the other, so only one gets it: the one that the folder is marked for, or else the one that came
 * first.
 *
 * <p>Pools of two connections that merely lie in each other, as a disk of its own that is mounted in a pool does, may
 * both have volumes: neither takes the place of the other. Only a connection that has none yet is refused for it.
 *
 * <p>Not for use by several threads.
 */
public final class BaseFolders {
    private static final long PATIENCE_SECONDS = 1;

    /** The type of connections of several folders, which are told if one lies in that of another connection. */
    private static final String POOLS = "local-pool";

    /** The folders in a base folder that hold its connection's content; no other base folder may be in them. */
    private static final List<String> INSIDE = List.of("v", "s", ".fairlead");

    private final Asking asking;
    private final boolean perNode;
    private final SortedMap<ConnectionName, Claimed> claimed = new TreeMap<>();
    private final SortedMap<ConnectionName, Claimed> refused = new TreeMap<>();
    private final Map<ConnectionName, FutureTask<Boolean>> asked = new HashMap<>();

    /**
     * @param perNode whether connections of different placement are for different nodes, on which one path is different
     *     folders
     */
    private BaseFolders(Asking asking, boolean perNode) {
        this.asking = asking;
        this.perNode = perNode;
    }

    /** Makes one that waits for a folder as long as that takes. */
    public static BaseFolders patient(boolean perNode) {
        return new BaseFolders(FutureTask::run, perNode);
    }

    /**
     * Makes one that waits for a folder no longer than a second, so that it does not delay other connections. A folder
     * that does not answer is compared by its name, and counts as unmarked.
     */
    public static BaseFolders bounded(ThreadFactory threads, boolean perNode) {
        return new BaseFolders(task -> threads.newThread(task).start(), perNode);
    }

    /**
     * Takes the base folder for a connection, in place of its earlier one. Returns the connections that do not get it,
     * and why: this one if another one keeps it; the earlier owners if the folder is marked for this one and not for
     * them; none if the folder was free. A connection of pools in which there is nothing yet does not get them either
     * if one and a pool of a connection in force lie in each other.
     */
    public SortedMap<ConnectionName, Problem> take(ConnectionName name, Assembled assembled) {
        forget(name);
        Optional<Claimed> wanted = Optional.of(assembled.bases())
                .filter(paths -> !paths.isEmpty())
                .map(paths -> claim(name, paths, assembled.backend()));
        List<Claimed> others = wanted.map(this::clashing).orElse(List.of());
        SortedMap<ConnectionName, Problem> losers = new TreeMap<>();
        Optional<PoolInPool> nested = others.isEmpty()
                ? wanted.flatMap(this::nested).filter(_ -> !isUsed(wanted.orElseThrow()))
                : Optional.empty();
        if (nested.isPresent()) {
            refused.put(name, wanted.orElseThrow());
            losers.put(name, nested.get().problem(Problem.Severity.ERROR));
        } else if (others.isEmpty() || within(() -> isMarkedFor(wanted.orElseThrow(), others), false)) {
            for (Claimed other : others) {
                release(other.name);
                refuse(other, wanted.orElseThrow(), losers);
            }
            release(name);
            wanted.ifPresent(mine -> claimed.put(name, mine));
        } else {
            refuse(wanted.orElseThrow(), others.getFirst(), losers);
        }
        return losers;
    }

    /** Returns what to tell of a connection that is in force and has a pool that lies in another's, or around it. */
    public Optional<Problem> warning(ConnectionName name) {
        return Optional.ofNullable(claimed.get(name))
                .flatMap(this::nested)
                .map(nested -> nested.problem(Problem.Severity.WARNING));
    }

    private Claimed claim(ConnectionName name, List<Path> paths, Backend backend) {
        return new Claimed(
                name,
                paths.stream().map(path -> within(() -> real(path), path)).toList(),
                backend.driverType().equals(POOLS),
                backend.settings().placement(),
                backend.store()::isMarkedAsOwn);
    }

    private void refuse(Claimed loser, Claimed winner, SortedMap<ConnectionName, Problem> losers) {
        refused.put(loser.name, loser);
        losers.put(loser.name, problem(loser, winner));
    }

    /**
     * Returns the refused connections that would get their base folders now, since the storage may have been away when
     * they were refused. The folders are asked in the background, so the answer is that to an earlier call.
     */
    public SortedSet<ConnectionName> rightful() {
        SortedSet<ConnectionName> found = new TreeSet<>();
        refused.forEach((name, mine) -> {
            FutureTask<Boolean> before = asked.get(name);
            if (before == null || before.isDone()) {
                if (before != null && result(before, false)) {
                    found.add(name);
                }
                List<Claimed> others = clashing(mine);
                var task = new FutureTask<>(() -> others.isEmpty() ? isUsed(mine) : isMarkedFor(mine, others));
                asked.put(name, task);
                asking.begin(task);
            }
        });
        return found;
    }

    public void release(ConnectionName name) {
        claimed.remove(name);
        forget(name);
    }

    /** Asks no more for a connection that was refused: its file is not the same any more. What it has, it keeps. */
    public void forget(ConnectionName name) {
        refused.remove(name);
        asked.remove(name);
    }

    private static boolean isMarkedFor(Claimed mine, List<Claimed> others) {
        return mine.marked.getAsBoolean() && others.stream().noneMatch(other -> other.marked.getAsBoolean());
    }

    /**
     * Returns whether there is anything in any folder of a connection: also volumes of another program, which need no
     * mark. One that does not answer hides no other.
     */
    private boolean isUsed(Claimed mine) {
        return mine.paths.stream().anyMatch(path -> within(() -> isUsed(path), false));
    }

    private static boolean isUsed(Path folder) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            return all.iterator().hasNext();
        } catch (NoSuchFileException | NotDirectoryException _) {
            return false;
        }
    }

    private List<Claimed> clashing(Claimed mine) {
        return claimed.values().stream()
                .filter(other -> !other.name.equals(mine.name))
                .filter(other -> clashes(mine, other))
                .toList();
    }

    private boolean clashes(Claimed one, Claimed other) {
        return !areApart(one, other) && meeting(one, other).isPresent();
    }

    private boolean areApart(Claimed one, Claimed other) {
        return perNode && !one.placement.equals(other.placement);
    }

    /** Returns a pool of a connection that lies in one of another connection in force, or has it inside. */
    private Optional<PoolInPool> nested(Claimed mine) {
        return claimed.values().stream()
                .filter(other -> !other.name.equals(mine.name))
                .filter(other -> mine.pools && other.pools && !areApart(mine, other))
                .flatMap(other -> mine.paths.stream()
                        .flatMap(path -> other.paths.stream()
                                .filter(its -> path.startsWith(its) || its.startsWith(path))
                                .map(its -> new PoolInPool(mine.name, path, other.name, its))))
                .findFirst();
    }

    /** Returns a folder of the one that is, holds or lies in a folder of the other; empty if there is none. */
    private static Optional<Path> meeting(Claimed one, Claimed other) {
        return one.paths.stream()
                .filter(path -> other.paths.stream()
                        .anyMatch(its -> path.equals(its) || isInside(path, its) || isInside(its, path)))
                .findFirst();
    }

    private static boolean isInside(Path path, Path base) {
        return INSIDE.stream().anyMatch(name -> path.startsWith(base.resolve(name)));
    }

    private static Problem problem(Claimed loser, Claimed winner) {
        return new Problem(
                Problem.Severity.ERROR,
                loser.name + ".yaml",
                0,
                loser.pools ? "pools" : "controllerBasePath",
                meeting(loser, winner).filter(winner.paths::contains).isPresent()
                        ? "is the base folder of " + winner.name + ".yaml too"
                        : "and that of " + winner.name + ".yaml are one inside the other's volumes",
                "give each connection a base folder of its own; this one is loaded once the other lets go of it");
    }

    /** Returns the path with its links resolved, as far as it exists. */
    private static Path real(Path path) {
        for (Path existing = path; existing != null; existing = existing.getParent()) {
            if (Files.exists(existing)) {
                try {
                    return existing.toRealPath()
                            .resolve(existing.relativize(path))
                            .normalize();
                } catch (IOException _) {
                    return path;
                }
            }
        }
        return path;
    }

    private <T> T within(Callable<T> question, T otherwise) {
        var task = new FutureTask<>(question);
        asking.begin(task);
        return result(task, otherwise);
    }

    private static <T> T result(FutureTask<T> task, T otherwise) {
        try {
            return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException _) {
            return otherwise;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return otherwise;
        }
    }

    /** Runs a question to a folder, on a thread of its own if the folder may hang. */
    private interface Asking {
        void begin(FutureTask<?> task);
    }

    /** Holds two pools of which one lies in the other, which is a pool of another connection. */
    private record PoolInPool(ConnectionName name, Path path, ConnectionName other, Path its) {
        Problem problem(Problem.Severity severity) {
            return new Problem(
                    severity,
                    name + ".yaml",
                    0,
                    "pools",
                    "has a pool at " + path
                            + (path.startsWith(its) ? ", which lies in that of " : ", in which lies that of ") + other
                            + ".yaml at " + its,
                    severity == Problem.Severity.ERROR
                            ? "give each pool a folder beside the others; this one is loaded once " + other
                                    + ".yaml lets go of its folder"
                            : "both are served; for new volumes have pools whose folders are beside each other");
        }
    }

    /** @param marked whether the folder carries this connection's mark; asks the storage */
    private record Claimed(
            ConnectionName name, List<Path> paths, boolean pools, Placement placement, BooleanSupplier marked) {}
}
