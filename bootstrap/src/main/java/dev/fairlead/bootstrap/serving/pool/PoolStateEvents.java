package dev.fairlead.bootstrap.serving.pool;

import dev.fairlead.application.port.out.cluster.Announcement;
import dev.fairlead.application.port.out.cluster.Announcement.Kind;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.port.out.store.PoolStates.PoolFinding;
import dev.fairlead.application.port.out.store.PoolStates.PoolReport;
import dev.fairlead.application.port.out.store.PoolStates.PoolState;
import dev.fairlead.application.service.call.Telemetry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells how the pools of this node are: all of them by a metric, and by log and event what goes wrong with one, once
 * when it begins and once when it ends.
 */
public final class PoolStateEvents {
    private static final Logger log = LoggerFactory.getLogger(PoolStateEvents.class);

    private final Telemetry telemetry;
    private final Announcer announcer;
    private final Set<Wrong> told = new HashSet<>();

    public PoolStateEvents(Telemetry telemetry, Announcer announcer) {
        this.telemetry = telemetry;
        this.announcer = announcer;
    }

    /** Names what is wrong with which pool. */
    private record Wrong(String connection, String pool, PoolState state) {
        String words() {
            return "pool '" + pool + "' of connection '" + connection + "' (" + state.label() + ")";
        }

        String subject() {
            return connection + "/" + pool + " " + state.label();
        }
    }

    /** Tells of one look. Called by one thread. */
    public void found(List<PoolReport> reports) {
        telemetry.pools(reports);
        Map<Wrong, String> now = new HashMap<>();
        for (PoolReport report : reports) {
            for (PoolFinding finding : report.findings()) {
                if (finding.state() != PoolState.UNUSED) {
                    Wrong wrong = new Wrong(report.connection().value(), report.pool(), finding.state());
                    now.merge(wrong, finding.detail(), (one, other) -> one + "; " + other);
                }
            }
        }
        told.removeIf(it -> {
            boolean over = !now.containsKey(it);
            if (over) {
                log.atInfo().log(it.words() + " is over");
                announcer.announce(new Announcement(Kind.POOL_RECOVERED, it.subject(), it.words() + " is over"));
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
}
