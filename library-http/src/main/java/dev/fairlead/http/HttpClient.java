package dev.fairlead.http;

import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.Reader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks one server, again if that is safe.
 *
 * <p>A request that the server surely did not carry out may always be sent again; one that it perhaps did (no answer, a
 * server's error) only if doing it twice has the effect of doing it once. All attempts together end within the given
 * patience.
 *
 * @param <A> the type of the adapter's answers
 */
public final class HttpClient<A> {
    /** The backoff for a server that is asked while a caller waits. */
    public static final Backoff USUAL_BACKOFF = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));

    private static final Logger log = LoggerFactory.getLogger(HttpClient.class);
    private static final Duration LEAST = Duration.ofMillis(1);

    private final String name;
    private final Exchange exchange;
    private final AnswerReader<A> reader;
    private final HttpFailures failures;
    private final Backoff backoff;

    /**
     * @param name the name of the kind of server, for the log
     * @throws StorageException {@link HttpFailures#unusable} if the settings cannot be used
     */
    public HttpClient(
            String name, HttpSettings settings, AnswerReader<A> reader, HttpFailures failures, Backoff backoff) {
        this.name = name;
        this.exchange = new Exchange(settings, failures);
        this.reader = reader;
        this.failures = failures;
        this.backoff = backoff;
    }

    /**
     * Asks as part of a piece of work: no longer than its caller waits, and by an effect of its own if the request
     * changes anything.
     *
     * @param most the patience with one request, however long the caller waits
     */
    public A ask(HttpRequest request, Work work, Duration most) {
        Duration left = work.left();
        Duration patience = left.isPositive() && left.compareTo(most) < 0 ? left : most;
        if (request.method().isSafe()) {
            work.checkCancelled();
            return ask(request, patience);
        }
        List<A> answers = new ArrayList<>(1);
        work.effect(new Effect(request.method().word(), request.place()), () -> answers.add(ask(request, patience)));
        return answers.getFirst();
    }

    /**
     * Asks the server and returns its final answer, repeating the request if that is safe.
     *
     * @throws StorageException {@link HttpFailures#unavailable} if there was no such answer in time, or
     *     {@link HttpFailures#unintelligible} if it was not the server's API that answered
     */
    public A ask(HttpRequest request, Duration patience) {
        return asked(request, patience, left -> reader.read(exchange.send(request, left)));
    }

    /**
     * Asks the server like {@link #ask(HttpRequest, Duration)}, and reads a body of success as it comes.
     *
     * @param body reads the body; each time anew if the request is repeated
     */
    public A ask(HttpRequest request, Duration patience, BodyReader<A> body) {
        return asked(request, patience, left -> {
            Exchange.BodyReply<A> received = exchange.send(request, left, body);
            return received.read()
                    .<Verdict<A>>map(answer -> new Verdict.Final<>(answer, "read"))
                    .orElseGet(() -> reader.read(received.other().orElseThrow()));
        });
    }

    /** Makes an answer of a body of success while it comes, so that a long one never lies in memory as a whole. */
    @FunctionalInterface
    public interface BodyReader<A> {
        /**
         * Reads a body; called anew, from its beginning, if the request is repeated.
         *
         * @param text the body
         * @throws BodyTooLong if the body is longer than what is read of an answer; then it is not asked for again
         * @throws IOException if the body breaks off
         */
        A read(Reader text) throws IOException;
    }

    /** Sends a request once, and says what its answer means. */
    private interface RequestAttempt<A> {
        Verdict<A> within(Duration patience) throws IOException;
    }

    private A asked(HttpRequest request, Duration patience, RequestAttempt<A> sending) {
        long end = System.nanoTime() + patience.toNanos();
        String before = "";
        for (int attempt = 0; ; attempt++) {
            Duration left = Duration.ofNanos(Math.max(LEAST.toNanos(), end - System.nanoTime()));
            Attempt<A> made = logged(request, left, sending);
            switch (made.verdict()) {
                case Verdict.Final<A> done -> {
                    return done.answer();
                }
                case Verdict.Unintelligible<A>(String detail) ->
                    throw new StorageException(failures.unintelligible(request.what(), detail));
                case Verdict.Passing<A> passing -> {
                    Duration least = backoff.after(attempt); // a server that says 0 is not asked without a pause
                    Duration wait = passing.after()
                            .filter(after -> after.compareTo(least) > 0)
                            .orElse(least);
                    boolean again = passing.surelyNotDone() || request.repeatable();
                    // An attempt that the patience cut short says less than what came back before.
                    String detail = made.timeout() && !before.isEmpty() ? before : passing.detail();
                    if (!again || System.nanoTime() + wait.toNanos() >= end) {
                        throw new StorageException(
                                again
                                        ? failures.unavailable(request.what(), detail)
                                        : failures.unknown(request.what(), detail));
                    }
                    before = detail;
                    rest(request, wait);
                }
            }
        }
    }

    /**
     * Reads an answer line by line for as long as it lasts; it is not asked for again.
     *
     * @param patience the longest time that it may last
     * @return the final answer if the server did not begin to answer by lines
     * @throws StorageException {@link HttpFailures#unavailable} if it broke off, or the server may be asked again later
     */
    public Optional<A> lines(HttpRequest request, Duration patience, Consumer<String> each) {
        try {
            Optional<HttpAnswer> answer = exchange.lines(request, patience, each);
            return answer.map(other -> switch (reader.read(other)) {
                case Verdict.Final<A> done -> done.answer();
                case Verdict.Unintelligible<A>(String detail) ->
                    throw new StorageException(failures.unintelligible(request.what(), detail));
                case Verdict.Passing<A> passing ->
                    throw new StorageException(failures.unavailable(request.what(), passing.detail()));
            });
        } catch (IOException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw new StorageException(new Failure.Cancelled(request.what()), e);
            }
            throw new StorageException(failures.unavailable(request.what(), Trouble.detail(e, patience)), e);
        }
    }

    /** Lets go of idle connections, and of the threads that watch them. */
    public void idle() {
        exchange.close();
    }

    private Attempt<A> logged(HttpRequest request, Duration patience, RequestAttempt<A> sending) {
        long start = System.nanoTime();
        Attempt<A> made = attempt(request, patience, sending);
        log.atDebug()
                .addKeyValue("verb", request.method())
                .addKeyValue("path", request.place())
                .addKeyValue("result", made.inShort())
                .addKeyValue("ms", (System.nanoTime() - start) / 1_000_000)
                .log("{} request", name);
        return made;
    }

    private Attempt<A> attempt(HttpRequest request, Duration patience, RequestAttempt<A> sending) {
        try {
            return new Attempt<>(sending.within(patience), false);
        } catch (BodyTooLong _) {
            return new Attempt<>(new Verdict.Unintelligible<>(BodyTooLong.TEXT), false);
        } catch (InterruptedIOException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw new StorageException(new Failure.Cancelled(request.what()), e);
            }
            return broken(e, patience);
        } catch (SSLException e) {
            if (Trouble.isDistrust(e)) {
                throw new StorageException(failures.unavailable(request.what(), Trouble.detail(e, patience)));
            }
            return broken(e, patience);
        } catch (IOException e) {
            return broken(e, patience);
        }
    }

    private static <A> Attempt<A> broken(IOException thrown, Duration patience) {
        var passing = new Verdict.Passing<A>(
                Trouble.detail(thrown, patience), Trouble.isBeforeSending(thrown), Optional.empty());
        return new Attempt<>(passing, thrown instanceof InterruptedIOException);
    }

    private static void rest(HttpRequest request, Duration wait) {
        try {
            Backoff.pause(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(new Failure.Cancelled(request.what()), e);
        }
    }

    private record Attempt<A>(Verdict<A> verdict, boolean timeout) {
        String inShort() {
            return switch (verdict) {
                case Verdict.Final<A> done -> done.inShort();
                case Verdict.Passing<A> passing -> passing.detail();
                case Verdict.Unintelligible<A>(String detail) -> detail;
            };
        }
    }

    /** Says that a body is longer than what is read of an answer; it would be so again. */
    public static final class BodyTooLong extends IOException {
        static final String TEXT = "it is longer than what is read of an answer";
        private static final long serialVersionUID = 1;

        BodyTooLong() {
            super(TEXT);
        }
    }
}
