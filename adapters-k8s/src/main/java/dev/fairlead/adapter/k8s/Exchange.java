package dev.fairlead.adapter.k8s;

import com.google.gson.JsonElement;
import dev.fairlead.adapter.k8s.ApiClient.Reply;
import dev.fairlead.adapter.k8s.ApiRequest.Verb;
import dev.fairlead.application.config.Secret;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request, and reads what comes back within bounds.
 *
 * <p>HTTP/1.1, since a connection on which a call timed out is closed then; over HTTP/2 a dead one would stay in the
 * pool and swallow the calls that follow. No proxy and no redirect: the token goes to the one address that was given.
 */
final class Exchange {
    /** Far more than any object that is asked for here. */
    static final int MAX_BYTES = 1 << 20;

    /** One address that swallows packets leaves time to try the next one. */
    private static final Duration CONNECT = Duration.ofSeconds(4);

    private static final int MAX_RETRY_AFTER_SECONDS = 3600;

    private final OkHttpClient http;
    private final HttpUrl server;
    private final Optional<BearerToken> token;
    private final String agent;

    Exchange(KubernetesSettings settings) {
        HttpUrl url = HttpUrl.parse(settings.server().toString());
        if (url == null) {
            throw new StorageException(
                    new Failure.NodeFault("finding the API server", settings.server() + " is no address"));
        }
        this.server = url;
        this.token = settings.token().map(BearerToken::new);
        this.agent = settings.agent();
        OkHttpClient.Builder builder = new OkHttpClient.Builder()
                .protocols(List.of(Protocol.HTTP_1_1))
                .proxy(Proxy.NO_PROXY)
                .followRedirects(false)
                .followSslRedirects(false)
                .connectionPool(new ConnectionPool(1, 30, TimeUnit.SECONDS))
                .connectTimeout(CONNECT)
                .readTimeout(Duration.ZERO)
                .writeTimeout(Duration.ZERO);
        if (url.isHttps()) {
            Tls tls = Tls.of(settings);
            builder.sslSocketFactory(tls.sockets(), tls.trusted());
            if (tls.anyName()) {
                builder.hostnameVerifier((_, _) -> true);
            }
        }
        this.http = builder.build();
    }

    /** A 401 is answered by the token of this moment, once, should it be another one. */
    Reply send(ApiRequest request, Duration patience) {
        Optional<Secret> first = token.map(BearerToken::current);
        Reply reply = send(request, first, patience);
        if (reply instanceof Reply.Final(ApiAnswer.Refused refused) && refused.status() == 401) {
            Optional<Secret> second = token.map(BearerToken::current);
            return second.equals(first) ? reply : send(request, second, patience);
        }
        return reply;
    }

    private Reply send(ApiRequest request, Optional<Secret> bearer, Duration patience) {
        Call call = http.newCall(http(request, bearer));
        call.timeout().timeout(patience.toNanos(), TimeUnit.NANOSECONDS);
        try (Response response = call.execute()) {
            return Replies.of(request, response.code(), after(response), contentType(response), text(response));
        } catch (InterruptedIOException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw new StorageException(new Failure.Cancelled(request.what()), e);
            }
            return new Reply.Passing(ApiFailures.detail(e, patience), false, true, Optional.empty());
        } catch (SSLException e) {
            if (ApiFailures.isDistrust(e)) {
                throw ApiFailures.unavailable(request.what(), ApiFailures.detail(e, patience));
            }
            return new Reply.Passing(ApiFailures.detail(e, patience), false, false, Optional.empty());
        } catch (IOException e) {
            return new Reply.Passing(ApiFailures.detail(e, patience), false, false, Optional.empty());
        }
    }

    private Request http(ApiRequest request, Optional<Secret> bearer) {
        HttpUrl.Builder url = server.newBuilder();
        request.path().forEach(url::addPathSegment);
        request.query().forEach(url::addQueryParameter);
        Request.Builder builder = new Request.Builder()
                .url(url.build())
                .header("Accept", ApiRequest.JSON)
                .header("User-Agent", agent)
                .method(request.verb().method(), body(request));
        bearer.ifPresent(secret -> builder.header("Authorization", "Bearer " + secret.reveal()));
        return builder.build();
    }

    private static @Nullable RequestBody body(ApiRequest request) {
        return request.body().map(body -> new OneShot(request.verb(), body)).orElse(null);
    }

    private static String contentType(Response response) {
        return Optional.ofNullable(response.header("Content-Type")).orElse("");
    }

    /** The text; empty where there is more of it than is read. */
    private static Optional<String> text(Response response) throws IOException {
        BufferedSource source = response.body().source();
        if (source.request(MAX_BYTES + 1L)) {
            return Optional.empty();
        }
        return Optional.of(source.readString(StandardCharsets.UTF_8));
    }

    /** The server sends seconds; a date, which the standard allows as well, is left to the backoff. */
    private static Optional<Duration> after(Response response) {
        String text = response.header("Retry-After");
        if (text == null || !text.matches("[0-9]{1,4}")) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofSeconds(Math.min(Integer.parseInt(text), MAX_RETRY_AFTER_SECONDS)));
    }

    void close() {
        http.connectionPool().evictAll();
    }

    /** A body that the library does not send a second time by itself: whether that is right is decided here. */
    private static final class OneShot extends RequestBody {
        private final Verb verb;
        private final byte[] bytes;

        OneShot(Verb verb, JsonElement body) {
            this.verb = verb;
            this.bytes = body.toString().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public MediaType contentType() {
            return MediaType.get(verb.mediaType());
        }

        @Override
        public long contentLength() {
            return bytes.length;
        }

        @Override
        public boolean isOneShot() {
            return true;
        }

        @Override
        public void writeTo(BufferedSink sink) throws IOException {
            sink.write(bytes);
        }
    }
}
