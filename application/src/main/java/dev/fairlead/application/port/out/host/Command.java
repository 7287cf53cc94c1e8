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
 * Describes a program to run and its arguments, which reach it unchanged. A secret goes to its input, since every user
 * of the host can see arguments.
 *
 * @param effect the change that it makes, for the log and the metrics
 * @param deadline how long the caller waits for its end
 * @param untilGone whether a program of this machine that is killed at its deadline is waited for until it is gone
 */
public record Command(
        Effect effect, List<String> argv, Input input, Output output, Duration deadline, boolean untilGone) {
    /** The usual deadline, long enough on a busy storage host for a program that moves no data. */
    public static final Duration USUAL_DEADLINE = Duration.ofMinutes(2);

    /** The usual limit of the output in bytes, far more than a program writes that works on one object. */
    public static final int USUAL_OUTPUT = 1 << 20;

    /** The patience with a command that moves data, for hours or days. */
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

    /** Makes a command without input whose output is a short text, with the usual deadline. */
    public static Command of(Effect effect, List<String> argv) {
        return new Command(effect, argv, new Input.Nothing(), new Output.Text(USUAL_OUTPUT), USUAL_DEADLINE, false);
    }

    public Command reading(Input from) {
        return new Command(effect, argv, from, output, deadline, untilGone);
    }

    public Command writing(Output to) {
        return new Command(effect, argv, input, to, deadline, untilGone);
    }

    public Command within(Duration limit) {
        return new Command(effect, argv, input, output, limit, untilGone);
    }

    /**
     * Returns the same program for a thread that can be left behind: one that waits in the kernel cannot be killed, and
     * this thread stands for it as long as it is there. Programs of another machine do not heed this.
     */
    public Command awaitedUntilGone() {
        return new Command(effect, argv, input, output, deadline, true);
    }

    /** Says whether it may take so long that others, and the end of this process, are not to wait for it. */
    public boolean isLasting() {
        return deadline.compareTo(LASTING) > 0;
    }

    /** Throws IllegalArgumentException if no program can be given this word: it has a NUL or an unpaired surrogate. */
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

    /** Supplies the program's standard input. */
    public sealed interface Input {
        record Nothing() implements Input {}

        record Text(Secret text) implements Input {}

        /**
         * The input is the whole stream, which stays open; if reading it fails, the program is not told that it has
         * ended.
         */
        record Bytes(InputStream from) implements Input {}
    }

    /** Receives the program's standard output. */
    public sealed interface Output {
        /** @param mostBytes the limit; longer output is refused as unintelligible */
        record Text(int mostBytes) implements Output {}

        /** The output goes to the stream as it comes; the stream stays open. */
        record Bytes(OutputStream to) implements Output {}
    }
}
