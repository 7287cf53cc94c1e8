package dev.fairlead.adapter.k8s;

import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/** Puts what went wrong with the API server into words that say what to do. */
final class ApiFailures {
    /** The API's own sentences name the object, the user and the verb. */
    static final int LONGEST = 400;

    private ApiFailures() {}

    static StorageException refused(String what, ApiAnswer.Refused refused) {
        String said = refused.message().isEmpty() ? refused.reason() : Excerpt.of(refused.message(), LONGEST);
        String remedy = switch (refused.status()) {
            case 401 -> "; its token or certificate is not accepted";
            case 403 -> "; let its role allow this (docs/errors/FL-KUBE-002.md)";
            default -> "";
        };
        return new StorageException(
                new Failure.ClusterRefused(what, "status " + refused.status() + ", " + said + remedy));
    }

    static StorageException unavailable(String what, String detail) {
        return new StorageException(new Failure.ClusterUnavailable(what, detail));
    }

    static StorageException unintelligible(String what, String detail) {
        return new StorageException(new Failure.ClusterUnintelligible(what, detail));
    }

    /** What a library's exception means; its own text may hold addresses, never a token. */
    static String detail(IOException thrown, Duration patience) {
        return switch (thrown) {
            case InterruptedIOException _ -> "no answer within " + patience.toMillis() + " ms";
            case ConnectException _ -> "nobody listens at its address";
            case UnknownHostException _ -> "its name is not known";
            case SSLException e -> "no trusted connection, " + text(e);
            default -> "the connection broke, " + text(thrown);
        };
    }

    /** Whether this is no server to be talked to; asking again within a moment finds the same one. */
    static boolean isDistrust(SSLException thrown) {
        return thrown instanceof SSLPeerUnverifiedException || thrown.getCause() instanceof CertificateException;
    }

    private static String text(IOException thrown) {
        String text = thrown.getMessage();
        return text == null ? thrown.getClass().getSimpleName() : Excerpt.of(text, LONGEST);
    }
}
