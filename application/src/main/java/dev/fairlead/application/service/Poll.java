package dev.fairlead.application.service;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks several connections the same at once; those that do not answer soon are passed over. */
record Poll(Work work, Telemetry telemetry, String what) {
    private static final Duration SOON = Duration.ofSeconds(2);
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
        List<Answer<S, T>> answers = ask(asked, lease, question, failures);
        if (answers.isEmpty()) {
            throw failures.getFirst();
        }
        return answers;
    }

    /** The answers that came, in the order of those asked, though it be none. */
    <S, T> List<Answer<S, T>> askAny(List<S> asked, Function<S, Lease> lease, BiFunction<S, Backend, T> question) {
        return ask(asked, lease, question, new ArrayList<>());
    }

    private <S, T> List<Answer<S, T>> ask(
            List<S> asked,
            Function<S, Lease> lease,
            BiFunction<S, Backend, T> question,
            List<StorageException> failures) {
        long end = System.nanoTime() + SOON.toNanos();
        List<Pending<S, T>> pending = new ArrayList<>();
        for (S one : asked) {
            try {
                pending.add(new Pending<>(
                        one, lease.apply(one).ask(work, what, backend -> question.apply(one, backend))));
            } catch (StorageException silent) {
                passOver(lease.apply(one), silent, failures);
            }
        }
        List<Answer<S, T>> answers = new ArrayList<>();
        for (Pending<S, T> one : pending) {
            try {
                Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
                answers.add(new Answer<>(one.asked(), one.question().answer(left)));
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
