package dev.fairlead.application.service.connection;

import dev.fairlead.application.config.Suggestion;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.parameters.ParameterScopes;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Selects the connections that a StorageClass allows: by name, by several names, or by labels. */
public sealed interface ConnectionChoice {
    /** Returns the connections that are allowed now, each once; never empty. */
    List<ConnectionName> resolve(Connections connections);

    /**
     * Returns the connections on which an earlier call with the same class may have made the volume; empty if it names
     * only one.
     */
    List<ConnectionName> formerly(Connections connections);

    record Named(List<ConnectionName> names) implements ConnectionChoice {
        public Named {
            names = List.copyOf(new LinkedHashSet<>(names));
        }

        @Override
        public List<ConnectionName> resolve(Connections connections) {
            return names;
        }

        @Override
        public List<ConnectionName> formerly(Connections connections) {
            return names.size() == 1 ? List.of() : names;
        }
    }

    record Labelled(SortedMap<String, String> labels) implements ConnectionChoice {
        @Override
        public List<ConnectionName> resolve(Connections connections) {
            List<ConnectionName> found = List.copyOf(connections.labelled(labels));
            if (found.isEmpty()) {
                throw new StorageException(new Failure.ConnectionUnknown(
                        "with labels " + labels,
                        "no loaded connection carries all of them; label one under fairlead.labels in its file, or mend"
                                + " connectionSelector in the StorageClass"));
            }
            return found;
        }

        /** Returns all connections, since any of them may have had these labels earlier. */
        @Override
        public List<ConnectionName> formerly(Connections connections) {
            return List.copyOf(connections.names());
        }
    }

    /**
     * Reads the choice of a class; empty if it makes none.
     *
     * @param only the only connection of a driver that serves one, whose classes cannot choose
     */
    static Optional<ConnectionChoice> read(Map<String, String> parameters, Optional<ConnectionName> only) {
        Set<String> given = new TreeSet<>(ParameterScopes.CONNECTION_KEYS);
        given.retainAll(parameters.keySet());
        if (only.isPresent()) {
            if (!given.isEmpty()) {
                throw invalid(
                        given.iterator().next(),
                        "this driver serves one connection only, and the StorageClass cannot choose (expected: no such"
                                + " key)");
            }
            return Optional.of(new Named(List.of(only.get())));
        }
        if (given.size() > 1) {
            throw invalid(
                    String.join(", ", given),
                    "only one of them can choose (expected: one of connection," + " connections, connectionSelector)");
        }
        return given.stream().findFirst().map(key -> read(key, parameters.getOrDefault(key, "")));
    }

    /** Reads the choice of a class; throws {@code InvalidRequest} if it makes none. */
    static ConnectionChoice require(Map<String, String> parameters, Optional<ConnectionName> only) {
        return read(parameters, only)
                .orElseThrow(() -> invalid(
                        "connection",
                        "is missing" + misspelt(parameters) + ", and this driver serves several connections (expected:"
                                + " connection: NAME, connections: NAME,NAME or connectionSelector: label=value in the"
                                + " StorageClass)"));
    }

    /**
     * Returns a hint to the first parameter that resembles a key for a connection; the empty text if there is none.
     * Such a key may be meant for a template, but is more likely a slip.
     */
    private static String misspelt(Map<String, String> parameters) {
        return parameters.keySet().stream()
                .sorted()
                .flatMap(key -> Suggestion.nearest(key, ParameterScopes.CONNECTION_KEYS).stream()
                        .map(near -> " (is " + Excerpt.of(key) + " meant to be " + near + "?)"))
                .findFirst()
                .orElse("");
    }

    private static ConnectionChoice read(String key, String value) {
        return switch (key) {
            case "connection" -> new Named(List.of(name(key, value)));
            case "connections" ->
                new Named(parts(key, value).map(part -> name(key, part)).toList());
            default -> labels(key, value);
        };
    }

    private static ConnectionName name(String key, String value) {
        if (!ConnectionName.isValid(value)) {
            throw invalid(key, Excerpt.of(value) + " is no name of a connection (expected: the base name of its file)");
        }
        return new ConnectionName(value);
    }

    private static Labelled labels(String key, String value) {
        SortedMap<String, String> labels = new TreeMap<>();
        parts(key, value).forEach(part -> {
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw invalid(key, Excerpt.of(part) + " is no label (expected: label=value,label=value)");
            }
            labels.put(
                    part.substring(0, equals).strip(),
                    part.substring(equals + 1).strip());
        });
        return new Labelled(labels);
    }

    private static Stream<String> parts(String key, String value) {
        List<String> parts =
                Arrays.stream(value.split(",", -1)).map(String::strip).toList();
        if (parts.contains("")) {
            throw invalid(key, Excerpt.of(value) + " has an empty part (expected: parts between single commas)");
        }
        return parts.stream();
    }

    private static StorageException invalid(String key, String why) {
        return new StorageException(new Failure.InvalidRequest("parameters." + key, why));
    }
}
