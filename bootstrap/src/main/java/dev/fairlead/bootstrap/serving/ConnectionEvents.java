package dev.fairlead.bootstrap.serving;

import dev.fairlead.application.config.Problem;
import dev.fairlead.application.port.out.cluster.Announcement;
import dev.fairlead.application.port.out.cluster.Announcement.Kind;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.domain.connection.ConnectionName;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Tells the cluster's users which connections have problems, and when one has none any more; nothing of the others. */
final class ConnectionEvents {
    private final Announcer announcer;
    private final Set<ConnectionName> troubled = new HashSet<>();

    ConnectionEvents(Announcer announcer) {
        this.announcer = announcer;
    }

    synchronized void loaded(ConnectionName name) {
        if (troubled.remove(name)) {
            tell(Kind.CONNECTION_RECOVERED, name.value(), "connection " + name + " is loaded again");
        }
    }

    synchronized void rejected(ConnectionName name, List<Problem> problems) {
        troubled.add(name);
        tell(
                Kind.CONNECTION_REJECTED,
                name.value(),
                "connection " + name + " was not loaded, its last good version, if any, goes on: " + all(problems));
    }

    synchronized void removed(ConnectionName name) {
        troubled.add(name);
        tell(
                Kind.CONNECTION_REMOVED,
                name.value(),
                "the file of connection " + name + " is gone; calls on its volumes wait until it is back");
    }

    void folder(List<Problem> problems) {
        if (!problems.isEmpty()) {
            tell(Kind.FOLDER_TROUBLED, "folder", all(problems));
        }
    }

    private void tell(Kind kind, String subject, String text) {
        announcer.announce(new Announcement(kind, subject, text));
    }

    private static String all(List<Problem> problems) {
        return problems.stream().map(Problem::toString).collect(Collectors.joining("; "));
    }
}
