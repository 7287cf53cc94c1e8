package dev.fairlead.lab;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** A whole document for comparison, where the order of lists means nothing, as in a volume's node affinity. */
final class AnyOrder {
    private AnyOrder() {}

    /** @param text YAML, or JSON, without empty values */
    static Object parse(String text) {
        Object document = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
        return document == null ? "nothing" : loose(document);
    }

    private static Object loose(Object node) {
        return switch (node) {
            case Map<?, ?> map ->
                map.entrySet().stream().collect(toMap(Map.Entry::getKey, entry -> loose(entry.getValue())));
            case List<?> list ->
                list.stream().map(AnyOrder::loose).collect(groupingBy(Function.identity(), counting()));
            default -> node;
        };
    }
}
