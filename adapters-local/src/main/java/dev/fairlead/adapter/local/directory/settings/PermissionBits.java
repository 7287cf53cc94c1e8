package dev.fairlead.adapter.local.directory.settings;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.ConfigValue.Scalar;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads mode bits, which are always octal.
 *
 * <p>democratic-csi read an unquoted {@code 0777} as the decimal number 777, which is mode 01411. Here it is read as
 * octal, as its author meant it, with a warning.
 */
public final class PermissionBits {
    private static final Pattern OCTAL = Pattern.compile("(0o)?([0-7]{1,5})");
    private static final int ALL = 07777;

    private PermissionBits() {}

    public static Optional<Integer> read(ConfigNode block, String key) {
        Optional<Integer> mode = block.optional(
                key, PermissionBits::parse, "expected: three or four octal digits in quotes, such as \"0770\"");
        block.scalar(key)
                .filter(scalar -> scalar.type() == Scalar.Type.NUMBER
                        && mode.isPresent()
                        && !scalar.text().startsWith("0o"))
                .ifPresent(scalar -> block.problems()
                        .warning(
                                block.pathOf(key),
                                scalar.line(),
                                "is a number, read here as octal " + scalar.text()
                                        + "; democratic-csi took it for a decimal",
                                "put it in quotes: \"" + scalar.text() + "\""));
        return mode;
    }

    private static int parse(String text) {
        Matcher octal = OCTAL.matcher(text);
        if (!octal.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not an octal mode");
        }
        int mode = Integer.parseInt(octal.group(2), 8);
        if (mode > ALL) {
            throw new IllegalArgumentException("'" + text + "' has more bits than a mode");
        }
        return mode;
    }
}
