package dev.fairlead.domain.topology;

import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.template.TopologyTemplate;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * One rule that finds a topology label of a node: a text, which has to match a regex as a whole, and a template that
 * makes the label's value of it.
 *
 * @param topologyKey the label's key, without the prefix
 * @param source where the text comes from
 */
public record NodeTopologyRule(String topologyKey, Source source, Pattern regex, TopologyTemplate template) {
    /** What a rule without a regex matches. */
    public static final String ANYTHING = "(.*)";

    private static final int MAX_REGEX_CHARS = 1024;

    /**
     * The rule of these settings.
     *
     * @throws IllegalArgumentException naming the setting that is wrong: {@code topologyKey}, {@code regex} or
     *     {@code template}
     */
    public static NodeTopologyRule of(String topologyKey, Source source, String regex, String template) {
        TopologyLabels.keyProblem(topologyKey).ifPresent(why -> {
            throw new IllegalArgumentException("topologyKey: " + why);
        });
        Pattern compiled = compile(regex);
        int groups = compiled.matcher("").groupCount();
        return new NodeTopologyRule(topologyKey, source, compiled, TopologyTemplate.parse(template, groups));
    }

    private static Pattern compile(String regex) {
        if (regex.length() > MAX_REGEX_CHARS) {
            throw new IllegalArgumentException("regex: is longer than " + MAX_REGEX_CHARS + " characters");
        }
        try {
            return Pattern.compile(regex);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "regex: " + Excerpt.of(regex) + " cannot be read, " + e.getDescription() + " at character "
                            + (e.getIndex() + 1),
                    e);
        }
    }

    /** Where the text of a rule comes from. */
    public sealed interface Source {
        Source NODE_NAME = new NodeName();
        Source HOSTNAME = new Hostname();

        /** The text; empty where this node has none. */
        Optional<String> read(NodeFacts facts);

        record NodeName() implements Source {
            @Override
            public Optional<String> read(NodeFacts facts) {
                return facts.nodeName();
            }

            @Override
            public String toString() {
                return "node name";
            }
        }

        record Hostname() implements Source {
            @Override
            public Optional<String> read(NodeFacts facts) {
                return facts.hostname();
            }

            @Override
            public String toString() {
                return "hostname";
            }
        }

        /** An environment variable of the driver. */
        record Env(String name) implements Source {
            @Override
            public Optional<String> read(NodeFacts facts) {
                return facts.env(name);
            }

            @Override
            public String toString() {
                return "environment variable " + name;
            }
        }

        /** A label of the node's own object in the orchestrator. */
        record Label(String name) implements Source {
            @Override
            public Optional<String> read(NodeFacts facts) {
                return facts.label(name);
            }

            @Override
            public String toString() {
                return "node label " + name;
            }
        }

        /** A whole file, without the blanks and line ends around its text. */
        record TextFile(String path) implements Source {
            @Override
            public Optional<String> read(NodeFacts facts) {
                return facts.file(path).map(String::strip);
            }

            @Override
            public String toString() {
                return "file " + path;
            }
        }
    }
}
