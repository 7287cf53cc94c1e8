package dev.fairlead.application.config;

import java.util.List;
import java.util.stream.Collectors;

/** Says that a configuration cannot be used, with all of its problems. */
public final class InvalidConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    public InvalidConfigException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }
}
