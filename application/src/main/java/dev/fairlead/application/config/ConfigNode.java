package dev.fairlead.application.config;

import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.ConfigValue.Scalar;
import dev.fairlead.application.config.ConfigValue.Sequence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Reads typed values from one mapping of a configuration file.
 *
 * <p>Nothing here throws for a bad file: each problem goes to the {@link Problems}, with its path and line, and the
 * read returns its fallback, so that one pass finds everything. Keys that nobody read are reported by
 * {@link #reportUnread}.
 */
public final class ConfigNode {
    /** Lists the severities with which an unread key is reported. */
    public enum Unread {
        WARNING,
        ERROR
    }

    private final String path;
    private final Mapping mapping;
    private final Problems problems;
    private final Set<String> read = new TreeSet<>();
    private final Map<String, ConfigNode> children = new HashMap<>();
    private boolean strict;

    private ConfigNode(String path, Mapping mapping, Problems problems) {
        this.path = path;
        this.mapping = mapping;
        this.problems = problems;
    }

    public static ConfigNode root(Mapping mapping, Problems problems) {
        return new ConfigNode("", mapping, problems);
    }

    public String path() {
        return path;
    }

    public Problems problems() {
        return problems;
    }

    /** Returns whether both have the same keys and values on the same lines, whichever keys have been read. */
    public boolean saysTheSameAs(ConfigNode other) {
        return mapping.equals(other.mapping);
    }

    /** Returns whether the key has a value; {@code key:} and {@code key: ~} count as absent. */
    public boolean has(String key) {
        return value(key).isPresent();
    }

    public Set<String> keys() {
        return mapping.entries().keySet();
    }

    private Optional<ConfigValue> value(String key) {
        read.add(key);
        return Optional.ofNullable(mapping.entries().get(key))
                .filter(value -> !(value instanceof Scalar scalar && scalar.type() == Scalar.Type.NULL));
    }

    /**
     * Returns the scalar of a key, with text and type; empty if the key is absent, or is no scalar, which is a problem.
     */
    public Optional<Scalar> scalar(String key) {
        return value(key).flatMap(value -> switch (value) {
            case Scalar scalar -> Optional.of(scalar);
            case Sequence list -> wrongType(key, list, "a list", "a single value");
            case Mapping map -> wrongType(key, map, "a mapping", "a single value");
        });
    }

    private <T> Optional<T> wrongType(String key, ConfigValue value, String found, String expected) {
        problems.error(pathOf(key), value.line(), "is " + found, "expected: " + expected);
        return Optional.empty();
    }

    /** Returns the text of a scalar of any type: for a number, the number's text in the file. */
    public Optional<String> string(String key) {
        return scalar(key).map(Scalar::text);
    }

    public String string(String key, String fallback) {
        return string(key).orElse(fallback);
    }

    /** Returns the text of a scalar that has to be present; the empty text, and a problem, if it is missing. */
    public String require(String key, String remedy) {
        return require(key, Function.identity(), "", remedy);
    }

    /**
     * Returns the parsed scalar of a key that has to be present; the fallback, and a problem, if it is missing or the
     * parser throws IllegalArgumentException.
     */
    public <T> T require(String key, Function<String, T> parser, T fallback, String remedy) {
        Optional<Scalar> scalar = scalar(key);
        if (scalar.isEmpty()) {
            if (!mapping.entries().containsKey(key) || !has(key)) {
                problems.error(pathOf(key), lineOf(key), "is missing", remedy);
            }
            return fallback;
        }
        return parsed(key, scalar.get(), parser, remedy).orElse(fallback);
    }

    /**
     * Returns the parsed scalar of a key; empty if it is absent, or, with a problem, if the parser throws
     * IllegalArgumentException.
     */
    public <T> Optional<T> optional(String key, Function<String, T> parser, String remedy) {
        return scalar(key).flatMap(scalar -> parsed(key, scalar, parser, remedy));
    }

    private <T> Optional<T> parsed(String key, Scalar scalar, Function<String, T> parser, String remedy) {
        try {
            return Optional.of(parser.apply(scalar.text()));
        } catch (IllegalArgumentException e) {
            String why = e.getMessage();
            problems.error(pathOf(key), scalar.line(), why == null ? "is malformed" : why, remedy);
            return Optional.empty();
        }
    }

    /**
     * Returns a boolean, also if it is quoted, as users of democratic-csi write it; the fallback if it is absent or no
     * boolean.
     */
    public boolean bool(String key, boolean fallback) {
        return optional(
                        key,
                        text -> switch (text) {
                            case "true", "True", "TRUE" -> true;
                            case "false", "False", "FALSE" -> false;
                            default -> throw new IllegalArgumentException("'" + text + "' is not a boolean");
                        },
                        "expected: true or false")
                .orElse(fallback);
    }

    public int integer(String key, int fallback, int least, int most) {
        String expected = "expected: a whole number from " + least + " to " + most;
        return optional(
                        key,
                        text -> {
                            long number = WholeNumber.parse(text);
                            if (number < least || number > most) {
                                throw new IllegalArgumentException(number + " is out of range");
                            }
                            return (int) number;
                        },
                        expected)
                .orElse(fallback);
    }

    /** Returns a scalar as a secret; its text is never part of a problem. */
    public Optional<Secret> secret(String key) {
        return scalar(key).map(scalar -> new Secret(scalar.text()));
    }

    /** Returns the texts of a list of scalars; empty if the key is absent or is no list. */
    public List<String> strings(String key) {
        return value(key)
                .map(value -> switch (value) {
                    case Sequence list -> texts(key, list);
                    case Scalar scalar ->
                        this.<List<String>>wrongType(key, scalar, "a single value", "a list")
                                .orElse(List.of());
                    case Mapping map ->
                        this.<List<String>>wrongType(key, map, "a mapping", "a list")
                                .orElse(List.of());
                })
                .orElse(List.of());
    }

    private List<String> texts(String key, Sequence list) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < list.items().size(); i++) {
            ConfigValue item = list.items().get(i);
            if (item instanceof Scalar scalar) {
                texts.add(scalar.text());
            } else {
                problems.error(pathOf(key) + "[" + i + "]", item.line(), "is not a single value", "expected: a text");
            }
        }
        return texts;
    }

    /** Returns the texts of a mapping of scalars, in the order of the file. */
    public Map<String, String> stringMap(String key) {
        Map<String, String> result = new LinkedHashMap<>();
        ConfigNode child = child(key);
        for (String name : child.keys()) {
            child.string(name).ifPresent(text -> result.put(name, text));
        }
        return result;
    }

    /** Returns the mapping of a key; an empty one if it is absent or is no mapping. */
    public ConfigNode child(String key) {
        ConfigNode known = children.get(key);
        if (known != null) {
            return known;
        }
        Mapping map = value(key)
                .map(value -> switch (value) {
                    case Mapping m -> m;
                    case Sequence list ->
                        this.<Mapping>wrongType(key, list, "a list", "a mapping")
                                .orElse(Mapping.EMPTY);
                    case Scalar scalar ->
                        this.<Mapping>wrongType(key, scalar, "a single value", "a mapping")
                                .orElse(Mapping.EMPTY);
                })
                .orElse(Mapping.EMPTY);
        ConfigNode child = new ConfigNode(pathOf(key), map, problems);
        children.put(key, child);
        return child;
    }

    /** Returns the mapping of a key; an unknown key in it or below it is always an error. */
    public ConfigNode strictChild(String key) {
        ConfigNode child = child(key);
        child.strict = true;
        return child;
    }

    /** Returns the mappings of a list; empty if the key is absent or is no list. */
    public List<ConfigNode> children(String key) {
        List<ConfigNode> nodes = new ArrayList<>();
        value(key).ifPresent(value -> {
            if (!(value instanceof Sequence list)) {
                problems.error(pathOf(key), value.line(), "is not a list", "expected: a list of mappings");
                return;
            }
            for (int i = 0; i < list.items().size(); i++) {
                String itemKey = key + "[" + i + "]";
                if (list.items().get(i) instanceof Mapping map) {
                    nodes.add(children.computeIfAbsent(itemKey, k -> new ConfigNode(pathOf(k), map, problems)));
                } else {
                    problems.error(
                            pathOf(itemKey), list.items().get(i).line(), "is not a mapping", "expected: key: value");
                }
            }
        });
        return nodes;
    }

    /** Marks keys as known although nobody reads them here. */
    public void ignore(String... keys) {
        read.addAll(List.of(keys));
    }

    /**
     * Reports, in this node and the nodes read below it, every key that nobody read, with the nearest known one. A key
     * without a line is not reported: it is a default from the main file, which need not concern this connection.
     */
    public void reportUnread(Unread asked) {
        Unread how = strict ? Unread.ERROR : asked;
        mapping.entries().forEach((key, value) -> {
            if (read.contains(key) || value.line() == 0) {
                return;
            }
            String what = "unknown key";
            String remedy = Suggestion.nearest(key, read)
                    .map(near -> "did you mean " + near + "?")
                    .orElse("remove it");
            if (how == Unread.ERROR) {
                problems.error(pathOf(key), value.line(), what, remedy);
            } else {
                problems.warning(pathOf(key), value.line(), what, remedy);
            }
        });
        children.values().forEach(child -> child.reportUnread(how));
    }

    public int line() {
        return mapping.line();
    }

    public int lineOf(String key) {
        ConfigValue value = mapping.entries().get(key);
        return value == null ? mapping.line() : value.line();
    }

    public String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }
}
