package dev.fairlead.lab.soak.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Repeats a question until the API server answers it: a node that is cut off has no logs, and answers may be lost. */
final class Answers {
    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;
    /** The statuses that no repetition changes. */
    private static final Set<Integer> HOPELESS = Set.of(400, 405, 413, 415, 422);

    private Answers() {}

    /** Holds what the API server said. */
    record Answer(int status, String body) {
        boolean isGood() {
            return status >= 200 && status < 300;
        }
    }

    /** Asks the API server once. */
    @FunctionalInterface
    interface Question {
        Answer ask() throws IOException;
    }

    /** Asks until something is made; one that is there already was made by a question whose answer was lost. */
    static void made(String what, Duration limit, Question question) {
        var _ = until(what, limit, question, CONFLICT);
    }

    /** Asks until something is being deleted, or is not there. */
    static void deleted(String what, Duration limit, Question question) {
        var _ = until(what, limit, question, NOT_FOUND);
    }

    /** Asks until there is an answer, and returns it. */
    static String given(String what, Duration limit, Question question) {
        return until(what, limit, question, 0);
    }

    private static String until(String what, Duration limit, Question question, int alsoGood) {
        long end = System.nanoTime() + limit.toNanos();
        String last;
        do {
            try {
                Answer answer = question.ask();
                if (answer.isGood() || answer.status() == alsoGood) {
                    return answer.body();
                }
                last = answer.status() + " " + ClusterState.shortened(answer.body());
                if (HOPELESS.contains(answer.status()) && !what.endsWith("'s log")) {
                    throw new SoakFailure("refused: " + what + ": " + last);
                }
            } catch (IOException e) {
                last = e.toString();
            }
            pause();
        } while (System.nanoTime() < end);
        throw new SoakFailure("unanswered: " + what + ", for " + limit.toSeconds() + " s: " + last);
    }

    private static void pause() {
        try {
            TimeUnit.SECONDS.sleep(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }
}
