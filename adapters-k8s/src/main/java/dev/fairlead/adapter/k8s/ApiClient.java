package dev.fairlead.adapter.k8s;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the API server, again where that is safe.
 *
 * <p>What the server surely did not do (429) may always be sent again; what it perhaps did (no answer, 5xx) only where
 * doing it twice is doing it once. All of it ends within the patience that is given.
 */
final class ApiClient {
    private static final Logger log = LoggerFactory.getLogger(ApiClient.class);

    private final Exchange exchange;
    private final Backoff backoff;

    ApiClient(KubernetesSettings settings, Backoff backoff) {
        this.exchange = new Exchange(settings);
        this.backoff = backoff;
    }

    /**
     * What the server answers for good.
     *
     * @throws StorageException {@code ClusterUnavailable} where there was no such answer in time, or
     *     {@code ClusterUnintelligible} where it was not the API that answered
     */
    ApiAnswer ask(ApiRequest request, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        String before = "";
        for (int attempt = 0; ; attempt++) {
            Duration left = Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()));
            Reply reply = logged(request, left);
            if (reply instanceof Reply.Final(ApiAnswer answer)) {
                return answer;
            }
            Reply.Passing passing = (Reply.Passing) reply;
            Duration wait = passing.after().orElse(backoff.after(attempt));
            boolean again = passing.surelyNotDone() || request.repeatable();
            // What the patience cut short says less than what came back before.
            String detail = passing.timeout() && !before.isEmpty() ? before : passing.detail();
            if (!again || System.nanoTime() + wait.toNanos() >= end) {
                throw ApiFailures.unavailable(request.what(), detail);
            }
            before = detail;
            rest(request, wait);
        }
    }

    private Reply logged(ApiRequest request, Duration patience) {
        long start = System.nanoTime();
        Reply reply = exchange.send(request, patience);
        log.atDebug()
                .addKeyValue("verb", request.verb())
                .addKeyValue("path", String.join("/", request.path()))
                .addKeyValue("result", reply.inShort())
                .addKeyValue("ms", (System.nanoTime() - start) / 1_000_000)
                .log("kubernetes request");
        return reply;
    }

    private static void rest(ApiRequest request, Duration wait) {
        try {
            Backoff.pause(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(new Failure.Cancelled(request.what()), e);
        }
    }

    /** Lets go of idle connections, and of the threads that watch them. */
    void idle() {
        exchange.close();
    }

    /** What became of one request. */
    sealed interface Reply {
        String inShort();

        record Final(ApiAnswer answer) implements Reply {
            @Override
            public String inShort() {
                return switch (answer) {
                    case ApiAnswer.Done _ -> "done";
                    case ApiAnswer.Refused refused -> refused.status() + " " + refused.reason();
                };
            }
        }

        /** Another time it may be different. */
        record Passing(String detail, boolean surelyNotDone, boolean timeout, Optional<Duration> after)
                implements Reply {
            @Override
            public String inShort() {
                return detail;
            }
        }
    }
}
