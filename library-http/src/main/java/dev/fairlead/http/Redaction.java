package dev.fairlead.http;

import dev.fairlead.application.config.Secret;
import java.util.Comparator;
import java.util.List;

/** Replaces secrets in a text that a server wrote, since servers repeat what they were sent. */
record Redaction(List<Secret> secrets) {
    private static final String SHOWN = "***";

    /** The fewest characters of a secret that is replaced: shorter ones would be found by chance, in any text. */
    private static final int LEAST = 4;

    Redaction {
        // The longest first: one may be part of another.
        secrets = secrets.stream()
                .filter(secret -> secret.reveal().length() >= LEAST)
                .sorted(Comparator.comparingInt(
                                (Secret secret) -> secret.reveal().length())
                        .reversed())
                .toList();
    }

    String of(String text) {
        String shown = text;
        for (Secret secret : secrets) {
            shown = shown.replace(secret.reveal(), SHOWN);
        }
        return shown;
    }
}
