package dev.fairlead.application.port.out.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes programs run as root for a user who is not root, by a {@code sudo} that asks for no password. */
public record Elevation(Optional<String> sudo) {
    public static final Elevation NONE = new Elevation(Optional.empty());

    /** @param path the path of {@code sudo}, or of a replacement that knows {@code -n} */
    public static Elevation by(String path) {
        return new Elevation(Optional.of(path));
    }

    /** Returns the words that run this program as root; the same words if there is no {@code sudo}. */
    public List<String> of(List<String> argv) {
        if (sudo.isEmpty()) {
            return List.copyOf(argv);
        }
        List<String> words = new ArrayList<>(List.of(sudo.get(), "-n", "--"));
        words.addAll(argv);
        return words;
    }

    /** Returns why {@code sudo} refused to run the program, with what to do; empty if it did not refuse. */
    public Optional<String> refusal(CommandRunner.Ended ended) {
        boolean asks = ended.errors().contains("a password is required")
                || ended.errors().contains("is not allowed to")
                || ended.errors().contains("is not in the sudoers file");
        return sudo.filter(_ -> !ended.succeeded() && asks)
                .map(path -> path + " does not let this user run it without a password (" + ended.trouble()
                        + "); allow it with NOPASSWD in sudoers");
    }
}
