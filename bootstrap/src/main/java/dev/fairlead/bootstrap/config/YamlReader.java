package dev.fairlead.bootstrap.config;

import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.InvalidConfigException;
import dev.fairlead.application.config.Problems;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * Reads a YAML file as js-yaml does. It throws nothing for a bad file: it reports problems, which show no value of the
 * file, since any value may be a secret.
 */
public final class YamlReader {
    /** The largest file in bytes, as much as a Kubernetes Secret holds. */
    public static final int MAX_BYTES = 1 << 20;

    private YamlReader() {}

    /**
     * Returns the file's mapping; empty, with the problems, if the file is too large, no YAML, or YAML of another form.
     */
    public static Optional<Mapping> read(byte[] bytes, Problems problems) {
        if (bytes.length > MAX_BYTES) {
            problems.error("", 0, "is larger than 1 MiB", "a connection is a page of text: split or shorten the file");
            return Optional.empty();
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return compose(text.startsWith("\uFEFF") ? text.substring(1) : text, problems);
        } catch (CharacterCodingException e) {
            problems.error("", 0, "is not UTF-8 text", "save the file as UTF-8");
            return Optional.empty();
        }
    }

    private static Optional<Mapping> compose(String text, Problems problems) {
        var options = new LoaderOptions();
        options.setCodePointLimit(MAX_BYTES);
        options.setNestingDepthLimit(Composer.MAX_DEPTH);
        try {
            Optional<Mapping> mapping =
                    new Composer(new ParserImpl(new StreamReader(text), options), problems).document();
            return problems.hasErrors() ? Optional.empty() : mapping;
        } catch (InvalidConfigException e) {
            return Optional.empty();
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
            String why = e.getProblem() == null ? "the syntax is broken" : e.getProblem();
            problems.error("", line, "is not YAML: " + why, "mend the syntax; quote texts with special characters");
        } catch (ReaderException e) {
            problems.error(
                    "",
                    lineOf(text, e.getPosition()),
                    "is not YAML: holds the character U+%04X".formatted(e.getCodePoint()),
                    "remove it, or write it as an escape in double quotes");
        } catch (YAMLException e) {
            problems.error("", 0, "is not YAML", "mend the syntax; quote texts with special characters");
        }
        return Optional.empty();
    }

    private static int lineOf(String text, int position) {
        int end = Math.min(Math.max(position, 0), text.length());
        return 1 + (int) text.substring(0, end).chars().filter(c -> c == '\n').count();
    }
}
