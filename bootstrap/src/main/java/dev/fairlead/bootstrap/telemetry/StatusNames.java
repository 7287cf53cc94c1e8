package dev.fairlead.bootstrap.telemetry;

import java.util.Locale;

/** Names gRPC statuses as the sidecars' metrics do, so that one query serves both. */
final class StatusNames {
    private StatusNames() {}

    /** @param code such as {@code DEADLINE_EXCEEDED} */
    static String asSidecarsWrite(String code) {
        return switch (code) {
            case "OK" -> code;
            case "CANCELLED" -> "Canceled";
            default -> inCamelCase(code);
        };
    }

    private static String inCamelCase(String code) {
        var name = new StringBuilder();
        for (String word : code.split("_", -1)) {
            name.append(word, 0, Math.min(1, word.length()));
            name.append(word.substring(Math.min(1, word.length())).toLowerCase(Locale.ROOT));
        }
        return name.toString();
    }
}
