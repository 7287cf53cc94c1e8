package dev.fairlead.application.port.out.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How a program is run as root by a user who is not: by a {@code sudo} that asks nothing. */
public record Elevation(Optional<String> sudo) {
    public static final Elevation NONE = new Elevation(Optional.empty());

    /** @param path of {@code sudo}, or of what takes its place and knows {@code -n} */
    public static Elevation by(String path) {
        return new Elevation(Optional.of(path));
    }

    /** The same program, run as root. */
    public List<String> of(List<String> argv) {
        if (sudo.isEmpty()) {
            return List.copyOf(argv);
        }
        List<String> words = new ArrayList<>(List.of(sudo.get(), "-n", "--"));
        words.addAll(argv);
        return words;
    }

    /** Whether it was not the program that failed, but the right to run it that is missing, with what to do. */
    public Optional<String> refusal(CommandRunner.Ended ended) {
        boolean asks = ended.errors().contains("a password is required")
                || ended.errors().contains("is not allowed to")
                || ended.errors().contains("is not in the sudoers file");
        return sudo.filter(_ -> !ended.succeeded() && asks)
                .map(path -> path + " does not let this user run it without a password (" + ended.trouble()
                        + "); allow it with NOPASSWD in sudoers");
    }
}
