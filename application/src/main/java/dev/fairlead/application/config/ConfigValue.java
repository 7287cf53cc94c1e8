package dev.fairlead.application.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds a value of a parsed configuration file, with its line. Scalars keep their text, so that {@code 0777} can be
 * read as a mode.
 */
public sealed interface ConfigValue {
    /** Returns the line in the file, from 1; 0 if the value is not from this file. */
    int line();

    /** Holds a scalar by the YAML 1.2 core schema. */
    record Scalar(String text, Type type, int line) implements ConfigValue {
        /** Lists the types that an unquoted scalar resolves to. Quoted ones are strings. */
        public enum Type {
            STRING,
            NUMBER,
            BOOLEAN,
            NULL,
            TIMESTAMP
        }
    }

    record Sequence(List<ConfigValue> items, int line) implements ConfigValue {
        public Sequence {
            items = List.copyOf(items);
        }
    }

    /** Holds a mapping, with its keys in the order of the file. */
    record Mapping(Map<String, ConfigValue> entries, int line) implements ConfigValue {
        public static final Mapping EMPTY = new Mapping(Map.of(), 0);

        public Mapping {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }
    }
}
