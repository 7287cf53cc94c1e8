package dev.fairlead.adapter.local.host;

import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.Command.Input;
import dev.fairlead.application.port.out.host.Command.Output;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs one program from its start to its end, with a thread for each of its three streams. An instance is used once.
 */
final class LocalProcess {
    private static final int ERRORS_KEPT = 64 << 10;
    private static final int CHUNK = 64 << 10;
    private static final int STREAMS = 3;
    /** The time to read what is still in the pipes; a child that keeps them open is not waited for longer. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private static final Duration LOOK = Duration.ofMillis(250);

    private final String connection;
    private final Command command;
    private final ThreadFactory threads;
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private final AtomicReference<Optional<Failure>> broken = new AtomicReference<>(Optional.empty());
    private final AtomicReference<Optional<Process>> started = new AtomicReference<>(Optional.empty());
    private final CountDownLatch streams = new CountDownLatch(STREAMS);
    private final CountDownLatch said = new CountDownLatch(1);
    private volatile boolean abandoned;

    LocalProcess(String connection, Command command, ThreadFactory threads) {
        this.connection = connection;
        this.command = command;
        this.threads = threads;
    }

    /** Handles one stream, and may block for as long as the program runs. */
    private interface Part {
        void run() throws IOException;
    }

    Ended run(Process process, Work work) {
        started.set(Optional.of(process));
        if (abandoned) {
            kill(process);
        }
        beside(() -> feed(process.getOutputStream()));
        beside(() -> {
            try {
                take(process.getInputStream());
            } finally {
                said.countDown();
            }
        });
        beside(() -> keep(process.getErrorStream(), errors, ERRORS_KEPT, false));
        long end = System.nanoTime() + command.deadline().toNanos();
        try {
            if (!awaitEnd(process, end, work) || !isPassedOn(end)) {
                kill(process);
                if (command.untilGone()) {
                    process.waitFor();
                }
                throw new StorageException(new Failure.TimedOut(connection, what(), command.deadline()));
            }
            streams.await(LAST_WORDS.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            kill(process);
            Thread.currentThread().interrupt();
            throw new StorageException(unknown("this process no longer waited for its end"), e);
        }
        return ended(process.exitValue());
    }

    /**
     * Returns whether the program ended in time; one that lasts is no longer waited for if this process is about to
     * end.
     */
    private boolean awaitEnd(Process process, long end, Work work) throws InterruptedException {
        long left = end - System.nanoTime();
        while (command.isLasting() && left > LOOK.toNanos()) {
            if (process.waitFor(LOOK.toNanos(), TimeUnit.NANOSECONDS)) {
                return true;
            }
            leaveAtTheEnd(process, work);
            left = end - System.nanoTime();
        }
        return process.waitFor(left, TimeUnit.NANOSECONDS);
    }

    private void leaveAtTheEnd(Process process, Work work) {
        try {
            work.checkEnding();
        } catch (StorageException e) {
            kill(process);
            throw new StorageException(
                    unknown("this process ends, and no longer waits for it; a repeated call begins it anew"), e);
        }
    }

    /**
     * Returns whether the output was passed on in time; of a stream all of it is needed, however slow its receiver is.
     */
    private boolean isPassedOn(long end) throws InterruptedException {
        return !(command.output() instanceof Output.Bytes) || said.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private Ended ended(int exitCode) {
        Optional<Failure> trouble = broken.get();
        if (trouble.isPresent()) {
            throw new StorageException(trouble.get());
        }
        if (abandoned) {
            throw new StorageException(unknown("it was let go of"));
        }
        return Ended.with(exitCode, text(output), text(errors));
    }

    private static String text(ByteArrayOutputStream bytes) {
        synchronized (bytes) {
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }

    private void beside(Part part) {
        threads.newThread(() -> {
                    try {
                        part.run();
                    } catch (IOException _) {
                        // The program has ended, and its exit code tells the result.
                    } finally {
                        streams.countDown();
                    }
                })
                .start();
    }

    private void feed(OutputStream in) throws IOException {
        try (in) {
            switch (command.input()) {
                case Input.Nothing() -> {}
                case Input.Text(var secret) -> in.write(secret.reveal().getBytes(StandardCharsets.UTF_8));
                case Input.Bytes(InputStream from) -> pump(from, in);
            }
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
     * Reads the next bytes of the source. If the source fails, the program is killed, so that it does not take the
     * failure for the end of its input.
     */
    private int read(InputStream from, byte[] chunk) throws IOException {
        try {
            return from.read(chunk);
        } catch (IOException e) {
            fail(unknown("what it was to read could not be read: " + e.getMessage()));
            throw e;
        }
    }

    private void take(InputStream said) throws IOException {
        switch (command.output()) {
            case Output.Text(int most) -> keep(said, output, most, true);
            case Output.Bytes(OutputStream to) -> passOn(said, to);
        }
    }

    private void passOn(InputStream said, OutputStream to) throws IOException {
        byte[] chunk = new byte[CHUNK];
        for (int n = said.read(chunk); n >= 0; n = said.read(chunk)) {
            try {
                to.write(chunk, 0, n);
            } catch (IOException e) {
                fail(unknown("what it said could not be passed on: " + e.getMessage()));
                return;
            }
        }
    }

    /** Reads to the end, so that the program does not block, and keeps the beginning. */
    private void keep(InputStream said, ByteArrayOutputStream kept, int most, boolean allIsNeeded) throws IOException {
        byte[] chunk = new byte[CHUNK];
        for (int n = said.read(chunk); n >= 0; n = said.read(chunk)) {
            boolean tooMuch;
            synchronized (kept) {
                int room = most - kept.size();
                kept.write(chunk, 0, Math.min(room, n));
                tooMuch = n > room;
            }
            if (tooMuch && allIsNeeded) {
                fail(new Failure.Unintelligible(connection, what() + " said more than " + most + " bytes"));
                return;
            }
        }
    }

    private void fail(Failure why) {
        broken.compareAndSet(Optional.empty(), Optional.of(why));
        started.get().ifPresent(LocalProcess::kill);
    }

    /** Kills the program; a caller that waits for it is told that the outcome is unknown. */
    void abandon() {
        abandoned = true;
        started.get().ifPresent(LocalProcess::kill);
    }

    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private String what() {
        return command.effect().kind() + " of " + command.effect().target();
    }

    private Failure unknown(String detail) {
        return new Failure.OutcomeUnknown(connection, what(), detail);
    }
}
