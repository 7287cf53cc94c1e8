package dev.fairlead.lab.soak.cluster;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads sizes as Kubernetes writes them. */
final class Quantity {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,18})(|k|M|G|T|Ki|Mi|Gi|Ti)");
    private static final Map<String, Long> UNITS = Map.of(
            "",
            1L,
            "k",
            1_000L,
            "M",
            1_000_000L,
            "G",
            1_000_000_000L,
            "T",
            1_000_000_000_000L,
            "Ki",
            1L << 10,
            "Mi",
            1L << 20,
            "Gi",
            1L << 30,
            "Ti",
            1L << 40);

    private Quantity() {}

    /** Returns the bytes; throws if the text is of another form. */
    static long bytes(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("size: '" + text + "' (expected: such as 64Mi)");
        }
        return Math.multiplyExact(Long.parseLong(matcher.group(1)), UNITS.getOrDefault(matcher.group(2), 1L));
    }
}
