package dev.fairlead.bootstrap.cli;

import dev.fairlead.application.config.Problem;
import dev.fairlead.application.port.out.host.Tools.Tool;
import dev.fairlead.bootstrap.check.AccessReport;
import dev.fairlead.bootstrap.check.CheckReport;
import dev.fairlead.bootstrap.check.CheckReport.Checked;
import dev.fairlead.bootstrap.logging.JsonText;
import java.util.ArrayList;
import java.util.List;

/** Shows what a check found: to a person, or to a program. */
final class CheckPrinter {
    private static final String RED = "1;31";
    private static final String YELLOW = "33";
    private static final String GREEN = "32";
    private static final String CYAN = "36";
    private static final String DIM = "2";

    private final Terminal terminal;

    CheckPrinter(Terminal terminal) {
        this.terminal = terminal;
    }

    String text(CheckReport report, boolean strict) {
        var text = new StringBuilder();
        int width = report.connections().stream()
                .mapToInt(c -> c.name().length())
                .max()
                .orElse(0);
        for (Checked connection : report.connections()) {
            boolean good = connection.passes(strict);
            text.append(good ? terminal.paint(GREEN, "ok   ") : terminal.paint(RED, "bad  "))
                    .append(connection.name())
                    .append(" ".repeat(width - connection.name().length() + 2))
                    .append(terminal.paint(DIM, connection.summary()))
                    .append('\n');
            connection.problems().forEach(problem -> problem(text, problem, strict));
        }
        report.problems().forEach(problem -> problem(text, problem, strict));
        text.append(summary(report, strict)).append('\n');
        return text.toString();
    }

    /** Returns one line for each program. */
    String text(List<Tool> tools) {
        var text = new StringBuilder();
        for (Tool tool : tools) {
            String found = tool.isThere()
                    ? terminal.paint(GREEN, tool.version())
                    : terminal.paint(YELLOW, "missing  ") + terminal.paint(DIM, tool.trouble());
            text.append("%-12s %-10s %s%n".formatted(tool.name(), tool.source(), found));
        }
        return text.toString();
    }

    static String json(List<Tool> tools) {
        List<String> all = tools.stream()
                .map(tool -> "{\"name\":" + JsonText.quote(tool.name()) + ",\"source\":" + JsonText.quote(tool.source())
                        + ",\"version\":" + JsonText.quote(tool.version()) + ",\"trouble\":"
                        + JsonText.quote(tool.trouble()) + "}")
                .toList();
        return "{\"tools\":[" + String.join(",", all) + "]}\n";
    }

    private void problem(StringBuilder text, Problem problem, boolean strict) {
        String place = problem.line() > 0 ? problem.source() + ":" + problem.line() : problem.source();
        text.append("     ")
                .append(level(problem, strict))
                .append(' ')
                .append(place)
                .append(problem.path().isEmpty() ? "" : "  " + problem.path())
                .append("  ")
                .append(problem.what())
                .append('\n');
        if (!problem.remedy().isEmpty()) {
            text.append("             ")
                    .append(terminal.paint(DIM, problem.remedy()))
                    .append('\n');
        }
    }

    private String level(Problem problem, boolean strict) {
        if (CheckReport.fails(problem, strict)) {
            return terminal.paint(RED, "error  ");
        }
        return problem.isNote() ? terminal.paint(CYAN, "note   ") : terminal.paint(YELLOW, "warning");
    }

    private String summary(CheckReport report, boolean strict) {
        long errors = report.all().stream().filter(Problem::isError).count();
        long notes = report.all().stream().filter(Problem::isNote).count();
        long warnings = report.all().size() - errors - notes;
        String counts = report.connections().size() + " connections, " + errors + " errors, " + warnings + " warnings"
                + (notes == 0 ? "" : ", " + notes + " notes");
        return report.passes(strict) ? terminal.paint(GREEN, counts) : terminal.paint(RED, counts);
    }

    static String json(CheckReport report, boolean strict) {
        return json(report, strict, "");
    }

    /** Returns the same with what is known of the connections' roles. */
    static String json(CheckReport report, AccessReport access, boolean strict) {
        return json(report, strict, ",\"roles\":" + AccessPrinter.json(access));
    }

    private static String json(CheckReport report, boolean strict, String more) {
        List<String> connections = new ArrayList<>();
        for (Checked connection : report.connections()) {
            connections.add("{\"name\":" + JsonText.quote(connection.name()) + ",\"ok\":" + connection.passes(strict)
                    + ",\"summary\":" + JsonText.quote(connection.summary()) + ",\"problems\":"
                    + problems(connection.problems()) + "}");
        }
        return "{\"ok\":" + report.passes(strict) + ",\"connections\":[" + String.join(",", connections)
                + "],\"problems\":" + problems(report.problems()) + more + "}\n";
    }

    private static String severity(Problem problem) {
        return switch (problem.severity()) {
            case ERROR -> "error";
            case WARNING -> "warning";
            case NOTE -> "note";
        };
    }

    private static String problems(List<Problem> problems) {
        List<String> all = new ArrayList<>();
        for (Problem problem : problems) {
            all.add("{\"severity\":" + JsonText.quote(severity(problem)) + ",\"file\":"
                    + JsonText.quote(problem.source()) + ",\"line\":" + problem.line() + ",\"key\":"
                    + JsonText.quote(problem.path()) + ",\"problem\":" + JsonText.quote(problem.what())
                    + ",\"remedy\":" + JsonText.quote(problem.remedy()) + "}");
        }
        return "[" + String.join(",", all) + "]";
    }
}
