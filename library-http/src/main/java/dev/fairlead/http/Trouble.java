package dev.fairlead.http;

import dev.fairlead.domain.failure.Excerpt;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

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
            default -> "the connection broke, " + text(thrown);
        };
    }

    /** Says whether the server's certificate is not trusted; asking again within a moment meets the same server. */
    static boolean isDistrust(SSLException thrown) {
        return thrown instanceof SSLPeerUnverifiedException || thrown.getCause() instanceof CertificateException;
    }

    private static String text(IOException thrown) {
        String text = thrown.getMessage();
        return text == null ? thrown.getClass().getSimpleName() : Excerpt.of(text, LONGEST);
    }
}
