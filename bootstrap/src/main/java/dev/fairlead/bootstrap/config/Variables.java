package dev.fairlead.bootstrap.config;

import dev.fairlead.application.config.ConfigValue;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.ConfigValue.Scalar;
import dev.fairlead.application.config.ConfigValue.Sequence;
import dev.fairlead.application.config.Problems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces <code>${NAME}</code> in the main file by the environment variable of that name.
 *
 * <p>A variable that is not set is an error, since no start is better than an empty password. <code>
 * $${NAME}</code> stands for itself. The bare form {@code $NAME} stays as it is: passwords hold it. Rules of the node's
 * topology are not changed, since their templates have a <code>${…}</code> of their own. Only values are expanded, not
 * keys, and an inserted value is not expanded again.
 */
public final class Variables {
    private static final Pattern REFERENCE = Pattern.compile("\\$(\\$?)\\{([A-Za-z_][A-Za-z0-9_]*)}");
    private static final Pattern BARE = Pattern.compile("\\$([A-Za-z_][A-Za-z0-9_]*)");
    private static final Set<String> UNTOUCHED =
            Set.of("proxy.nodeTopology.fromRegexp", "proxy.nodeTopology.customRules");

    private final Map<String, String> environment;
    private final Problems problems;

    public Variables(Map<String, String> environment, Problems problems) {
        this.environment = environment;
        this.problems = problems;
    }

    public Mapping expand(Mapping file) {
        return mapping(file, "");
    }

    private ConfigValue value(ConfigValue value, String path) {
        return switch (value) {
            case Scalar scalar -> scalar(scalar, path);
            case Mapping mapping -> mapping(mapping, path);
            case Sequence list -> {
                List<ConfigValue> items = new ArrayList<>();
                for (int i = 0; i < list.items().size(); i++) {
                    items.add(value(list.items().get(i), path + "[" + i + "]"));
                }
                yield new Sequence(items, list.line());
            }
        };
    }

    private Mapping mapping(Mapping mapping, String path) {
        Map<String, ConfigValue> entries = new LinkedHashMap<>();
        mapping.entries().forEach((key, value) -> {
            String keyPath = path.isEmpty() ? key : path + "." + key;
            entries.put(key, UNTOUCHED.contains(keyPath) ? value : value(value, keyPath));
        });
        return new Mapping(entries, mapping.line());
    }

    private Scalar scalar(Scalar scalar, String path) {
        if (scalar.text().indexOf('$') < 0) {
            return scalar;
        }
        warnOfBareForm(scalar, path);
        var expanded = new StringBuilder();
        Matcher matcher = REFERENCE.matcher(scalar.text());
        while (matcher.find()) {
            String name = matcher.group(2);
            boolean escaped = !matcher.group(1).isEmpty();
            String value = escaped ? "${" + name + "}" : environment.get(name);
            if (value == null) {
                problems.error(
                        path,
                        scalar.line(),
                        "the environment variable " + name + " is not set",
                        "set it, or write $${" + name + "} if this text itself is meant");
                value = "";
            }
            matcher.appendReplacement(expanded, Matcher.quoteReplacement(value));
        }
        return new Scalar(matcher.appendTail(expanded).toString(), scalar.type(), scalar.line());
    }

    private void warnOfBareForm(Scalar scalar, String path) {
        BARE.matcher(scalar.text())
                .results()
                .map(found -> found.group(1))
                .filter(environment::containsKey)
                .findFirst()
                .ifPresent(name -> problems.warning(
                        path,
                        scalar.line(),
                        "$" + name + " is not expanded",
                        "write ${" + name + "} if the variable's value is meant"));
    }
}
