package dev.fairlead.testkit;

import dev.fairlead.application.config.ConfigValue;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.ConfigValue.Scalar;
import dev.fairlead.application.config.ConfigValue.Sequence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes configuration trees from Java values, and trees that differ from another in one place. */
public final class ConfigTrees {
    private ConfigTrees() {}

    /** Returns a tree of maps, lists, texts, numbers and booleans. */
    public static Mapping of(Map<String, ?> values) {
        Map<String, ConfigValue> entries = new LinkedHashMap<>();
        values.forEach((key, value) -> entries.put(key, value(value)));
        return new Mapping(entries, 1);
    }

    private static ConfigValue value(Object value) {
        return switch (value) {
            case ConfigValue tree -> tree;
            case Map<?, ?> map -> {
                Map<String, ConfigValue> entries = new LinkedHashMap<>();
                map.forEach((key, inner) -> entries.put(key.toString(), value(inner)));
                yield new Mapping(entries, 1);
            }
            case List<?> list ->
                new Sequence(list.stream().map(ConfigTrees::value).toList(), 1);
            case Boolean truth -> new Scalar(truth.toString(), Scalar.Type.BOOLEAN, 1);
            case Number number -> new Scalar(number.toString(), Scalar.Type.NUMBER, 1);
            default -> new Scalar(value.toString(), Scalar.Type.STRING, 1);
        };
    }

    /** Returns the same tree with another value at a dotted path, which is made if it is missing. */
    public static Mapping with(Mapping tree, String path, Object value) {
        Map<String, ConfigValue> entries = new LinkedHashMap<>(tree.entries());
        int dot = path.indexOf('.');
        if (dot < 0) {
            entries.put(path, value(value));
        } else {
            String head = path.substring(0, dot);
            Mapping inner = entries.get(head) instanceof Mapping map ? map : Mapping.EMPTY;
            entries.put(head, with(inner, path.substring(dot + 1), value));
        }
        return new Mapping(entries, tree.line());
    }

    /** Returns the same tree without what is at a dotted path. */
    public static Mapping without(Mapping tree, String path) {
        Map<String, ConfigValue> entries = new LinkedHashMap<>(tree.entries());
        int dot = path.indexOf('.');
        if (dot < 0) {
            entries.remove(path);
        } else if (entries.get(path.substring(0, dot)) instanceof Mapping inner) {
            entries.put(path.substring(0, dot), without(inner, path.substring(dot + 1)));
        }
        return new Mapping(entries, tree.line());
    }

    /** Returns whether a single value stands at the dotted path. */
    public static boolean isScalar(Mapping tree, String path) {
        int dot = path.indexOf('.');
        ConfigValue value = tree.entries().get(dot < 0 ? path : path.substring(0, dot));
        if (dot < 0) {
            return value instanceof Scalar;
        }
        return value instanceof Mapping inner && isScalar(inner, path.substring(dot + 1));
    }

    /** Returns the dotted path of everything in the tree, mappings and lists included, but not the items of lists. */
    public static List<String> paths(Mapping tree) {
        List<String> paths = new ArrayList<>();
        tree.entries().forEach((key, value) -> {
            paths.add(key);
            if (value instanceof Mapping inner) {
                paths(inner).forEach(path -> paths.add(key + "." + path));
            }
        });
        return paths;
    }
}
