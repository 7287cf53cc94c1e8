package dev.fairlead.bootstrap.config;

import dev.fairlead.application.config.ConfigValue;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.ConfigValue.Scalar;
import dev.fairlead.application.config.ConfigValue.Sequence;
import dev.fairlead.application.config.InvalidConfigException;
import dev.fairlead.application.config.Problems;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.Event.ID;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.parser.Parser;

/**
 * Builds the tree of one document from its events.
 *
 * <p>A few lines of aliases can stand for billions of values, so what aliases repeat is counted and bounded.
 */
final class Composer {
    static final int MAX_DEPTH = 64;
    static final int MAX_REPEATED = 20_000;

    /** @param size how many values it holds, itself included, every alias counted as what it stands for */
    private record Sized(ConfigValue value, int size) {}

    private final Parser parser;
    private final Problems problems;
    private final Map<String, Sized> anchors = new HashMap<>();
    private int repeated;

    Composer(Parser parser, Problems problems) {
        this.parser = parser;
        this.problems = problems;
    }

    Optional<Mapping> document() {
        parser.getEvent();
        if (parser.checkEvent(ID.StreamEnd)) {
            throw stop(0, "is empty", "write at least driver: <type>");
        }
        parser.getEvent();
        ConfigValue root = value(0).value();
        parser.getEvent();
        if (!parser.checkEvent(ID.StreamEnd)) {
            throw stop(line(parser.peekEvent()), "holds a second document", "one file is one document: remove '---'");
        }
        return switch (root) {
            case Mapping mapping -> Optional.of(mapping);
            case Scalar scalar
            when scalar.type() == Scalar.Type.NULL -> throw stop(0, "is empty", "write at least driver: <type>");
            case Scalar scalar -> throw stop(scalar.line(), "is a single value", "expected: key: value");
            case Sequence list -> throw stop(list.line(), "is a list", "expected: key: value");
        };
    }

    private Sized value(int depth) {
        Event event = parser.getEvent();
        if (depth > MAX_DEPTH) {
            throw stop(line(event), "is nested deeper than " + MAX_DEPTH, "flatten it");
        }
        if (event instanceof AliasEvent alias) {
            return repeat(alias);
        }
        Sized made = switch (event) {
            case ScalarEvent scalar -> new Sized(scalar(scalar), 1);
            case SequenceStartEvent start -> sequence(start, depth);
            case MappingStartEvent start -> mapping(start, depth);
            default -> throw stop(line(event), "is not YAML", "mend the syntax");
        };
        String anchor = ((NodeEvent) event).getAnchor();
        if (anchor != null) {
            anchors.put(anchor, made);
        }
        return made;
    }

    private Sized repeat(AliasEvent alias) {
        Sized anchored = anchors.get(alias.getAnchor());
        if (anchored == null) {
            throw stop(
                    line(alias),
                    "an alias refers to an anchor that is not defined before it",
                    "define the anchor first, or quote a text that starts with '*'");
        }
        repeated += anchored.size();
        if (repeated > MAX_REPEATED) {
            throw stop(line(alias), "aliases repeat more than " + MAX_REPEATED + " values", "use fewer aliases");
        }
        return anchored;
    }

    private Scalar scalar(ScalarEvent event) {
        String tag = event.getTag();
        int line = line(event);
        if (tag == null) {
            Scalar.Type type = event.isPlain() ? CoreSchema.typeOf(event.getValue()) : Scalar.Type.STRING;
            return new Scalar(event.getValue(), type, line);
        }
        Scalar.Type type = switch (tag) {
            case "!", "tag:yaml.org,2002:str" -> Scalar.Type.STRING;
            case "tag:yaml.org,2002:int", "tag:yaml.org,2002:float" -> Scalar.Type.NUMBER;
            case "tag:yaml.org,2002:bool" -> Scalar.Type.BOOLEAN;
            case "tag:yaml.org,2002:null" -> Scalar.Type.NULL;
            case "tag:yaml.org,2002:timestamp" -> Scalar.Type.TIMESTAMP;
            default -> throw unknownTag(line);
        };
        if (type != Scalar.Type.STRING && CoreSchema.typeOf(event.getValue()) != type) {
            throw stop(line, "a value is not of the type that its tag says", "remove the tag");
        }
        return new Scalar(event.getValue(), type, line);
    }

    private Sized sequence(SequenceStartEvent start, int depth) {
        if (start.getTag() != null && !start.getTag().equals("tag:yaml.org,2002:seq")) {
            throw unknownTag(line(start));
        }
        List<ConfigValue> items = new ArrayList<>();
        int size = 1;
        while (!parser.checkEvent(ID.SequenceEnd)) {
            Sized item = value(depth + 1);
            items.add(item.value());
            size += item.size();
        }
        parser.getEvent();
        return new Sized(new Sequence(items, line(start)), size);
    }

    private Sized mapping(MappingStartEvent start, int depth) {
        if (start.getTag() != null && !start.getTag().equals("tag:yaml.org,2002:map")) {
            throw unknownTag(line(start));
        }
        Map<String, ConfigValue> entries = new LinkedHashMap<>();
        Map<String, ConfigValue> merged = new LinkedHashMap<>();
        int size = 1;
        while (!parser.checkEvent(ID.MappingEnd)) {
            boolean merge = parser.peekEvent() instanceof ScalarEvent key
                    && key.isPlain()
                    && key.getTag() == null
                    && key.getValue().equals("<<");
            Scalar key = key(depth);
            Sized value = value(depth + 1);
            size += value.size();
            if (merge) {
                merge(merged, value.value(), key.line());
            } else if (entries.putIfAbsent(key.text(), value.value()) != null) {
                problems.error(key.text(), key.line(), "stands twice in one mapping", "keep one of the two");
            }
        }
        parser.getEvent();
        merged.forEach(entries::putIfAbsent);
        return new Sized(new Mapping(entries, line(start)), size);
    }

    private Scalar key(int depth) {
        Event event = parser.peekEvent();
        if (value(depth + 1).value() instanceof Scalar scalar) {
            return scalar;
        }
        throw stop(line(event), "a key is not a single value", "expected: key: value");
    }

    /**
     * Adds the keys that {@code <<} merges; those of an earlier merge win over later ones, and the mapping's own keys
     * over both.
     */
    private void merge(Map<String, ConfigValue> merged, ConfigValue value, int line) {
        switch (value) {
            case Mapping mapping -> mapping.entries().forEach(merged::putIfAbsent);
            case Sequence list
            when list.items().stream().allMatch(Mapping.class::isInstance) ->
                list.items().forEach(item -> merge(merged, item, line));
            case Sequence _, Scalar _ ->
                throw stop(line, "'<<' merges what is not a mapping", "expected: << with one or more mappings");
        }
    }

    private InvalidConfigException unknownTag(int line) {
        return stop(line, "a value has a tag that is not one of YAML's own", "quote a text that starts with '!'");
    }

    private InvalidConfigException stop(int line, String what, String remedy) {
        problems.error("", line, what, remedy);
        return new InvalidConfigException(problems.all());
    }

    private static int line(Event event) {
        return event.getStartMark().getLine() + 1;
    }
}
