package dev.fairlead.domain.parameters;

import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads the parameters of a StorageClass or VolumeSnapshotClass as they apply to one connection.
 *
 * <p>A key {@code K} may stand bare or scoped: {@code fairlead.dev/K} for every connection,
 * {@code fairlead.dev/<driver>/K} for those of a driver type, {@code fairlead.dev/<instance_id>/K} for one instance;
 * each also under {@code democratic-csi.org/}. The narrowest scope wins: instance, driver, general, bare; within one
 * scope {@code fairlead.dev/} wins. The order of the entries never matters.
 *
 * <p>What is scoped to something else does not apply and is no error, since a class may carry entries for several
 * connections, and a name that is neither this driver nor this instance cannot be told from that of another one. A
 * scoped entry that applies must be a known key, so that a misspelt one is not silently without effect. Bare keys pass
 * as they are: templates may use them.
 *
 * @param instanceId the connection's {@code instance_id}
 * @param driver the connection's driver type
 * @param known the keys that this connection understands
 */
public record ParameterScopes(Optional<String> instanceId, String driver, Set<String> known) {
    /**
     * The keys by which a class chooses its connection; they have no scoped form, since they are read before the
     * connection is known.
     */
    public static final Set<String> CONNECTION_KEYS = Set.of("connection", "connections", "connectionSelector");

    /** The prefixes of scoped keys, from the weaker to the stronger. */
    private static final List<String> PREFIXES = List.of("democratic-csi.org/", "fairlead.dev/");

    public ParameterScopes {
        instanceId = instanceId.filter(id -> !id.isEmpty());
        known = Set.copyOf(known);
    }

    /** Returns the parameters with all scopes resolved and no prefixed key left. */
    public Map<String, String> resolve(Map<String, String> raw) {
        Map<String, String> resolved = new TreeMap<>();
        raw.forEach((key, value) -> {
            if (PREFIXES.stream().noneMatch(key::startsWith)) {
                resolved.put(key, value);
            }
        });
        for (Scope scope : Scope.values()) {
            for (String prefix : PREFIXES) {
                raw.forEach((key, value) -> {
                    if (key.startsWith(prefix)) {
                        keyIn(scope, key.substring(prefix.length()))
                                .ifPresent(name -> resolved.put(checked(key, name), value));
                    }
                });
            }
        }
        return resolved;
    }

    private Optional<String> keyIn(Scope scope, String rest) {
        return switch (scope) {
            case GENERAL -> rest.indexOf('/') < 0 ? Optional.of(rest) : Optional.empty();
            case DRIVER -> within(driver, rest);
            case INSTANCE -> instanceId.flatMap(id -> within(id, rest));
        };
    }

    private static Optional<String> within(String name, String rest) {
        return rest.startsWith(name + "/") ? Optional.of(rest.substring(name.length() + 1)) : Optional.empty();
    }

    private String checked(String key, String name) {
        if (known.contains(name)) {
            return name;
        }
        String expected = CONNECTION_KEYS.contains(name)
                ? "it without the prefix, since it chooses the connection"
                : known.isEmpty() ? "no prefixed key here" : "one of " + new TreeSet<>(known);
        throw new StorageException(new Failure.InvalidRequest(
                "parameters",
                Excerpt.of(key) + " is no key that driver " + driver + " knows (expected: " + expected
                        + "); mend the StorageClass or VolumeSnapshotClass"));
    }

    /** Lists the scopes of a key from the weakest to the strongest. */
    private enum Scope {
        GENERAL,
        DRIVER,
        INSTANCE
    }
}
