package dev.fairlead.application.service.connection;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks several connections the same at once; those that do not answer soon are passed over. */
public record Poll(Work work, Telemetry telemetry, String what) {
    private static final Duration SOON = Duration.ofSeconds(2);

    /** The time for connections that are asked only as a precaution. */
    private static final Duration SOONER = Duration.ofSeconds(1);

    private static final Logger log = LoggerFactory.getLogger(Poll.class);

    /** Holds the answer of one of those asked. */
    public record Answer<S, T>(S asked, T answer) {}

    /**
     * Returns the answers that came, in the order of those asked, and never none.
     *
     * @throws StorageException the first failure, if none answered
     */
    public <S, T> List<Answer<S, T>> ask(
            List<S> asked, Function<S, ConnectionUse> use, BiFunction<S, Backend, T> question) {
        List<StorageException> failures = new ArrayList<>();
        List<Answer<S, T>> answers = ask(asked, use, _ -> true, question, failures);
        if (answers.isEmpty()) {
            throw failures.getFirst();
        }
        return answers;
    }

    /**
     * Returns the answers that came, in the order of those asked; possibly none.
     *
     * @param likely those that get the full time; the others get half of it, and are not asked at all if an earlier
     *     question to them is still unanswered
     */
    public <S, T> List<Answer<S, T>> askAny(
            List<S> asked, Function<S, ConnectionUse> use, Predicate<S> likely, BiFunction<S, Backend, T> question) {
        return ask(asked, use, likely, question, new ArrayList<>());
    }

    private <S, T> List<Answer<S, T>> ask(
            List<S> asked,
            Function<S, ConnectionUse> use,
            Predicate<S> likely,
            BiFunction<S, Backend, T> question,
            List<StorageException> failures) {
        long begun = System.nanoTime();
        List<Pending<S, T>> pending = new ArrayList<>();
        for (S one : asked) {
            try {
                if (!likely.test(one) && use.apply(one).isSilent()) {
                    throw new StorageException(new Failure.BackendUnavailable(
                            use.apply(one).name().value(), "it still owes the answer to an earlier question"));
                }
                pending.add(new Pending<>(
                        one, use.apply(one).ask(work, what, backend -> question.apply(one, backend))));
            } catch (StorageException silent) {
                passOver(use.apply(one), silent, failures);
            }
        }
        List<Answer<S, T>> answers = new ArrayList<>();
        for (Pending<S, T> one : pending) {
            try {
                Duration most = likely.test(one.asked()) ? SOON : SOONER;
                long left = Math.max(0, begun + most.toNanos() - System.nanoTime());
                answers.add(new Answer<>(one.asked(), one.question().answer(Duration.ofNanos(left))));
            } catch (StorageException silent) {
                passOver(use.apply(one.asked()), silent, failures);
            }
        }
        work.checkCancelled();
        return answers;
    }

    private void passOver(ConnectionUse use, StorageException silent, List<StorageException> failures) {
        failures.add(silent);
        telemetry.passedOver(use.name());
        log.atWarn()
                .addKeyValue("request", work.requestId())
                .addKeyValue("connection", use.name())
                .log("connection passed over ({}): {}", what, silent.failure().message());
    }

    private record Pending<S, T>(S asked, Lane.Question<T> question) {}
}
