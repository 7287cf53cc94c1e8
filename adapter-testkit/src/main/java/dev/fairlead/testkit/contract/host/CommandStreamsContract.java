package dev.fairlead.testkit.contract.host;

import static dev.fairlead.testkit.contract.host.CommandRunnerSubject.command;
import static dev.fairlead.testkit.contract.host.CommandRunnerSubject.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.host.Command.Input;
import dev.fairlead.application.port.out.host.Command.Output;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.Failing;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Tests what a program reads and writes: nothing, a secret, a text of bounded length, a stream of any length. */
public interface CommandStreamsContract extends CommandRunnerSubject {
    int LARGE = 5 << 20;

    @Test
    default void without_input_a_program_reads_the_end_at_once() {
        assertThat(run(command("/bin/cat"))).isEqualTo(Ended.with(0, "", ""));
    }

    @Test
    default void a_secret_reaches_a_program_by_its_input() {
        Ended ended = run(command("/bin/cat").reading(new Input.Text(new Secret("s3cret\n'ü"))));

        assertThat(ended.output()).isEqualTo("s3cret\n'ü");
    }

    @Test
    default void input_that_a_program_does_not_read_is_no_failure() {
        Ended ended = run(command("/bin/true").reading(new Input.Bytes(new ByteArrayInputStream(large()))));

        assertThat(ended.succeeded()).isTrue();
    }

    @Test
    default void a_stream_reaches_a_program_whole() {
        byte[] bytes = large();

        Ended ended = run(shell("cksum").reading(new Input.Bytes(new ByteArrayInputStream(bytes))));

        assertThat(ended.output())
                .endsWith(" " + LARGE + "\n")
                .isEqualTo(run(shellOf(bytes)).output());
    }

    private static dev.fairlead.application.port.out.host.Command shellOf(byte[] bytes) {
        return command("/usr/bin/cksum").reading(new Input.Bytes(new ByteArrayInputStream(bytes)));
    }

    @Test
    default void a_stream_comes_from_a_program_whole() {
        ByteArrayOutputStream got = new ByteArrayOutputStream();

        Ended ended = run(shell("head -c " + LARGE + " /dev/zero; echo end").writing(new Output.Bytes(got)));

        assertThat(ended).isEqualTo(Ended.with(0, "", ""));
        assertThat(got.size()).isEqualTo(LARGE + 4);
        assertThat(got.toByteArray()).endsWith('e', 'n', 'd', '\n');
    }

    @Test
    default void output_of_more_than_was_allowed_is_no_answer() {
        Failing.with(
                Failure.Unintelligible.class,
                () -> run(shell("head -c 2000 /dev/zero").writing(new Output.Text(1000))));
    }

    @Test
    default void errors_without_end_do_not_fill_the_memory() {
        Ended ended = run(shell("head -c " + LARGE + " /dev/zero >&2; echo done"));

        assertThat(ended.output()).isEqualTo("done\n");
        assertThat(ended.errors().length()).isLessThan(1 << 17);
    }

    /**
     * Checks that a source that fails is not taken for the end of the input, or a receiver would keep half of what was
     * sent.
     */
    @Test
    default void a_source_that_fails_is_no_end_of_input() {
        InputStream failing = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("the sender is gone");
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                return read();
            }
        };

        Failing.with(
                Failure.OutcomeUnknown.class, () -> run(shell("cat >/dev/null").reading(new Input.Bytes(failing))));
    }

    @Test
    default void a_sink_that_fails_is_no_success() {
        OutputStream failing = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("the receiver is gone");
            }
        };

        Failing.with(
                Failure.OutcomeUnknown.class,
                () -> run(shell("head -c 100000 /dev/zero").writing(new Output.Bytes(failing))));
    }

    private static byte[] large() {
        byte[] bytes = new byte[LARGE];
        new Random(7).nextBytes(bytes);
        return bytes;
    }

    /**
     * Checks that all output is passed on before the call returns, even if the reader of a copy is held up longer than
     * the program runs.
     */
    @Test
    default void the_last_of_a_stream_has_been_passed_on_when_the_end_is_told() {
        ByteArrayOutputStream taken = new ByteArrayOutputStream();

        run(shell("head -c 40000 /dev/zero; head -c 100 /dev/zero | tr '\\0' x")
                .writing(new Output.Bytes(new Slow(taken))));

        assertThat(taken.toByteArray()).hasSize(40_100).endsWith('x');
    }

    /** Waits 2.5 seconds before it passes on the first piece. */
    final class Slow extends OutputStream {
        private final OutputStream to;
        private boolean begun;

        Slow(OutputStream to) {
            this.to = to;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (!begun) {
                begun = true;
                LockSupport.parkNanos(Duration.ofMillis(2_500).toNanos());
            }
            to.write(bytes, offset, length);
        }
    }
}
