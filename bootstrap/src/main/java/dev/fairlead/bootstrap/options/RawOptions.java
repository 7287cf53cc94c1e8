package dev.fairlead.bootstrap.options;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Splits a command line the way democratic-csi's does: {@code --key=value} or {@code --key value}, options repeat, each
 * is also an environment variable, and what is unknown is accepted. It uses no library, since one would take a tenth of
 * the time of a start.
 */
final class RawOptions {
    static final Set<String> KNOWN = Set.of(
            "csi-version",
            "csi-name",
            "csi-mode",
            "driver-config-file",
            "log-level",
            "log-format",
            "log-bodies",
            "server-socket",
            "server-address",
            "server-port",
            "server-socket-permissions-mode",
            "registration-dir",
            "http-endpoint",
            "leader-election",
            "leader-election-namespace",
            "leader-election-lease",
            "kubernetes-events",
            "kubernetes-claim-events",
            "kubernetes-sources",
            "startup-taint");

    /** The options that have no value; a word after one of them is an argument of its own. */
    private static final Set<String> FLAGS = Set.of(
            "leader-election", "kubernetes-events", "kubernetes-claim-events", "kubernetes-sources", "log-bodies");

    private static final String MODES = "csi-mode";

    private final Map<String, List<String>> given = new LinkedHashMap<>();
    private final List<String> warnings = new ArrayList<>();
    private final Map<String, String> environment;

    RawOptions(List<String> arguments, Map<String, String> environment) {
        this.environment = environment;
        int i = 0;
        while (i < arguments.size()) {
            i = take(arguments, i);
        }
    }

    private int take(List<String> arguments, int at) {
        String argument = arguments.get(at);
        if (!argument.startsWith("--") || argument.length() == 2) {
            warnings.add("the argument '" + argument + "' means nothing here and is ignored");
            return at + 1;
        }
        int equals = argument.indexOf('=');
        String key = equals < 0 ? argument.substring(2) : argument.substring(2, equals);
        List<String> values = new ArrayList<>();
        int next = at + 1;
        if (equals >= 0) {
            values.add(argument.substring(equals + 1));
        } else if (FLAGS.contains(key)) {
            values.add("true");
        } else {
            int most = key.equals(MODES) ? Integer.MAX_VALUE : 1;
            while (next < arguments.size()
                    && values.size() < most
                    && !arguments.get(next).startsWith("--")) {
                values.add(arguments.get(next++));
            }
        }
        keep(key, values);
        return next;
    }

    private void keep(String key, List<String> values) {
        if (!KNOWN.contains(key)) {
            warnings.add("the option --" + key + " is not known and is ignored");
        } else if (values.isEmpty()) {
            throw new UsageException("--" + key + ": has no value (expected: --" + key + "=VALUE)");
        } else {
            given.computeIfAbsent(key, _ -> new ArrayList<>()).addAll(values);
        }
    }

    List<String> warnings() {
        return List.copyOf(warnings);
    }

    /** Returns every value of an option, from the command line, else from the environment. */
    List<String> all(String key) {
        List<String> values = given.get(key);
        if (values != null) {
            return values;
        }
        String variable = "DEMOCRATIC_CSI_" + key.toUpperCase(Locale.ROOT).replace('-', '_');
        return Optional.ofNullable(environment.get(variable))
                .filter(value -> !value.isEmpty())
                .map(List::of)
                .orElse(List.of());
    }

    /** Returns whether a flag is on. */
    boolean flag(String key) {
        return switch (last(key).orElse("false").toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new UsageException("--" + key + ": '" + last(key).orElse("") + "' (expected: true or false)");
        };
    }

    /** Returns the last value of an option. */
    Optional<String> last(String key) {
        List<String> values = all(key);
        return values.isEmpty() ? Optional.empty() : Optional.of(values.getLast());
    }
}
