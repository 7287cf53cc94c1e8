package dev.fairlead.domain.topology;

import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Checks keys and values of a topology segment against the rules of CSI, which Kubernetes follows. */
public final class TopologyLabels {
    private static final int MAX_NAME = 63;

    /** CSI's limit for the prefix of a plugin's own keys. */
    private static final int MAX_PREFIX = 63;

    /** Kubernetes' limit for the prefix of a label key, which holds for the labels that others set. */
    private static final int MAX_FOREIGN_PREFIX = 253;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?");
    private static final Pattern DOMAIN =
            Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");

    private TopologyLabels() {}

    /** Returns what is wrong with a key {@code [prefix/]name} of the plugin; empty if nothing is. */
    public static Optional<String> keyProblem(String key) {
        return keyProblem(key, MAX_PREFIX);
    }

    /** Returns what is wrong with the key of a node label that something else sets; empty if nothing is. */
    public static Optional<String> foreignKeyProblem(String key) {
        return keyProblem(key, MAX_FOREIGN_PREFIX);
    }

    private static Optional<String> keyProblem(String key, int maxPrefix) {
        int slash = key.indexOf('/');
        return slash < 0
                ? nameProblem("key", key)
                : prefixProblem(key.substring(0, slash), maxPrefix)
                        .or(() -> nameProblem("key, after its prefix,", key.substring(slash + 1)));
    }

    /** Returns what is wrong with the prefix of keys; empty if nothing is. */
    public static Optional<String> prefixProblem(String prefix) {
        return prefixProblem(prefix, MAX_PREFIX);
    }

    private static Optional<String> prefixProblem(String prefix, int max) {
        return prefix.length() <= max && DOMAIN.matcher(prefix).matches()
                ? Optional.empty()
                : Optional.of("key prefix " + Excerpt.of(prefix) + " is not a domain name (expected: 1 to " + max
                        + " of a-z, 0-9, '-' and '.', such as org.example.storage)");
    }

    /** Returns what is wrong with a value; empty if nothing is. */
    public static Optional<String> valueProblem(String value) {
        return nameProblem("value", value);
    }

    private static Optional<String> nameProblem(String what, String text) {
        return text.length() <= MAX_NAME && NAME.matcher(text).matches()
                ? Optional.empty()
                : Optional.of(what + " " + Excerpt.of(text) + " is not a label's (expected: 1 to " + MAX_NAME
                        + " of A-Z, a-z, 0-9, '-', '_' and '.', a letter or digit at both ends)");
    }

    /**
     * Returns what is wrong with the labels of one segment; empty if nothing is. Two keys must differ in more than
     * case.
     */
    public static Optional<String> problem(Map<String, String> labels) {
        Map<String, String> seen = new TreeMap<>();
        for (Map.Entry<String, String> label : new TreeMap<>(labels).entrySet()) {
            Optional<String> problem = keyProblem(label.getKey()).or(() -> valueProblem(label.getValue()));
            if (problem.isPresent()) {
                return problem;
            }
            String twin = seen.put(label.getKey().toLowerCase(Locale.ROOT), label.getKey());
            if (twin != null) {
                return Optional.of("keys '" + twin + "' and '" + label.getKey() + "' differ only in case");
            }
        }
        return Optional.empty();
    }

    /** Returns the segment of these labels of a request, or throws {@code InvalidRequest} naming the field. */
    public static TopologySegment requested(String field, Map<String, String> labels) {
        problem(labels).ifPresent(why -> {
            throw new StorageException(new Failure.InvalidRequest(field, why));
        });
        return TopologySegment.of(labels);
    }
}
