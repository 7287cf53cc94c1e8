package dev.fairlead.bootstrap.check;

import dev.fairlead.application.config.Problem;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds the result of a check.
 *
 * @param problems those of no connection: of the main file, the folder, or files that can be no connection
 */
public record CheckReport(List<Checked> connections, List<Problem> problems) {
    public CheckReport {
        connections = List.copyOf(connections);
        problems = List.copyOf(problems);
    }

    public static CheckReport ofProblems(List<Problem> problems) {
        return new CheckReport(List.of(), problems);
    }

    /** @param strict whether a warning fails it */
    public boolean passes(boolean strict) {
        return all().stream().noneMatch(problem -> fails(problem, strict));
    }

    public List<Problem> all() {
        List<Problem> all = new ArrayList<>(problems);
        connections.forEach(connection -> all.addAll(connection.problems()));
        return all;
    }

    /** Says whether a problem fails the check. */
    public static boolean fails(Problem problem, boolean strict) {
        return problem.isError() || (strict && !problem.isNote());
    }

    /** @param summary a description of the connection, if it can be used */
    public record Checked(String name, String summary, List<Problem> problems) {
        public Checked {
            problems = List.copyOf(problems);
        }

        public boolean passes(boolean strict) {
            return problems.stream().noneMatch(problem -> fails(problem, strict));
        }
    }
}
