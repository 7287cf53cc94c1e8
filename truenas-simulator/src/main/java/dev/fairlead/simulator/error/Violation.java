package dev.fairlead.simulator.error;

import java.util.Optional;

/** One attribute that is refused. */
public record Violation(Optional<String> attribute, String text, int number) {
    /** Makes a violation with the number EINVAL. */
    public static Violation of(String attribute, String text) {
        return new Violation(Optional.of(attribute), text, ErrorNumber.EINVAL);
    }

    /** Renders it as a reason does. */
    public String line() {
        return "[" + ErrorNumber.name(number) + "] " + attribute.orElse("None") + ": " + text;
    }
}
