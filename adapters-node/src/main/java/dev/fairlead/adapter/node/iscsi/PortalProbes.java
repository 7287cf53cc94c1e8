package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.block.PortProbe;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Tells at which portals nothing answers. A login there would keep the target from its other volumes until it is given
 * up; and a portal of many targets is asked once for all of them.
 *
 * <p>What is remembered is that a connection could not be made, and nothing of a login: a portal that refuses one is of
 * use to another.
 */
final class PortalProbes {
    /** The longest time for the addresses of one portal, and for the answer of its name. */
    private static final Duration MOST = PortProbe.ANSWER.multipliedBy(2);

    private final PortProbe probe;
    private final ThreadFactory threads;
    private final Duration memory;
    private final Duration belief;
    private final Map<Portal, Silence> silences = new ConcurrentHashMap<>();

    /**
     * @param memory how long a portal that was silent is not asked again
     * @param belief how long it counts as silent unless it is asked
     */
    PortalProbes(PortProbe probe, ThreadFactory threads, Duration memory, Duration belief) {
        this.probe = probe;
        this.threads = threads;
        this.memory = memory;
        this.belief = belief;
    }

    /**
     * Tells of a portal at which nothing answered.
     *
     * @param addresses those that its host had then
     */
    private record Silence(Set<InetAddress> addresses, long since) {
        private boolean isOlderThan(Duration age, long now) {
            return now - since >= age.toNanos();
        }
    }

    /** Returns those of these portals at which nothing answers; all are asked at once. */
    List<Portal> silent(List<Portal> portals, Work work) {
        return silent(portals, memory, work);
    }

    /** Asks portals again that were silent; returns those that answer by now. */
    List<Portal> answeringAgain(List<Portal> portals, Work work) {
        List<Portal> silent = silent(portals, Duration.ZERO, work);
        return portals.stream().filter(it -> !silent.contains(it)).toList();
    }

    /**
     * Returns whether a portal was silent when it was asked last, without asking it. One whose host has got another
     * address since then was not.
     */
    boolean isKnownSilent(Portal portal) {
        Silence silence = silences.get(portal);
        if (silence == null || silence.isOlderThan(belief, System.nanoTime())) {
            return false;
        }
        try {
            return silence.addresses().containsAll(probe.addresses(portal.host()));
        } catch (UnknownHostException _) {
            return true; // it leads nowhere
        }
    }

    /** Notes that a portal was reached, whether it let the node in or not. */
    void reached(Portal portal) {
        silences.remove(portal);
    }

    private List<Portal> silent(List<Portal> portals, Duration memory, Work work) {
        long now = System.nanoTime();
        silences.values().removeIf(it -> it.isOlderThan(belief, now) && it.isOlderThan(memory, now));
        Map<Portal, FutureTask<Boolean>> asked = new LinkedHashMap<>();
        Map<Portal, Set<InetAddress>> addresses = new HashMap<>();
        for (Portal portal : portals) {
            Silence before = silences.get(portal);
            if (before == null || before.isOlderThan(memory, now)) {
                Set<InetAddress> found = ConcurrentHashMap.newKeySet();
                FutureTask<Boolean> answer = new FutureTask<>(() -> answers(portal, found));
                threads.newThread(answer).start();
                asked.put(portal, answer);
                addresses.put(portal, found);
            }
        }
        asked.forEach((portal, answer) -> {
            if (isYes(answer, now + MOST.toNanos(), work)) {
                reached(portal);
            } else {
                silences.put(portal, new Silence(Set.copyOf(addresses.getOrDefault(portal, Set.of())), now));
            }
        });
        return portals.stream().filter(silences::containsKey).toList();
    }

    /** @param found gets the addresses, also if they do not answer in time */
    private boolean answers(Portal portal, Set<InetAddress> found) {
        try {
            found.addAll(probe.addresses(portal.host()));
            return found.stream().anyMatch(address -> answers(address, portal.port()));
        } catch (IOException _) {
            return false; // the name is unknown
        }
    }

    private boolean answers(InetAddress address, int port) {
        try {
            probe.ask(address, port);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    private static boolean isYes(FutureTask<Boolean> answer, long end, Work work) {
        try {
            return answer.get(Math.max(end - System.nanoTime(), 1), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new StorageException(new Failure.Cancelled(work.what()));
        } catch (TimeoutException _) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a portal could not be asked", e);
        }
    }
}
