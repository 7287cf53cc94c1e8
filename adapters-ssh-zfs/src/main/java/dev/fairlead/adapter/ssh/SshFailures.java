package dev.fairlead.adapter.ssh;

import dev.fairlead.domain.failure.Excerpt;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Describes in plain words why a host cannot be reached or used. */
final class SshFailures {
    private static final int WORDS = 300;

    private SshFailures() {}

    static String detail(@Nullable Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            String known = known(cause);
            if (!known.isEmpty()) {
                return known;
            }
        }
        String message = thrown == null || thrown.getMessage() == null ? "no reason was given" : thrown.getMessage();
        return message.length() < WORDS ? message : Excerpt.of(message, WORDS);
    }

    /** Says whether a failure is that of a wait which has ended. */
    static boolean isTimeout(Throwable thrown) {
        return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
                .anyMatch(cause -> cause instanceof SocketTimeoutException || cause instanceof TimeoutException);
    }

    private static String known(Throwable cause) {
        return switch (cause) {
            case UnknownHostException e -> "its name is not known: " + e.getMessage();
            case NoRouteToHostException _ -> "there is no way to its address";
            case ConnectException e -> "it does not take connections: " + e.getMessage();
            case SocketTimeoutException _, TimeoutException _ -> "it does not answer in time";
            case Refused e -> e.getMessage() == null ? "" : e.getMessage();
            default -> {
                String message = cause.getMessage() == null ? "" : cause.getMessage();
                yield message.contains("No more authentication methods available")
                        ? "it lets the user of sshConnection in neither by key nor by password"
                        : "";
            }
        };
    }

    /** The attempt failed for a known reason, and the message already says it in plain words. */
    static final class Refused extends IOException {
        Refused(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
