package dev.fairlead.application.service;

import dev.fairlead.application.port.work.Work;
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
record Poll(Work work, Telemetry telemetry, String what) {
    private static final Duration SOON = Duration.ofSeconds(2);

    /** For connections that are asked to be on the safe side only. */
    private static final Duration SOONER = Duration.ofSeconds(1);

    private static final Logger log = LoggerFactory.getLogger(Poll.class);

    /** What one of those asked has answered. */
    record Answer<S, T>(S asked, T answer) {}

    /**
     * The answers that came, in the order of those asked.
     *
     * @throws StorageException the first failure, where none answered
     */
    <S, T> List<Answer<S, T>> ask(List<S> asked, Function<S, Lease> lease, BiFunction<S, Backend, T> question) {
        List<StorageException> failures = new ArrayList<>();
        List<Answer<S, T>> answers = ask(asked, lease, _ -> true, question, failures);
        if (answers.isEmpty()) {
            throw failures.getFirst();
        }
        return answers;
    }

    /**
     * The answers that came, in the order of those asked, though it be none.
     *
     * @param likely those for which it is worth to wait; the others get half the time, and none at all where they still
     *     owe the answer to an earlier question
     */
    <S, T> List<Answer<S, T>> askAny(
            List<S> asked, Function<S, Lease> lease, Predicate<S> likely, BiFunction<S, Backend, T> question) {
        return ask(asked, lease, likely, question, new ArrayList<>());
    }

    private <S, T> List<Answer<S, T>> ask(
            List<S> asked,
            Function<S, Lease> lease,
            Predicate<S> likely,
            BiFunction<S, Backend, T> question,
            List<StorageException> failures) {
        long begun = System.nanoTime();
        List<Pending<S, T>> pending = new ArrayList<>();
        for (S one : asked) {
            try {
                if (!likely.test(one) && lease.apply(one).isSilent()) {
                    throw new StorageException(new Failure.BackendUnavailable(
                            lease.apply(one).name().value(), "it still owes the answer to an earlier question"));
                }
                pending.add(new Pending<>(
                        one, lease.apply(one).ask(work, what, backend -> question.apply(one, backend))));
            } catch (StorageException silent) {
                passOver(lease.apply(one), silent, failures);
            }
        }
        List<Answer<S, T>> answers = new ArrayList<>();
        for (Pending<S, T> one : pending) {
            try {
                Duration most = likely.test(one.asked()) ? SOON : SOONER;
                long left = Math.max(0, begun + most.toNanos() - System.nanoTime());
                answers.add(new Answer<>(one.asked(), one.question().answer(Duration.ofNanos(left))));
            } catch (StorageException silent) {
                passOver(lease.apply(one.asked()), silent, failures);
            }
        }
        work.checkCancelled();
        return answers;
    }

    private void passOver(Lease lease, StorageException silent, List<StorageException> failures) {
        failures.add(silent);
        telemetry.passedOver(lease.name());
        log.atWarn()
                .addKeyValue("request", work.requestId())
                .addKeyValue("connection", lease.name())
                .log("connection passed over ({}): {}", what, silent.failure().message());
    }

    private record Pending<S, T>(S asked, Lane.Question<T> question) {}
}
