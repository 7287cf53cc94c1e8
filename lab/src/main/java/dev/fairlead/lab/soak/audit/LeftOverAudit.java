package dev.fairlead.lab.soak.audit;

import dev.fairlead.lab.soak.cluster.ClusterState;
import dev.fairlead.lab.soak.cluster.SoakCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Compares what is in the cluster, on the storage host and on the nodes with what was there before the soak. It looks
 * while volumes are in use, too, so that it is known to see what it looks for.
 */
public final class LeftOverAudit {
    private static final String CLUSTER = "the cluster";

    private final SoakCluster cluster;
    private final Machines machines;
    private final Set<LeftOver> before;
    private final Map<LeftOver.Kind, Long> most = new EnumMap<>(LeftOver.Kind.class);

    /** Looks at what is there before the soak. */
    public LeftOverAudit(SoakCluster cluster, Machines machines) throws IOException {
        this.cluster = cluster;
        this.machines = machines;
        this.before = new HashSet<>(there());
        List.copyOf(before).forEach(it -> it.saved().ifPresent(before::add));
    }

    /** Looks while volumes are in use, and remembers of which kinds it saw how many. */
    public void look() throws IOException {
        SortedSet<LeftOver> now = there();
        now.removeAll(before);
        counts(now).forEach((kind, count) -> most.merge(kind, count, Math::max));
    }

    /** Returns how many of each kind there are. */
    static Map<LeftOver.Kind, Long> counts(Collection<LeftOver> found) {
        Map<LeftOver.Kind, Long> counts = new EnumMap<>(LeftOver.Kind.class);
        found.forEach(it -> counts.merge(it.kind(), 1L, Long::sum));
        return counts;
    }

    /** Returns the most of each kind that a look saw while volumes were in use. */
    public Map<LeftOver.Kind, Long> most() {
        return new EnumMap<>(most);
    }

    /** Returns the kinds that volumes in use have and that no look saw. */
    public Set<LeftOver.Kind> blind() {
        Set<LeftOver.Kind> blind = EnumSet.noneOf(LeftOver.Kind.class);
        for (LeftOver.Kind kind : LeftOver.Kind.values()) {
            if (kind.isInUse() && !most.containsKey(kind)) {
                blind.add(kind);
            }
        }
        return blind;
    }

    /**
     * Looks until nothing is left, and returns what is left after all: nodes end sessions that nobody uses after some
     * minutes, and what a storage cannot delete at once is tried again.
     */
    public SortedSet<LeftOver> left(Duration limit) throws IOException {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            SortedSet<LeftOver> left = there();
            left.removeAll(before);
            if (left.isEmpty() || System.nanoTime() > end) {
                return left;
            }
            System.out.println("left until now: " + counts(left));
            pause();
        }
    }

    private SortedSet<LeftOver> there() throws IOException {
        SortedSet<LeftOver> found = new TreeSet<>(LeftOver.of("storage", machines.onStorage(LookScripts.STORAGE)));
        for (String node : Machines.NODES) {
            found.addAll(LeftOver.of(node, machines.onNode(node, LookScripts.NODE)));
        }
        ClusterState state = cluster.state();
        state.pods().keySet().forEach(it -> found.add(new LeftOver(LeftOver.Kind.POD, CLUSTER, it)));
        state.claims().keySet().forEach(it -> found.add(new LeftOver(LeftOver.Kind.CLAIM, CLUSTER, it)));
        state.volumes().keySet().forEach(it -> found.add(new LeftOver(LeftOver.Kind.VOLUME, CLUSTER, it)));
        cluster.attachments().forEach(it -> found.add(new LeftOver(LeftOver.Kind.ATTACHMENT, CLUSTER, it)));
        return found;
    }

    private static void pause() {
        try {
            TimeUnit.SECONDS.sleep(10);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }
}
