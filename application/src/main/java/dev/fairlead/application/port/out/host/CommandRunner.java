package dev.fairlead.application.port.out.host;

import dev.fairlead.application.port.work.Work;
import java.util.Optional;

/**
 * Runs programs on a storage host: this machine, or one that is reached over SSH. Used by many threads at once.
 *
 * <p>The caller learns one of three things: how the program ended, that it was certainly not started, or that it was
 * started and its end was not seen. The last is never taken for success.
 */
public interface CommandRunner extends AutoCloseable {
    /**
     * Runs a program to its end, as one effect of the work. Until it starts, a caller that goes away is noticed; from
     * then on the command's own deadline alone ends the wait; that for a {@linkplain Command#isLasting lasting} one
     * ends also if this process is about to end.
     *
     * @return how it ended; a code other than 0 is for the caller to judge
     * @throws dev.fairlead.domain.failure.StorageException {@code BackendUnavailable} or {@code BackendRejected} if it
     *     was certainly not started; {@code OutcomeUnknown} or {@code TimedOut} if it was started and its end was not
     *     seen; {@code Unintelligible} if it wrote more than the command allows
     */
    Ended run(Command command, Work work);

    /** Closes the connection to the host. Commands that still run end as {@code OutcomeUnknown}. */
    @Override
    void close();

    /**
     * Describes how a program ended.
     *
     * @param signal the signal that killed it, without {@code SIG}
     * @param output what it wrote on its standard output; empty if that went to a stream
     * @param errors what it wrote on its standard error, only the beginning if that is long
     */
    record Ended(int exitCode, Optional<String> signal, String output, String errors) {
        public static Ended with(int exitCode, String output, String errors) {
            return new Ended(exitCode, Optional.empty(), output, errors);
        }

        public boolean succeeded() {
            return exitCode == 0 && signal.isEmpty();
        }

        /** Returns the exit code or signal in words, followed by what it wrote on its standard error, if anything. */
        public String trouble() {
            String how = signal.map(name -> "killed by signal " + name).orElse("exit code " + exitCode);
            String said = errors.strip();
            return said.isEmpty() ? how : how + ", " + said;
        }
    }
}
