package dev.fairlead.domain.affinity;

import dev.fairlead.domain.digest.Digests;
import java.util.Collection;
import java.util.HexFormat;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Names the changes of a plan, so that an operator approves those that were shown and no others. */
public record PlanDigest(String text) {
    private static final int BYTES = 12;
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{" + 2 * BYTES + "}");

    public PlanDigest {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "is no digest of a plan (expected: the " + 2 * BYTES + " characters that a plan shows)");
        }
    }

    /** Returns the digest of changes, whatever their order. */
    public static PlanDigest of(Collection<AffinityChange> changes) {
        String all = changes.stream()
                .map(change -> HexFormat.of().formatHex(Digests.sha256(change.identity())))
                .sorted()
                .collect(Collectors.joining("\n"));
        return new PlanDigest(HexFormat.of().formatHex(Digests.sha256(all), 0, BYTES));
    }

    @Override
    public String toString() {
        return text;
    }
}
