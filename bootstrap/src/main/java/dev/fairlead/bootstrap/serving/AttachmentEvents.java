package dev.fairlead.bootstrap.serving;

import dev.fairlead.application.port.out.cluster.Announcement;
import dev.fairlead.application.port.out.cluster.Announcement.Kind;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.node.JournalReconciler.Finding;
import dev.fairlead.application.service.node.JournalReconciler.State;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells how the attachments of this node are: all of them by a metric, each that is left over once by log and event.
 */
final class AttachmentEvents {
    private static final Logger log = LoggerFactory.getLogger(AttachmentEvents.class);
    private static final Set<State> LEFT_OVER =
            Set.of(State.STUCK, State.UNFINISHED, State.UNKNOWN, State.UNREADABLE, State.ORPHANED);

    private final Telemetry telemetry;
    private final Announcer announcer;
    private final Set<String> told = new HashSet<>();

    AttachmentEvents(Telemetry telemetry, Announcer announcer) {
        this.telemetry = telemetry;
        this.announcer = announcer;
    }

    /** Tells of one look. Called by one thread. */
    void found(List<Finding> findings) {
        telemetry.attachments(counts(findings));
        Set<String> now = new HashSet<>();
        for (Finding finding : findings) {
            if (finding.state() == State.DETACHED) {
                log.atWarn()
                        .addKeyValue("volume", finding.subject())
                        .addKeyValue("why", finding.detail())
                        .log("detached: a call that was cut had left it, and nobody uses it on this node");
            } else if (finding.state() == State.DROPPED) {
                log.atWarn()
                        .addKeyValue("volume", finding.subject())
                        .addKeyValue("why", finding.detail())
                        .log("the journal's entry of a format that was cut is dropped");
            } else if (LEFT_OVER.contains(finding.state())) {
                now.add(finding.state() + " " + finding.subject());
                tell(finding);
            }
        }
        told.retainAll(now);
    }

    private void tell(Finding finding) {
        if (!told.add(finding.state() + " " + finding.subject())) {
            return;
        }
        boolean unreadable = finding.state() == State.UNREADABLE;
        log.atWarn()
                .addKeyValue(key(finding.state()), finding.subject())
                .addKeyValue("state", word(finding.state()))
                .addKeyValue("why", finding.detail())
                .log(unreadable ? "the journal cannot be read" : "an attachment is left over on this node");
        announcer.announce(new Announcement(
                Kind.ATTACHMENT_LEFT_OVER, finding.subject(), what(finding) + ": " + finding.detail()));
    }

    private static String what(Finding finding) {
        String state = " is left over on this node (" + word(finding.state()) + ")";
        return switch (finding.state()) {
            case UNREADABLE -> "the journal of this node cannot be read at " + finding.subject();
            case ORPHANED -> "a session with " + finding.subject() + state;
            default -> "volume " + finding.subject() + state;
        };
    }

    private static String key(State state) {
        return switch (state) {
            case UNREADABLE -> "place";
            case ORPHANED -> "session";
            default -> "volume";
        };
    }

    private static Map<String, Integer> counts(List<Finding> findings) {
        Map<String, Integer> counts = new TreeMap<>();
        for (State state : State.values()) {
            counts.put(word(state), 0);
        }
        findings.forEach(finding -> counts.merge(word(finding.state()), 1, Integer::sum));
        return counts;
    }

    private static String word(State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
