package dev.fairlead.bootstrap.driver;

import dev.fairlead.application.config.Problem;
import dev.fairlead.bootstrap.driver.BackendAssembler.Assembled;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.topology.Placement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/**
 * Knows which base folders the connections in force have. Two connections in one folder would each serve, and delete,
 * the volumes of the other.
 *
 * <p>Not for use by several threads.
 */
public final class BaseFolders {
    private static final long PATIENCE_SECONDS = 1;

    /** A base folder in one of these of another is content of that one. */
    private static final List<String> INSIDE = List.of("v", "s", ".fairlead");

    private final UnaryOperator<Path> resolving;
    private final boolean perNode;
    private final SortedMap<String, Claimed> claimed = new TreeMap<>();

    /**
     * @param perNode whether connections of different places are each for nodes of their own, where one path is many
     *     folders
     */
    private BaseFolders(UnaryOperator<Path> resolving, boolean perNode) {
        this.resolving = resolving;
        this.perNode = perNode;
    }

    /** Resolves symbolic links as long as that may take. */
    public static BaseFolders patient(boolean perNode) {
        return new BaseFolders(BaseFolders::real, perNode);
    }

    /** A folder that does not answer within a second is taken by its name: it must not hold up other connections. */
    public static BaseFolders bounded(ThreadFactory threads, boolean perNode) {
        return new BaseFolders(path -> realWithin(threads, path), perNode);
    }

    /** Takes the base folder for a connection, in the place of its earlier one; or says who has it. */
    public Optional<Problem> take(ConnectionName name, Assembled assembled) {
        Optional<Claimed> wanted = assembled
                .base()
                .map(path -> new Claimed(
                        resolving.apply(path), assembled.backend().settings().placement()));
        Optional<Problem> problem = wanted.flatMap(mine -> claimed.entrySet().stream()
                .filter(other -> !other.getKey().equals(name.value()))
                .filter(other -> clashes(mine, other.getValue()))
                .findFirst()
                .map(other -> problem(name, mine, other)));
        if (problem.isEmpty()) {
            release(name);
            wanted.ifPresent(mine -> claimed.put(name.value(), mine));
        }
        return problem;
    }

    public void release(ConnectionName name) {
        claimed.remove(name.value());
    }

    private boolean clashes(Claimed one, Claimed other) {
        boolean apart = perNode && !one.placement.equals(other.placement);
        return !apart
                && (one.path.equals(other.path) || isInside(one.path, other.path) || isInside(other.path, one.path));
    }

    private static boolean isInside(Path path, Path base) {
        return INSIDE.stream().anyMatch(name -> path.startsWith(base.resolve(name)));
    }

    private static Problem problem(ConnectionName name, Claimed mine, Map.Entry<String, Claimed> other) {
        return new Problem(
                Problem.Severity.ERROR,
                name + ".yaml",
                0,
                "controllerBasePath",
                mine.path.equals(other.getValue().path)
                        ? "is the base folder of " + other.getKey() + ".yaml too"
                        : "and that of " + other.getKey() + ".yaml are one inside the other's volumes",
                "give each connection a base folder of its own; this one is loaded once the other lets go of it");
    }

    /** With links resolved, as far as there is something. */
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

    private static Path realWithin(ThreadFactory threads, Path path) {
        var task = new FutureTask<>(() -> real(path));
        threads.newThread(task).start();
        try {
            return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException _) {
            return path;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return path;
        }
    }

    private record Claimed(Path path, Placement placement) {}
}
