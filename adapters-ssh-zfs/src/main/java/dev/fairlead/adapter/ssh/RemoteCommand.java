package dev.fairlead.adapter.ssh;

import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.Command.Input;
import dev.fairlead.application.port.out.host.Command.Output;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.out.host.PosixShell;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.channel.exception.SshChannelOpenException;
import org.apache.sshd.common.util.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/** Runs one program on one channel of a session, from its start to its end. An instance is used once. */
final class RemoteCommand {
    private static final int ERRORS_KEPT = 64 << 10;
    private static final int CHUNK = 64 << 10;
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);
    private static final Duration LOOK = Duration.ofMillis(250);

    private final String connection;
    private final Command command;
    private final ClientSession session;
    private final ProgramChannel channel;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final BoundedText errors = new BoundedText(ERRORS_KEPT, () -> {});
    private final BoundedText output;
    private volatile boolean late;
    private volatile boolean abandoned;
    private volatile boolean outlived;
    private volatile boolean left;
    private boolean asked;

    RemoteCommand(String connection, Command command, ClientSession session) throws IOException {
        this.connection = connection;
        this.command = command;
        this.session = session;
        this.channel = ProgramChannel.on(session, PosixShell.line(command.argv()));
        int most = command.output() instanceof Output.Text(int bytes) ? bytes : 0;
        this.output = new BoundedText(most, () -> channel.close(true));
        channel.setErr(errors);
        if (command.output() instanceof Output.Text) {
            channel.setOut(output);
        }
        channel.addCloseFutureListener(_ -> closed.countDown());
    }

    /** The server gives no further channel, because it allows fewer than are used or none at all. */
    static final class NoChannel extends IOException {
        NoChannel(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * Starts the program. If this fails, the program has not run, since it is named to the server only once the channel
     * is open.
     *
     * @throws NoChannel if another channel may be available later
     * @throws IOException if the session has ended
     */
    void start(Duration patience) throws IOException {
        asked = true;
        try {
            channel.open().verify(patience);
        } catch (SshChannelOpenException e) {
            throw noChannel(e);
        } catch (InterruptedIOException e) {
            abandon();
            Thread.currentThread().interrupt();
            throw e;
        } catch (IOException e) {
            if (e.getCause() instanceof SshChannelOpenException refused) {
                throw noChannel(refused);
            }
            abandon();
            throw e;
        }
    }

    private NoChannel noChannel(SshChannelOpenException refused) {
        asked = false;
        return new NoChannel(refused.getMessage() == null ? "it gives no reason" : refused.getMessage(), refused);
    }

    /** Feeds the program, takes its output and waits for its end; from here on it may have had an effect. */
    Ended finish(Work work) {
        ScheduledExecutorService timer = session.getFactoryManager().getScheduledExecutorService();
        List<ScheduledFuture<?>> alarms = new ArrayList<>();
        alarms.add(timer.schedule(this::giveUp, command.deadline().toNanos(), TimeUnit.NANOSECONDS));
        if (command.isLasting()) {
            alarms.add(timer.scheduleWithFixedDelay(
                    () -> leaveAtTheEnd(work), LOOK.toNanos(), LOOK.toNanos(), TimeUnit.NANOSECONDS));
        }
        try {
            feed();
            take();
            closed.await();
        } catch (InterruptedException e) {
            abandon();
            Thread.currentThread().interrupt();
            throw unknown("this process no longer waited for its end", e);
        } finally {
            alarms.forEach(alarm -> alarm.cancel(false));
        }
        return ended();
    }

    /**
     * Leaves the command to the storage host, which goes on with it or notices that nobody listens, as after a session
     * that was cut.
     */
    private void leaveAtTheEnd(Work work) {
        try {
            work.checkEnding();
        } catch (StorageException _) {
            left = true;
            abandon();
        }
    }

    /**
     * Ends the wait for a program that takes too long: asks the server to kill it, which it may not do, and closes the
     * channel.
     */
    private void giveUp() {
        if (isEnded()) {
            // The program itself has ended, but a child of it still holds its output open.
            outlived = true;
            channel.close(true);
            return;
        }
        late = true;
        abandoned = true;
        try {
            Buffer kill = session.createBuffer(SshConstants.SSH_MSG_CHANNEL_REQUEST);
            kill.putUInt(channel.getRecipient());
            kill.putString("signal");
            kill.putBoolean(false);
            kill.putString("KILL");
            channel.writePacket(kill);
        } catch (IOException | RuntimeException _) {
            // Without the signal, the program ends when it notices that nobody reads its output.
        }
        channel.close(false).addListener(_ -> closed.countDown());
        var _ = session.getFactoryManager()
                .getScheduledExecutorService()
                .schedule(() -> channel.close(true), LAST_WORDS.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void feed() {
        try (OutputStream in = channel.getInvertedIn()) {
            switch (command.input()) {
                case Input.Nothing() -> {}
                case Input.Text(var secret) -> in.write(secret.reveal().getBytes(StandardCharsets.UTF_8));
                case Input.Bytes(InputStream from) -> pump(from, in);
            }
        } catch (InterruptedIOException e) {
            abandon();
            Thread.currentThread().interrupt();
            throw unknown("this process no longer waited for its end", e);
        } catch (IOException _) {
            // It ended before it had read all its input; its exit status says whether that is an error.
        }
    }

    private void pump(InputStream from, OutputStream in) throws IOException {
        byte[] chunk = new byte[CHUNK];
        for (int n = read(from, chunk); n >= 0; n = read(from, chunk)) {
            in.write(chunk, 0, n);
            in.flush();
        }
    }

    /**
     * Reads the next bytes of the source. If the source fails, the program is abandoned, so that it does not take the
     * failure for the end of its input.
     */
    private int read(InputStream from, byte[] chunk) {
        try {
            return from.read(chunk);
        } catch (IOException e) {
            abandon();
            throw unknown("what it was to read could not be read: " + SshFailures.detail(e), e);
        }
    }

    private void take() {
        if (!(command.output() instanceof Output.Bytes(OutputStream to))) {
            return;
        }
        byte[] chunk = new byte[CHUNK];
        try (InputStream said = channel.getInvertedOut()) {
            for (int n = said.read(chunk); n >= 0; n = said.read(chunk)) {
                write(to, chunk, n);
            }
        } catch (IOException _) {
            // The session has ended; {@code ended()} reports it, since there is no exit status.
        }
    }

    private void write(OutputStream to, byte[] chunk, int n) {
        try {
            to.write(chunk, 0, n);
        } catch (IOException e) {
            abandon();
            throw unknown("what it said could not be passed on: " + SshFailures.detail(e), e);
        }
    }

    private boolean isEnded() {
        return channel.getExitStatus() != null || channel.getExitSignal() != null;
    }

    /**
     * Returns whether the server may still have a channel open for the program: it was abandoned and may still run, or
     * it is not known whether the channel was ever opened. May be called only after {@linkplain #release its release}.
     */
    boolean holdsChannel() {
        return abandoned || output.overflowed() || (asked && !channel.isReturned());
    }

    private void abandon() {
        abandoned = true;
        channel.close(true);
    }

    private Ended ended() {
        if (late) {
            throw new StorageException(new Failure.TimedOut(connection, what(), command.deadline()));
        }
        if (output.overflowed()) {
            throw new StorageException(
                    new Failure.Unintelligible(connection, what() + " said more than " + command.output() + " allows"));
        }
        Integer status = channel.getExitStatus();
        Optional<String> signal = Optional.ofNullable(channel.getExitSignal());
        if (left && !channel.isReturned()) {
            throw unknown("this process ends, and no longer waits for it; a repeated call takes it up", null);
        }
        if (status == null && signal.isEmpty()) {
            throw unknown("the session ended before it did" + said(), null);
        }
        if (!channel.isReturned() && !outlived) {
            // A server may send the exit status before the last of the output.
            throw unknown("the session ended before all that it said had come" + said(), null);
        }
        return new Ended(status == null ? -1 : status, signal, output.text(), errors.text());
    }

    private String said() {
        String text = errors.text().strip();
        return text.isEmpty() ? "" : ", and it had said: " + SshFailures.detail(new IOException(text));
    }

    private String what() {
        return command.effect().kind() + " of " + command.effect().target();
    }

    private StorageException unknown(String detail, @Nullable Throwable cause) {
        return new StorageException(new Failure.OutcomeUnknown(connection, what(), detail), cause);
    }

    /** Waits until the server has closed its end of the channel, so that the next program does not find it taken. */
    void release() {
        try {
            channel.close(false).await(LAST_WORDS);
        } catch (IOException _) {
            // The thread is interrupted and does not wait.
        }
        channel.close(true);
    }
}
