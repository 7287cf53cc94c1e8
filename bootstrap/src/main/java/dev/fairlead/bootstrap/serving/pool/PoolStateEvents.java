package dev.fairlead.bootstrap.serving.pool;

import static java.util.stream.Collectors.toSet;

import dev.fairlead.application.port.out.cluster.Announcement;
import dev.fairlead.application.port.out.cluster.Announcement.Kind;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.port.out.store.PoolStates.PoolFinding;
import dev.fairlead.application.port.out.store.PoolStates.PoolReport;
import dev.fairlead.application.port.out.store.PoolStates.PoolState;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.health.LastingTroubles;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells how the pools of this node are: all of them by a metric, and by log and event what goes wrong with one, once
 * when it begins and once when it ends. What a look could not tell goes on.
 */
public final class PoolStateEvents {
    private static final Logger log = LoggerFactory.getLogger(PoolStateEvents.class);

    private final Telemetry telemetry;
    private final Announcer announcer;
    private final LastingTroubles<Pool, PoolState, PoolFinding> lasting =
            new LastingTroubles<>(PoolFinding::state, Set.of(PoolState.FULL, PoolState.INODES_EXHAUSTED));
    private final Set<Wrong> told = new HashSet<>();

    public PoolStateEvents(Telemetry telemetry, Announcer announcer) {
        this.telemetry = telemetry;
        this.announcer = announcer;
    }

    /** Names a pool. */
    private record Pool(String connection, String name) {
        static Pool of(PoolReport report) {
            return new Pool(report.connection().value(), report.pool());
        }
    }

    /** Names what is wrong with which pool. */
    private record Wrong(Pool pool, PoolState state) {
        String words() {
            return "pool '" + pool.name() + "' of connection '" + pool.connection() + "' (" + state.label() + ")";
        }

        String subject() {
            return pool.connection() + "/" + pool.name() + " " + state.label();
        }
    }

    /** Tells of one look. Called by one thread. */
    public void found(List<PoolReport> looked) {
        List<PoolReport> reports = lasting(looked);
        telemetry.pools(reports);
        Map<Wrong, String> now = new HashMap<>();
        for (PoolReport report : reports) {
            for (PoolFinding finding : report.findings()) {
                if (finding.state() != PoolState.UNUSED) {
                    Wrong wrong = new Wrong(Pool.of(report), finding.state());
                    now.merge(wrong, finding.detail(), (one, other) -> one + "; " + other);
                }
            }
        }
        Set<Pool> pools = reports.stream().map(Pool::of).collect(toSet());
        told.removeIf(it -> {
            boolean over = !now.containsKey(it);
            if (over) {
                String how = it.words() + (pools.contains(it.pool()) ? " is over" : " is over: no connection has it");
                log.atInfo().log(how);
                announcer.announce(new Announcement(Kind.POOL_RECOVERED, it.subject(), how));
            }
            return over;
        });
        now.forEach((it, detail) -> {
            if (told.add(it)) {
                log.atWarn().addKeyValue("why", detail).log(it.words() + " is not well");
                announcer.announce(new Announcement(Kind.POOL_ABNORMAL, it.subject(), it.words() + ": " + detail));
            }
        });
    }

    private List<PoolReport> lasting(List<PoolReport> looked) {
        lasting.keep(looked.stream().map(Pool::of).collect(toSet()));
        return looked.stream()
                .map(it -> new PoolReport(
                        it.connection(), it.pool(), lasting.after(Pool.of(it), it.findings(), it::tells)))
                .toList();
    }
}
