package dev.fairlead.domain.topology;

import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.template.TopologyTemplate;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A rule finds one topology label of a node: a text has to match a regex as a whole, and a template makes the label's
 * value from the match.
 *
 * @param topologyKey the label's key, without the prefix
 * @param source the source of the text
 */
public record NodeTopologyRule(String topologyKey, TextSource source, Pattern regex, TopologyTemplate template) {
    /** The regex of a rule that gives none. */
    public static final String ANYTHING = "(.*)";

    private static final int MAX_REGEX_CHARS = 1024;

    /**
     * Creates the rule of these settings.
     *
     * @throws IllegalArgumentException naming the setting that is wrong: {@code topologyKey}, {@code regex} or
     *     {@code template}
     */
    public static NodeTopologyRule of(String topologyKey, TextSource source, String regex, String template) {
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

    /** A source says from where a rule takes its text. */
    public sealed interface TextSource {
        TextSource NODE_NAME = new NodeName();
        TextSource HOSTNAME = new Hostname();

        /** Returns the text; empty if this node has none. */
        Optional<String> read(NodeFacts facts);

        record NodeName() implements TextSource {
            @Override
            public Optional<String> read(NodeFacts facts) {
                return facts.nodeName();
            }

            @Override
            public String toString() {
                return "node name";
            }
        }

        record Hostname() implements TextSource {
            @Override
            public Optional<String> read(NodeFacts facts) {
                return facts.hostname();
            }

            @Override
            public String toString() {
                return "hostname";
            }
        }

        /** Reads an environment variable of the driver. */
        record Env(String name) implements TextSource {
            @Override
            public Optional<String> read(NodeFacts facts) {
                return facts.env(name);
            }

            @Override
            public String toString() {
                return "environment variable " + name;
            }
        }

        /** Reads a label of the node's own object in the orchestrator. */
        record Label(String name) implements TextSource {
            @Override
            public Optional<String> read(NodeFacts facts) {
                return facts.label(name);
            }

            @Override
            public String toString() {
                return "node label " + name;
            }
        }

        /** Reads a whole file, without the blanks and line ends around its text. */
        record TextFile(String path) implements TextSource {
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
