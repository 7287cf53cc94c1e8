package dev.fairlead.application.config;

import java.util.ArrayList;
import java.util.List;

/** Collects all problems of one file, so that they are reported at once. Not for use by several threads. */
public final class Problems {
    private final String source;
    private final List<Problem> found = new ArrayList<>();

    public Problems(String source) {
        this.source = source;
    }

    public void error(String path, int line, String what, String remedy) {
        found.add(new Problem(Problem.Severity.ERROR, source, line, path, what, remedy));
    }

    public void warning(String path, int line, String what, String remedy) {
        found.add(new Problem(Problem.Severity.WARNING, source, line, path, what, remedy));
    }

    public void note(String path, int line, String what, String remedy) {
        found.add(new Problem(Problem.Severity.NOTE, source, line, path, what, remedy));
    }

    public List<Problem> all() {
        return List.copyOf(found);
    }

    public List<Problem> errors() {
        return found.stream().filter(Problem::isError).toList();
    }

    public boolean hasErrors() {
        return found.stream().anyMatch(Problem::isError);
    }
}
