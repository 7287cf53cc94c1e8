package dev.fairlead.adapter.node.block;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Works on the maps that multipathd makes over the paths to a device. Its programs wait for paths that do not answer,
 * so they run on threads that can be left behind, one for each map.
 *
 * @param dev where device nodes are
 * @param patience how long a program may take
 */
public record MultipathMaps(
        BlockTree tree, CommandRunner programs, KernelThreads threads, Path dev, Duration patience) {
    /** The time that the program's own deadline has to end it. */
    private static final Duration KILLING = Duration.ofSeconds(2);

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

    private void run(List<String> argv, String map, Work work) {
        Command command = Command.of(new Effect(argv.getFirst(), map), argv).within(patience);
        Ended ended = threads.call(
                String.join(" ", argv),
                dev.resolve("mapper").resolve(map),
                patience.plus(KILLING),
                work,
                wanting -> programs.run(command, wanting));
        if (!ended.succeeded() || ended.output().strip().equals("fail")) {
            throw KernelThreads.fault(
                    String.join(" ", argv),
                    (ended.trouble() + " " + ended.output()).strip().replaceAll("\\s+", " "));
        }
    }
}
