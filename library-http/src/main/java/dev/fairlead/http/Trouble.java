package dev.fairlead.http;

import dev.fairlead.domain.failure.Excerpt;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** Puts what went wrong on the way to a server into words. */
final class Trouble {
    private static final int LONGEST = 400;

    private Trouble() {}

    /** Describes an exception in words; its own text may hold addresses, never a secret. */
    static String detail(IOException thrown, Duration patience) {
        return switch (thrown) {
            case InterruptedIOException _ -> "no answer within " + patience.toMillis() + " ms";
            case ConnectException _ -> "nobody listens at its address";
            case UnknownHostException _ -> "its name is not known";
            case SSLException e -> "no trusted connection, " + text(e);
            default -> broken(thrown);
        };
    }

    /** Says whether the server's certificate is not trusted; asking again within a moment meets the same server. */
    static boolean isDistrust(SSLException thrown) {
        return thrown instanceof SSLPeerUnverifiedException || thrown.getCause() instanceof CertificateException;
    }

    /** Says whether the server surely has not seen the request: there was no connection, or none that is trusted. */
    static boolean isBeforeSending(IOException thrown) {
        return switch (thrown) {
            case ConnectException _, UnknownHostException _, NoRouteToHostException _ -> true;
            case SSLHandshakeException _ -> true;
            case SSLException e -> isDistrust(e);
            default -> false;
        };
    }

    /** Describes why a connection ended that was in use. */
    static String broken(IOException thrown) {
        return "the connection broke, " + text(thrown);
    }

    /** Quotes what the server said, in bounds. */
    static String quoted(String words) {
        return Excerpt.of(words, LONGEST);
    }

    static boolean isWorded(IOException thrown) {
        return thrown instanceof Worded;
    }

    /** Holds a message that is in words already. */
    static final class Worded extends IOException {
        private static final long serialVersionUID = 1L;

        Worded(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    private static String text(IOException thrown) {
        String text = thrown.getMessage();
        return text == null ? thrown.getClass().getSimpleName() : Excerpt.of(text, LONGEST);
    }
}
