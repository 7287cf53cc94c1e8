package dev.fairlead.application.port.out.host;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.work.Effect;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * A program and its arguments, each a word that reaches it as it is. A secret goes to its input: arguments are seen by
 * every user of the host.
 *
 * @param effect what it does, for the log and the metrics
 * @param deadline after which its end is no longer waited for
 */
public record Command(Effect effect, List<String> argv, Input input, Output output, Duration deadline) {
    /** Long enough for what works on names alone, on a storage host that is busy. */
    public static final Duration USUAL_DEADLINE = Duration.ofMinutes(2);

    /** Far more than a program says that works on one thing. */
    public static final int USUAL_OUTPUT = 1 << 20;

    /** What may take longer moves data, for hours or days. */
    private static final Duration LASTING = Duration.ofHours(1);

    public Command {
        argv = List.copyOf(argv);
        if (argv.isEmpty() || argv.getFirst().isEmpty()) {
            throw new IllegalArgumentException("argv: " + argv + " (expected: a program)");
        }
        argv.forEach(Command::checkPassable);
        if (input instanceof Input.Bytes && output instanceof Output.Bytes) {
            throw new IllegalArgumentException("input and output are streams (expected: one of them at most)");
        }
    }

    /** A program without input whose output is a short text. */
    public static Command of(Effect effect, List<String> argv) {
        return new Command(effect, argv, new Input.Nothing(), new Output.Text(USUAL_OUTPUT), USUAL_DEADLINE);
    }

    public Command reading(Input from) {
        return new Command(effect, argv, from, output, deadline);
    }

    public Command writing(Output to) {
        return new Command(effect, argv, input, to, deadline);
    }

    public Command within(Duration limit) {
        return new Command(effect, argv, input, output, limit);
    }

    /** Whether it may take so long that others, and the end of this process, are not to wait for it. */
    public boolean isLasting() {
        return deadline.compareTo(LASTING) > 0;
    }

    /** What no program can be given, however it is written. */
    private static void checkPassable(String word) {
        if (word.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("argv: a word with a NUL (expected: none)");
        }
        try {
            StandardCharsets.UTF_8.newEncoder().encode(java.nio.CharBuffer.wrap(word));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("argv: a word with half a character (expected: whole ones)", e);
        }
    }

    /** What the program reads. */
    public sealed interface Input {
        record Nothing() implements Input {}

        record Text(Secret text) implements Input {}

        /** All of the stream, which stays open; where reading it fails the program is not told that it has ended. */
        record Bytes(InputStream from) implements Input {}
    }

    /** Where that goes which the program writes. */
    public sealed interface Output {
        /** @param mostBytes more is no answer */
        record Text(int mostBytes) implements Output {}

        /** As it comes, into a stream, which stays open. */
        record Bytes(OutputStream to) implements Output {}
    }
}
