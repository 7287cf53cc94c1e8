package dev.fairlead.bootstrap.config;

import dev.fairlead.application.config.ConfigValue.Scalar;
import java.util.regex.Pattern;

/**
 * Finds the type of an unquoted scalar by the YAML 1.2 core schema with js-yaml's additions (underscores in numbers,
 * timestamps), so that a file means here what it meant to democratic-csi: {@code on}, {@code yes} and {@code 12:30:45}
 * are texts, and {@code 0777} is the number 777.
 */
final class CoreSchema {
    private static final Pattern INTEGER =
            Pattern.compile("[-+]?(0b[01_]*[01]|0x[0-9a-fA-F_]*[0-9a-fA-F]|0o[0-7_]*[0-7]|[0-9]|[0-9][0-9_]*[0-9])");
    private static final Pattern FLOAT =
            Pattern.compile("[-+]?[0-9][0-9_]*(\\.[0-9_]*)?([eE][-+]?[0-9]+)?|\\.[0-9_]+([eE][-+]?[0-9]+)?"
                    + "|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final Pattern TIME = Pattern.compile("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|[ \\t]+)[0-9]{1,2}"
            + ":[0-9]{2}:[0-9]{2}(\\.[0-9]*)?([ \\t]*(Z|[-+][0-9]{1,2}(:[0-9]{2})?))?");

    private CoreSchema() {}

    static Scalar.Type typeOf(String text) {
        return switch (text) {
            case "", "~", "null", "Null", "NULL" -> Scalar.Type.NULL;
            case "true", "True", "TRUE", "false", "False", "FALSE" -> Scalar.Type.BOOLEAN;
            default -> numberOrText(text);
        };
    }

    private static Scalar.Type numberOrText(String text) {
        char first = text.charAt(0);
        if (!(first >= '0' && first <= '9') && first != '-' && first != '+' && first != '.') {
            return Scalar.Type.STRING;
        }
        if (INTEGER.matcher(text).matches()
                || (!text.endsWith("_") && FLOAT.matcher(text).matches())) {
            return Scalar.Type.NUMBER;
        }
        return DATE.matcher(text).matches() || TIME.matcher(text).matches()
                ? Scalar.Type.TIMESTAMP
                : Scalar.Type.STRING;
    }
}
