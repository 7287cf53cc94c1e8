package dev.fairlead.bootstrap.config;

import dev.fairlead.application.config.ConfigValue;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.ConfigValue.Scalar;
import dev.fairlead.application.config.ConfigValue.Sequence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds the main file's defaults for every connection: all its keys but those about the process itself.
 *
 * <p>Mappings are merged key by key; any other default is replaced by the connection's value, a list as a whole, and
 * {@code key: ~} removes one. A default has line 0 in the connection, since it is from another file.
 */
public final class Defaults {
    public static final Defaults NONE = new Defaults(Mapping.EMPTY);

    private static final Set<String> OF_THE_PROCESS = Set.of("driver", "service", "proxy", "node", "instance_id");

    private final Mapping values;

    private Defaults(Mapping values) {
        this.values = values;
    }

    public static Defaults of(Mapping mainFile) {
        Map<String, ConfigValue> kept = new LinkedHashMap<>(mainFile.entries());
        kept.keySet().removeAll(OF_THE_PROCESS);
        return new Defaults((Mapping) placeless(new Mapping(kept, 0)));
    }

    /** Returns the connection's file, with these defaults for the keys that it does not have. */
    public Mapping under(Mapping connection) {
        return merge(values, connection);
    }

    private static Mapping merge(Mapping below, Mapping above) {
        Map<String, ConfigValue> merged = new LinkedHashMap<>(below.entries());
        above.entries()
                .forEach((key, value) -> merged.merge(
                        key,
                        value,
                        (low, high) -> low instanceof Mapping lower && high instanceof Mapping higher
                                ? merge(lower, higher)
                                : high));
        return new Mapping(merged, above.line());
    }

    private static ConfigValue placeless(ConfigValue value) {
        return switch (value) {
            case Scalar scalar -> new Scalar(scalar.text(), scalar.type(), 0);
            case Sequence list -> {
                List<ConfigValue> items = new ArrayList<>();
                list.items().forEach(item -> items.add(placeless(item)));
                yield new Sequence(items, 0);
            }
            case Mapping mapping -> {
                Map<String, ConfigValue> entries = new LinkedHashMap<>();
                mapping.entries().forEach((key, item) -> entries.put(key, placeless(item)));
                yield new Mapping(entries, 0);
            }
        };
    }
}
