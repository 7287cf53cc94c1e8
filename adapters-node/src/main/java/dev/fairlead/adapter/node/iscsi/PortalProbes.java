package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.block.PortProbe;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Tells at which portals nothing answers. A login there would keep the target from its other volumes until it is given
 * up; and a portal of many targets is asked once for all of them.
 */
final class PortalProbes {
    /** The longest time for the addresses of one portal, and for the answer of its name. */
    private static final Duration MOST = PortProbe.ANSWER.multipliedBy(2);

    private final PortProbe probe;
    private final ThreadFactory threads;
    private final Duration memory;
    private final Map<Portal, Long> silentSince = new ConcurrentHashMap<>();

    /** @param memory how long a portal that was silent is not asked again */
    PortalProbes(PortProbe probe, ThreadFactory threads, Duration memory) {
        this.probe = probe;
        this.threads = threads;
        this.memory = memory;
    }

    /** Returns those of these portals at which nothing answers; all are asked at once. */
    List<Portal> silent(List<Portal> portals, Work work) {
        long now = System.nanoTime();
        silentSince.values().removeIf(since -> now - since >= memory.toNanos());
        Map<Portal, FutureTask<Boolean>> asked = new LinkedHashMap<>();
        for (Portal portal : portals) {
            if (!silentSince.containsKey(portal)) {
                FutureTask<Boolean> answer = new FutureTask<>(() -> answers(portal));
                threads.newThread(answer).start();
                asked.put(portal, answer);
            }
        }
        asked.forEach((portal, answer) -> {
            if (!isYes(answer, now + MOST.toNanos(), work)) {
                silentSince.put(portal, now);
            }
        });
        return portals.stream().filter(silentSince::containsKey).toList();
    }

    private boolean answers(Portal portal) {
        try {
            for (InetAddress address : InetAddress.getAllByName(portal.host())) {
                if (answers(address, portal.port())) {
                    return true;
                }
            }
            return false;
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
