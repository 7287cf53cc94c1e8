package dev.fairlead.adapter.node.block;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works on the maps that multipathd makes over the paths to a device. Its programs wait for paths that do not answer,
 * so they run on threads that can be left behind, one for each map.
 *
 * @param dev where device nodes are
 * @param patience how long a program may take
 * @param noted the identities of disks that multipathd was told by this process
 */
public record MultipathMaps(
        BlockTree tree, CommandRunner programs, KernelThreads threads, Path dev, Duration patience, Set<String> noted) {
    private static final Logger log = LoggerFactory.getLogger(MultipathMaps.class);

    /** The time that the program's own deadline has to end it. */
    private static final Duration KILLING = Duration.ofSeconds(2);

    public MultipathMaps(BlockTree tree, CommandRunner programs, KernelThreads threads, Path dev, Duration patience) {
        this(tree, programs, threads, dev, patience, ConcurrentHashMap.newKeySet());
    }

    public static MultipathMaps ofThisKernel(KernelThreads threads, CommandRunner programs, Duration patience) {
        return new MultipathMaps(new BlockTree(Path.of("/sys")), programs, threads, Path.of("/dev"), patience);
    }

    /**
     * Gives the map over these paths their size, which it does not take by itself; does nothing if it has that, or if
     * the paths do not agree on one yet.
     */
    public void fit(Collection<String> paths, Work work) {
        Set<String> sizes = paths.stream().map(it -> tree.fact(it, "size")).collect(Collectors.toSet());
        tree.map(paths)
                .filter(map -> sizes.size() == 1 && !sizes.contains(tree.fact(map, "size")))
                .map(map -> tree.fact(map, "dm/name"))
                .ifPresent(name -> resize(name, work));
    }

    /** Gives a map the size of its paths. */
    public void resize(String map, Work work) {
        run(List.of("multipathd", "resize", "map", map), map, work);
    }

    /** Takes a map away. */
    public void remove(String map, Work work) {
        run(List.of("multipath", "-f", map), map, work);
    }

    /** Says how multipathd takes a path that it is offered. */
    public enum Answer {
        /** There is a map over the path. */
        MAPPED,
        /** It does not know the path yet, or cannot make a map of it now. */
        LATER,
        /** It does not run, or takes no such path. */
        NEVER
    }

    /**
     * Asks multipathd for a map of a path, also if it is the only one: by the settings {@code find_multipaths strict}
     * and {@code yes} multipathd makes one of a single path only if its device's id is known from before.
     */
    public Answer offer(String path, Work work) {
        List<String> offer = List.of("multipathd", "add", "path", path);
        Ended ended = ended(offer, path, work);
        if (isFail(ended)) {
            return Answer.LATER; // it has not heard of the device, which is new
        }
        if (!ended.succeeded() || !ended.output().strip().equals("ok")) {
            return Answer.NEVER;
        }
        if (!isMapped(path)) {
            var _ = ended(List.of("multipath", "-a", dev.resolve(path).toString()), path, work);
            noted.add(identity(path));
            var _ = ended(offer, path, work);
        }
        return isMapped(path) ? Answer.MAPPED : Answer.LATER;
    }

    /**
     * Lets multipathd forget the identity of a device whose map is gone, if it was told it by {@link #offer}; its list
     * would grow by each volume otherwise.
     */
    public void forget(Collection<String> paths, Work work) {
        paths.stream().filter(it -> noted.remove(identity(it))).forEach(path -> {
            try {
                var _ = ended(List.of("multipath", "-w", dev.resolve(path).toString()), path, work);
            } catch (StorageException e) {
                work.checkCancelled();
                log.atDebug()
                        .addKeyValue("path", path)
                        .addKeyValue("why", e.failure().message())
                        .log("multipathd keeps the id of a disk in its list");
            }
        });
    }

    /** Returns the identity that all paths to a device share; of one that cannot be read, its own name. */
    private String identity(String path) {
        String wwid = tree.fact(path, "device/wwid");
        return wwid.isEmpty() ? path : wwid;
    }

    private boolean isMapped(String path) {
        return tree.map(List.of(path)).isPresent();
    }

    private static boolean isFail(Ended ended) {
        return ended.output().strip().equals("fail");
    }

    private Ended ended(List<String> argv, String subject, Work work) {
        Command command = Command.of(new Effect(argv.getFirst(), subject), argv)
                .within(patience)
                .awaitedUntilGone();
        return threads.call(
                String.join(" ", argv),
                dev.resolve("mapper").resolve(subject),
                patience.plus(KILLING),
                work,
                wanting -> programs.run(command, wanting));
    }

    private void run(List<String> argv, String map, Work work) {
        Ended ended = ended(argv, map, work);
        if (!ended.succeeded() || isFail(ended)) {
            throw KernelThreads.fault(
                    String.join(" ", argv),
                    (ended.trouble() + " " + ended.output()).strip().replaceAll("\\s+", " "));
        }
    }
}
