package dev.fairlead.bootstrap.serving;

import static java.util.stream.Collectors.toSet;

import dev.fairlead.application.port.in.node.ReportHealth.Report;
import dev.fairlead.application.port.out.cluster.Announcement;
import dev.fairlead.application.port.out.cluster.Announcement.Kind;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.port.out.cluster.ClaimAnnouncer;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.health.LastingTroubles;
import dev.fairlead.domain.health.HealthCondition;
import dev.fairlead.domain.health.HealthReason;
import dev.fairlead.domain.health.VolumeHealth;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells how the staged volumes of this node are: all of them by a metric, and by log and event what goes wrong with
 * one, once when it begins and once when it ends; its users are told at its claim. What a look could not tell goes on.
 */
final class VolumeEvents {
    private static final Logger log = LoggerFactory.getLogger(VolumeEvents.class);
    private static final String HEALTHY = "healthy";

    private final Telemetry telemetry;
    private final Announcer announcer;
    private final ClaimAnnouncer claims;
    private final LastingTroubles<String, HealthReason, HealthCondition> lasting = new LastingTroubles<>(
            HealthCondition::reason, Set.of(HealthReason.VOLUME_FULL, HealthReason.INODES_EXHAUSTED));
    private final Set<Told> told = new HashSet<>();
    private boolean counted;

    VolumeEvents(Telemetry telemetry, Announcer announcer, ClaimAnnouncer claims) {
        this.telemetry = telemetry;
        this.announcer = announcer;
        this.claims = claims;
    }

    /** Names what is wrong with which volume. */
    private record Told(String volume, HealthReason reason) {
        /** Returns a subject by which the events of one volume's conditions are told apart. */
        String subject() {
            return volume + " " + reason.camelCase();
        }
    }

    /** Tells of one look. Called by one thread. */
    void found(List<Report> looked) {
        List<Report> reports = lasting(looked);
        count(reports);
        claims.found(byHandle(reports));
        Map<Told, HealthCondition> now = new HashMap<>();
        Set<String> staged = new HashSet<>();
        for (Report report : reports) {
            staged.add(report.subject());
            report.health().conditions().forEach(it -> now.put(new Told(report.subject(), it.reason()), it));
        }
        told.removeIf(it -> {
            boolean over = !now.containsKey(it);
            if (over) {
                end(it, staged.contains(it.volume()));
            }
            return over;
        });
        now.forEach((it, condition) -> {
            if (told.add(it)) {
                begin(it, condition);
            }
        });
    }

    private List<Report> lasting(List<Report> looked) {
        lasting.keep(looked.stream().map(Report::subject).collect(toSet()));
        return looked.stream()
                .map(it -> new Report(
                        it.subject(),
                        it.protocol(),
                        new VolumeHealth(lasting.after(it.subject(), it.health().conditions(), it.health()::tells))))
                .toList();
    }

    /** Returns the volumes of which the handle is known, and not only the path. */
    private static Map<String, VolumeHealth> byHandle(List<Report> reports) {
        Map<String, VolumeHealth> volumes = new HashMap<>();
        reports.stream()
                .filter(it -> !it.subject().startsWith("/"))
                .forEach(it -> volumes.put(it.subject(), it.health()));
        return volumes;
    }

    private void begin(Told wrong, HealthCondition condition) {
        log.atWarn()
                .addKeyValue("volume", wrong.volume())
                .addKeyValue("reason", wrong.reason().camelCase())
                .addKeyValue("why", condition.message())
                .log("a volume of this node is not well");
        announcer.announce(new Announcement(
                Kind.VOLUME_ABNORMAL,
                wrong.subject(),
                "volume " + wrong.volume() + " (" + wrong.reason().camelCase() + "): " + condition.message()));
    }

    private void end(Told wrong, boolean staged) {
        String how = staged ? "is over" : "is over: it is not staged on this node any more";
        log.atInfo()
                .addKeyValue("volume", wrong.volume())
                .addKeyValue("reason", wrong.reason().camelCase())
                .log("what was wrong with a volume of this node " + how);
        announcer.announce(new Announcement(
                Kind.VOLUME_RECOVERED,
                wrong.subject(),
                "volume " + wrong.volume() + " (" + wrong.reason().camelCase() + ") " + how));
    }

    private void count(List<Report> reports) {
        if (reports.isEmpty() && !counted) {
            return; // nothing has ever been staged here
        }
        counted = true;
        Map<String, Map<String, Integer>> counts = new TreeMap<>();
        for (Report report : reports) {
            Map<String, Integer> states = counts.computeIfAbsent(report.protocol(), _ -> none());
            if (!report.health().isAbnormal()) {
                states.merge(HEALTHY, 1, Integer::sum);
            }
            report.health().conditions().forEach(it -> states.merge(it.reason().label(), 1, Integer::sum));
        }
        telemetry.volumes(counts);
    }

    private static Map<String, Integer> none() {
        Map<String, Integer> states = new TreeMap<>();
        states.put(HEALTHY, 0);
        for (HealthReason reason : HealthReason.values()) {
            states.put(reason.label(), 0);
        }
        return states;
    }
}
