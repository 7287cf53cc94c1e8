package dev.fairlead.benchmarks;

import dev.fairlead.benchmarks.measured.Results;
import dev.fairlead.lab.CsiClient;
import dev.fairlead.lab.DriverProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measures Fairlead and democratic-csi by turns, each alone on the machine, with the same configuration file and calls.
 *
 * <p>The file has two forms: if the owner of new volumes is 0, as in democratic-csi's example, democratic-csi does
 * nothing for it; if it is another, democratic-csi starts chown.
 */
final class PeerRounds {
    static final String FAIRLEAD = "fairlead";
    static final String PEER = "democratic-csi";
    static final List<String> USERS = List.of("0", "root");
    static final int[] CALLERS = {1, 32};

    private static final PrintStream OUT = System.out;
    private static final List<String> BOTH = List.of("controller", "node");

    private final Commands commands;
    private final Path peer;
    private final Map<String, Path> places = new LinkedHashMap<>();
    private final Results results;
    private final boolean mounts;

    /** Prepares rounds in a folder on a disk, and beside it in one in memory if there is one. */
    PeerRounds(Commands commands, Path peer, Path folder, Optional<Path> memory, Results results, boolean mounts) {
        this.commands = commands;
        this.peer = peer;
        this.results = results;
        this.mounts = mounts;
        places.put("disk", folder);
        memory.ifPresent(place -> places.put("tmpfs", place));
    }

    /** Returns the name of a subject in the table: who, where its volumes lie, and the form of the file. */
    static String subject(String who, String place, String user) {
        return who + ", " + place + ", user " + user;
    }

    void round(int round, int scale) throws Exception {
        List<String> order = new ArrayList<>(List.of(FAIRLEAD, PEER));
        if (round % 2 == 0) {
            Collections.reverse(order);
        }
        for (String who : order) {
            start(who);
        }
        for (Map.Entry<String, Path> place : places.entrySet()) {
            for (String user : USERS) {
                for (String who : order) {
                    OUT.printf("  %s%n", subject(who, place.getKey(), user));
                    load(who, place.getKey(), place.getValue(), user, scale);
                }
            }
        }
    }

    /** Measures a controller of one connection, from its start to its first answer, and its memory once it is idle. */
    private void start(String who) throws Exception {
        Path work = Files.createTempDirectory(places.get("disk"), "peer-start");
        Path socket = work.resolve("csi.sock");
        List<String> command = command(who, Subject.hostpathFile(work, "0"), socket, List.of("controller"));
        try (DriverProcess server =
                DriverProcess.start(command, Commands.ENVIRONMENT, socket, work.resolve("server.log"))) {
            results.add("start " + who + " ms", server.startMillis());
            Thread.sleep(2000);
            results.add("idle rss " + who + " MiB", Memory.of(server.pid()).rss());
        }
    }

    private void load(String who, String place, Path parent, String user, int scale) throws Exception {
        Path work = Files.createTempDirectory(parent, "peer-load");
        Path socket = work.resolve("csi.sock");
        List<String> command = command(who, Subject.hostpathFile(work, user), socket, BOTH);
        Subject subject =
                new Subject(subject(who, place, user), command, Commands.ENVIRONMENT, socket, List.of(Map.of()));
        // A node does the same with both forms of the file, and mounts do not depend on the disk.
        boolean node = mounts && "disk".equals(place) && "0".equals(user);
        try (DriverProcess server =
                        DriverProcess.start(command, Commands.ENVIRONMENT, socket, work.resolve("server.log"));
                CsiClient client = new CsiClient(server.socket())) {
            new Scenario(subject, client, folder(work, "warm"), scale).round(new Results(), node, CALLERS);
            new Scenario(subject, client, folder(work, "pods"), scale).round(results, node, CALLERS);
            results.add(
                    "loaded rss " + subject.name() + " MiB",
                    Memory.of(server.pid()).rss());
        }
    }

    private List<String> command(String who, Path file, Path socket, List<String> modes) {
        return who.equals(PEER) ? Commands.peer(peer, file, socket, modes) : commands.ours(file, socket, modes);
    }

    private static Path folder(Path work, String name) throws IOException {
        return Files.createDirectories(work.resolve(name));
    }
}
