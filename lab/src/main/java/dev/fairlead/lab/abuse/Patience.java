package dev.fairlead.lab.abuse;

import dev.fairlead.lab.CsiClient;
import dev.fairlead.lab.abuse.machine.DiskPulse;
import dev.fairlead.lab.report.Latencies;
import dev.fairlead.lab.report.Violations;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Repeats a call until it succeeds, as Kubernetes' sidecars do, and reports every answer that the driver must not give.
 *
 * <p>A final code is never right here, since each call asks for something that can be done. On a connection that nobody
 * abuses even a code that is retried is wrong, unless the driver had been killed. Such a call may take as long, whether
 * it is answered or its client gives up, as the disk takes for {@link #SYNCS} syncs of somebody who has nothing to do
 * with the driver: a disk that is that slow for all is no fault of the driver.
 */
final class Patience {
    private static final Set<Status.Code> RETRIED =
            Set.of(Status.Code.CANCELLED, Status.Code.DEADLINE_EXCEEDED, Status.Code.UNAVAILABLE, Status.Code.ABORTED);
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(20);

    /** Each takes 50 ms and its own time; a call needs a dozen of its own. */
    private static final int SYNCS = 100;

    private final Installation installation;
    private final Violations violations;
    private final Latencies latencies;
    private final Optional<DiskPulse> quiet;

    /**
     * @param latencies where the time of each successful call is noted
     * @param quiet what the disk can sync, if the connection is one that nobody abuses
     */
    Patience(Installation installation, Violations violations, Latencies latencies, Optional<DiskPulse> quiet) {
        this.installation = installation;
        this.violations = violations;
        this.latencies = latencies;
        this.quiet = quiet;
    }

    /**
     * Repeats a call until it succeeds and returns its answer; throws on a final code, or if it still fails after 20
     * minutes.
     */
    <T> T until(String what, Function<CsiClient, T> call) {
        long giveUp = System.nanoTime() + LONGEST_NANOS;
        while (true) {
            long begin = System.nanoTime();
            try {
                T answer = call.apply(installation.client());
                long end = System.nanoTime();
                if (!installation.outages().touched(begin, end)) {
                    latencies.add(what, end - begin);
                    if (syncsBeside(begin, end) > SYNCS) {
                        violations.add(what
                                + " took %.1f s beside the abuse of others, in which the disk did %d syncs"
                                        .formatted((end - begin) / 1e9, syncsBeside(begin, end)));
                    }
                }
                return answer;
            } catch (StatusRuntimeException e) {
                judge(what, e, begin);
                if (System.nanoTime() > giveUp) {
                    violations.add(what + " did not succeed in " + TimeUnit.NANOSECONDS.toMinutes(LONGEST_NANOS)
                            + " min: " + e.getMessage());
                    throw e;
                }
            }
            pause();
        }
    }

    private void judge(String what, StatusRuntimeException failure, long begin) {
        if (!RETRIED.contains(failure.getStatus().getCode())) {
            violations.add(what + " got a final code: " + failure.getMessage());
            throw failure;
        }
        long end = System.nanoTime();
        boolean slowDisk =
                failure.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED && syncsBeside(begin, end) <= SYNCS;
        if (quiet.isPresent() && !slowDisk && !installation.outages().touched(begin, end)) {
            violations.add(what + " failed beside the abuse of others, while the disk did " + syncsBeside(begin, end)
                    + " syncs: " + failure.getMessage());
        }
    }

    private int syncsBeside(long begin, long end) {
        return quiet.map(disk -> disk.syncs(begin, end)).orElse(0);
    }

    static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(200);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }
}
