package dev.fairlead.bootstrap.driver;

import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.work.ForwardingWork;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.fake.TestWork;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Makes the calls of one caller, each again until it is done; complains of failures that no restart excuses. A call
 * that a restart cut may take effect minutes later, so what waits for it is excused until then.
 */
final class RepeatedCalls {
    private static final int MOST_REPETITIONS = 600;

    /**
     * The words by which a failure says that it waits for a call whose end was not seen; the last are those of one that
     * could not take away what it had made, since such a call may come.
     */
    private static final List<String> LATE =
            List.of("may still", "may come", "end was not seen", "what has been made stays");

    private final LoadedConnections box;
    private final String type;
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private int answered;
    private Optional<Duration> cut = Optional.empty();
    private int changed;

    RepeatedCalls(LoadedConnections box, String type) {
        this.box = box;
        this.type = type;
    }

    /** Returns what it was told that it must not be told. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    void complain(String what) {
        complaints.add(type + ": " + what);
    }

    int done() {
        return done.get();
    }

    int failed() {
        return failed.get();
    }

    /** Returns how often a release has refused what it does not have. */
    int refused() {
        return refused.get();
    }

    /** The work of one request, which has an id of its own as in production. */
    private record OneRequest(Work work, String requestId) implements ForwardingWork {
        @Override
        public Work finishing() {
            return new OneRequest(work.finishing(), requestId);
        }
    }

    /** Makes a call until it is done; empty if it fails as it must not, or as a release has to refuse it. */
    <T> Optional<T> make(String what, Function<Work, T> call) {
        for (int i = 0; i < MOST_REPETITIONS; i++) {
            Outages.Sight began = box.outages().now();
            Duration begun = box.waited();
            boolean mayRefuse = !hasProtocol();
            try {
                T answer = call.apply(new OneRequest(TestWork.named(what), numbers.incrementAndGet() + what));
                answered = box.outages().answered(began, answered);
                done.incrementAndGet();
                if (!hasProtocol()) {
                    complain(what + " was done by a release that cannot do it");
                }
                return Optional.of(answer);
            } catch (StorageException e) {
                if (mayRefuse && e.failure() instanceof Failure.Unsupported) {
                    answered = box.outages().answered(began, answered);
                    refused.incrementAndGet();
                    LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
                    return Optional.empty();
                }
                failed.incrementAndGet();
                if (!isExcused(e.failure(), began, begun)) {
                    complain(what + ": " + e.failure() + " at " + began + ", after " + answered);
                    return Optional.empty();
                }
                box.wait(LateCalls.LONGEST.dividedBy(20));
                LockSupport.parkNanos(
                        Duration.ofMillis(20 + ThreadLocalRandom.current().nextInt(30))
                                .toNanos());
            } catch (RuntimeException e) {
                complain(what + ": " + e);
                return Optional.empty();
            }
        }
        complain(what + " was never done");
        return Optional.empty();
    }

    /** @param begun how much time had gone by when the call began */
    private boolean isExcused(Failure failure, Outages.Sight began, Duration begun) {
        if (!isUnavailable(failure)) {
            return false;
        }
        if (box.outages().excuse(began, answered)) {
            cut = Optional.of(box.waited());
            return true;
        }
        // A call that began by what the release before it says is told so once.
        if (failure.message().contains("the box has become") && changed != began.outage()) {
            changed = began.outage();
            return true;
        }
        return LATE.stream().anyMatch(failure.message()::contains)
                && cut.filter(then -> begun.minus(then).compareTo(LateCalls.LONGEST) <= 0)
                        .isPresent();
    }

    /** Other failures are told as UNAVAILABLE too, such as a credential that is wrong, and are none of an upgrade. */
    private static boolean isUnavailable(Failure failure) {
        return failure instanceof Failure.BackendUnavailable || failure instanceof Failure.OutcomeUnknown;
    }

    /** Says whether the box has what this type exports by. */
    private boolean hasProtocol() {
        return !type.endsWith("-nvmeof") || box.simulator().profile().since(Profile.V25_10_0);
    }
}
