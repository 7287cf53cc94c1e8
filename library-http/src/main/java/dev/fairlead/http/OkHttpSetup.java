package dev.fairlead.http;

import dev.fairlead.domain.failure.StorageException;
import java.net.Proxy;
import java.time.Duration;
import java.util.List;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;

/**
 * Sets the library up for one server: HTTP/1.1, no proxy, no redirects, and the trust that the settings ask for. The
 * credential goes to the one address that was given.
 */
final class OkHttpSetup {
    /** The longest wait for a connection: an address that swallows packets leaves time to try the next one. */
    private static final Duration CONNECT = Duration.ofSeconds(4);

    private OkHttpSetup() {}

    /** @throws StorageException {@link HttpFailures#unusable} if the settings name none */
    static HttpUrl address(HttpSettings settings, HttpFailures failures) {
        HttpUrl url = HttpUrl.parse(settings.server().toString());
        if (url == null) {
            throw new StorageException(
                    failures.unusable(HttpFailures.Part.ADDRESS, settings.server() + " is no address"));
        }
        return url;
    }

    /** Returns a client's builder, without a limit for reading and writing: each call has its own. */
    static OkHttpClient.Builder of(HttpSettings settings, HttpFailures failures) {
        OkHttpClient.Builder builder = new OkHttpClient.Builder()
                .protocols(List.of(Protocol.HTTP_1_1))
                .proxy(Proxy.NO_PROXY)
                .followRedirects(false)
                .followSslRedirects(false)
                .connectTimeout(CONNECT)
                .readTimeout(Duration.ZERO)
                .writeTimeout(Duration.ZERO);
        if (address(settings, failures).isHttps()) {
            TlsSetup tls = TlsSetup.of(settings, failures);
            builder.sslSocketFactory(tls.sockets(), tls.trusted());
            if (tls.anyName()) {
                builder.hostnameVerifier((_, _) -> true);
            }
        }
        return builder;
    }
}
