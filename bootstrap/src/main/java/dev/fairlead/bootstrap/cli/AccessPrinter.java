package dev.fairlead.bootstrap.cli;

import dev.fairlead.application.port.out.AccessReview.RoleGrant;
import dev.fairlead.bootstrap.check.AccessReport;
import dev.fairlead.bootstrap.check.AccessReport.ConnectionAccess;
import dev.fairlead.bootstrap.logging.JsonText;
import java.util.List;

/** Shows which rights the credentials of connections have and lack: to a person, or to a program. */
final class AccessPrinter {
    private static final String RED = "1;31";
    private static final String YELLOW = "33";
    private static final String GREEN = "32";
    private static final String DIM = "2";

    private final Terminal terminal;

    AccessPrinter(Terminal terminal) {
        this.terminal = terminal;
    }

    String text(AccessReport report) {
        var text = new StringBuilder();
        report.connections().forEach(connection -> connection(text, connection));
        return text.toString();
    }

    private void connection(StringBuilder text, ConnectionAccess connection) {
        text.append('\n').append(connection.name()).append("  ").append(terminal.paint(DIM, headline(connection)));
        text.append('\n');
        if (!connection.trouble().isEmpty()) {
            text.append("  ")
                    .append(terminal.paint(YELLOW, "not asked  "))
                    .append(connection.trouble())
                    .append('\n');
        }
        connection
                .warnings()
                .forEach(what -> text.append("  ")
                        .append(terminal.paint(YELLOW, "warning  "))
                        .append(what)
                        .append('\n'));
        int width = connection.rights().stream()
                .mapToInt(right -> right.name().length())
                .max()
                .orElse(0);
        for (RoleGrant right : connection.rights()) {
            text.append("  ")
                    .append(state(right))
                    .append(right.name())
                    .append(" ".repeat(width - right.name().length() + 2))
                    .append(terminal.paint(DIM, right.purpose()))
                    .append('\n');
        }
        connection.remedies().forEach(line -> text.append("  ").append(line).append('\n'));
    }

    private String state(RoleGrant right) {
        if (right.granted()) {
            return terminal.paint(GREEN, "has      ");
        }
        return right.optional() ? terminal.paint(YELLOW, "has not  ") : terminal.paint(RED, "missing  ");
    }

    private static String headline(ConnectionAccess connection) {
        return connection.who().isEmpty() && connection.trouble().isEmpty()
                ? "its storage does not limit credentials to single roles"
                : connection.who();
    }

    /** Returns a list of connections. */
    static String json(AccessReport report) {
        List<String> all =
                report.connections().stream().map(AccessPrinter::json).toList();
        return "[" + String.join(",", all) + "]";
    }

    private static String json(ConnectionAccess connection) {
        List<String> rights = connection.rights().stream()
                .map(right ->
                        "{\"role\":" + JsonText.quote(right.name()) + ",\"purpose\":" + JsonText.quote(right.purpose())
                                + ",\"granted\":" + right.granted() + ",\"optional\":" + right.optional() + "}")
                .toList();
        List<String> remedies =
                connection.remedies().stream().map(JsonText::quote).toList();
        List<String> warnings =
                connection.warnings().stream().map(JsonText::quote).toList();
        return "{\"name\":" + JsonText.quote(connection.name()) + ",\"who\":" + JsonText.quote(connection.who())
                + ",\"trouble\":" + JsonText.quote(connection.trouble()) + ",\"roles\":[" + String.join(",", rights)
                + "],\"remedies\":[" + String.join(",", remedies) + "],\"warnings\":["
                + String.join(",", warnings) + "]}";
    }
}
