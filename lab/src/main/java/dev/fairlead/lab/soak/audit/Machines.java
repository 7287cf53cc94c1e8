package dev.fairlead.lab.soak.audit;

import dev.fairlead.lab.LabCommand;
import dev.fairlead.lab.LabCommand.Ended;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Reaches the machines of the soak by the commands of the lab: two nodes, the controller's node, the storage host. */
public final class Machines {
    /** The nodes that pods go to. */
    public static final List<String> NODES = List.of("own-1", "own-2");

    private static final String CONTROLLER_NODE = "node-1";
    private static final String STORAGE = "storage";
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int TRIES = 5;

    /**
     * Kills the process of the driver on a node, and says whether there was one; not the shell that has the pattern.
     */
    public boolean killNodePlugin(String node) throws IOException {
        return kill(node, "[f]airlead.* node ");
    }

    /** Kills the controller's process, and says whether there was one. */
    public boolean killController() throws IOException {
        return kill(CONTROLLER_NODE, "[f]airlead.* controller ");
    }

    private static boolean kill(String node, String pattern) throws IOException {
        Ended ended = kube("node", "enter", node, "pkill", "-KILL", "-f", pattern);
        if (ended.code() > 1) {
            throw new IOException(ended.toString());
        }
        return ended.code() == 0;
    }

    public void cut(String node) throws IOException {
        succeed(kube("node", "cut", node));
    }

    /** Lets packets through to a node again; harmless if they come through. */
    public void heal(String node) throws IOException {
        insist(() -> kube("node", "heal", node));
    }

    public void stopStorage() throws IOException {
        succeed(uml("stop", STORAGE));
    }

    /** Gives the storage host power again; tries again if its start fails, from a stop. */
    public void startStorage() throws IOException {
        Ended ended = uml("start", STORAGE);
        for (int i = 1; ended.code() != 0 && i < TRIES; i++) {
            var _ = uml("stop", STORAGE);
            ended = uml("start", STORAGE);
        }
        succeed(ended);
    }

    /** Delays and loses some of what the storage host sends. */
    public void slowStorage() throws IOException {
        succeed(uml("slow", STORAGE, "delay", "50ms", "loss", "1%"));
    }

    /** Ends what {@link #slowStorage} began; harmless if nothing did. */
    public void healStorage() throws IOException {
        insist(() -> uml("heal", STORAGE));
    }

    /** Runs a shell script as root on a node and returns what it prints. */
    String onNode(String node, String script) throws IOException {
        return succeed(kube("node", "enter", node, "sh", "-c", script));
    }

    /** Runs a shell script as root on the storage host and returns what it prints. */
    String onStorage(String script) throws IOException {
        return succeed(uml("ssh", STORAGE, "sh", "-c", script));
    }

    /** A command that may fail for a while. */
    @FunctionalInterface
    private interface Command {
        Ended run() throws IOException;
    }

    private static void insist(Command command) throws IOException {
        Ended ended = command.run();
        for (int i = 1; ended.code() != 0 && i < TRIES; i++) {
            try {
                TimeUnit.SECONDS.sleep(2);
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted", e);
            }
            ended = command.run();
        }
        succeed(ended);
    }

    private static Ended kube(String... words) throws IOException {
        return new LabCommand("kube").end(LIMIT, "", new ArrayList<>(List.of(words)));
    }

    private static Ended uml(String... words) throws IOException {
        return new LabCommand("uml").end(LIMIT.multipliedBy(2), "", new ArrayList<>(List.of(words)));
    }

    private static String succeed(Ended ended) throws IOException {
        if (ended.code() != 0) {
            throw new IOException(ended.toString());
        }
        return ended.output();
    }
}
