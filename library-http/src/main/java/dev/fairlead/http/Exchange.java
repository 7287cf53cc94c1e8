package dev.fairlead.http;

import dev.fairlead.application.config.Secret;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request, and reads what comes back within bounds.
 *
 * <p>It speaks HTTP/1.1, which closes a connection on which a call timed out; over HTTP/2 a dead one would stay in the
 * pool and swallow the calls that follow. It uses no proxy and follows no redirect: the credential goes to the one
 * address that was given.
 */
final class Exchange {
    private static final int MAX_RETRY_AFTER_SECONDS = 3600;
    private static final int UNAUTHORIZED = 401;

    /** The media types of answers that last: objects of JSON, a line each, and server-sent events. */
    private static final String STREAMS = "application/json, text/event-stream";

    private final OkHttpClient http;
    private final HttpUrl server;
    private final HttpSettings settings;
    private final HttpFailures failures;

    Exchange(HttpSettings settings, HttpFailures failures) {
        this.server = OkHttpSetup.address(settings, failures);
        this.settings = settings;
        this.failures = failures;
        this.http = OkHttpSetup.of(settings, failures)
                .connectionPool(new ConnectionPool(1, 30, TimeUnit.SECONDS))
                .build();
    }

    /** Sends a request; after a 401, once more if the credential of that moment is another one. */
    HttpAnswer send(HttpRequest request, Duration patience) throws IOException {
        Optional<Secret> first = header();
        HttpAnswer answer = send(request, first, patience);
        if (answer.status() == UNAUTHORIZED) {
            Optional<Secret> second = header();
            return second.equals(first) ? answer : send(request, second, patience);
        }
        return answer;
    }

    /**
     * Sends a request whose body of success is read as it comes; after a 401, once more if the credential of that
     * moment is another one.
     */
    <A> BodyReply<A> send(HttpRequest request, Duration patience, HttpClient.BodyReader<A> body) throws IOException {
        Optional<Secret> first = header();
        BodyReply<A> answer = send(request, first, patience, body);
        if (answer.other().filter(other -> other.status() == UNAUTHORIZED).isEmpty()) return answer;
        Optional<Secret> second = header();
        return second.equals(first) ? answer : send(request, second, patience, body);
    }

    /** Holds what was read of a body of success, or else what came instead of one. */
    record BodyReply<A>(Optional<A> read, Optional<HttpAnswer> other) {}

    private <A> BodyReply<A> send(
            HttpRequest request, Optional<Secret> header, Duration patience, HttpClient.BodyReader<A> body)
            throws IOException {
        Call call = http.newCall(http(request, header));
        call.timeout().timeout(patience.toNanos(), TimeUnit.NANOSECONDS);
        try (Response response = call.execute()) {
            if (!response.isSuccessful())
                return new BodyReply<>(Optional.empty(), Optional.of(answer(response, header)));
            Reader text = new InputStreamReader(
                    new BoundedBody(response.body().byteStream(), settings.maxBytes()), StandardCharsets.UTF_8);
            return new BodyReply<>(Optional.of(body.read(text)), Optional.empty());
        }
    }

    /**
     * Reads an answer line by line for as long as it lasts.
     *
     * @return the answer if it is not one of success; then there were no lines
     * @throws IOException also if a line is longer than what is read of an answer, or breaks off
     */
    Optional<HttpAnswer> lines(HttpRequest request, Duration patience, Consumer<String> each) throws IOException {
        Optional<Secret> header = header();
        Call call = http.newCall(
                http(request, header).newBuilder().header("Accept", STREAMS).build());
        call.timeout().timeout(patience.toNanos(), TimeUnit.NANOSECONDS);
        try (Response response = call.execute()) {
            if (!response.isSuccessful()) {
                return Optional.of(answer(response, header));
            }
            BufferedSource source = response.body().source();
            while (!source.exhausted()) {
                each.accept(source.readUtf8LineStrict(settings.maxBytes()));
            }
            return Optional.empty();
        }
    }

    private Optional<Secret> header() {
        return settings.credential().map(credential -> credential.header(failures));
    }

    private HttpAnswer send(HttpRequest request, Optional<Secret> header, Duration patience) throws IOException {
        Call call = http.newCall(http(request, header));
        call.timeout().timeout(patience.toNanos(), TimeUnit.NANOSECONDS);
        try (Response response = call.execute()) {
            return answer(response, header);
        }
    }

    private HttpAnswer answer(Response response, Optional<Secret> header) throws IOException {
        Optional<String> text = text(response);
        return new HttpAnswer(
                response.code(),
                Optional.ofNullable(response.header("Content-Type")).orElse(""),
                after(response),
                response.isSuccessful() ? text : text.map(redaction(header)::of),
                settings.maxBytes());
    }

    /** Returns what hides the header's secrets, since servers repeat what they were sent if they refuse it. */
    private Redaction redaction(Optional<Secret> header) {
        return new Redaction(settings.credential().stream()
                .flatMap(credential -> header.stream().flatMap(shown -> credential.secretsIn(shown).stream()))
                .toList());
    }

    private Request http(HttpRequest request, Optional<Secret> header) {
        HttpUrl.Builder url = server.newBuilder();
        request.path().forEach(url::addPathSegment);
        request.query().forEach(url::addQueryParameter);
        Request.Builder builder = new Request.Builder()
                .url(url.build())
                .header("Accept", "application/json")
                .header("User-Agent", settings.agent())
                .method(request.method().name(), body(request));
        header.ifPresent(secret -> builder.header("Authorization", secret.reveal()));
        return builder.build();
    }

    private static @Nullable RequestBody body(HttpRequest request) {
        return request.method().isSafe() ? null : OneShot.of(request.body());
    }

    /** Returns the text; empty if there is more of it than is read. */
    private Optional<String> text(Response response) throws IOException {
        BufferedSource source = response.body().source();
        if (source.request(settings.maxBytes() + 1L)) {
            return Optional.empty();
        }
        return Optional.of(source.readString(StandardCharsets.UTF_8));
    }

    /**
     * Returns the wait that the server asks for, if in seconds; a date, which the standard allows as well, is left to
     * the backoff.
     */
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

    /** Breaks off a body that is longer than a number of bytes. */
    private static final class BoundedBody extends FilterInputStream {
        private long left;

        private BoundedBody(InputStream body, long most) {
            super(body);
            this.left = most;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            try {
                if (left <= 0) {
                    if (super.read() < 0) return -1;
                    throw new HttpClient.BodyTooLong();
                }
                int read = super.read(into, offset, (int) Math.min(length, left));
                if (read > 0) left -= read;
                return read;
            } catch (EOFException e) {
                // Who reads what the body says takes this for the end of a text that is too short.
                throw new IOException("the body broke off", e);
            }
        }
    }

    /** Keeps the library from sending a body a second time by itself: whether that is right is decided here. */
    private static final class OneShot extends RequestBody {
        private final @Nullable MediaType type;
        private final byte[] bytes;

        private OneShot(@Nullable MediaType type, byte[] bytes) {
            this.type = type;
            this.bytes = bytes;
        }

        /**
         * Returns the body to send; one of no bytes if there is none, since OkHttp would repeat a request without one.
         */
        static OneShot of(Optional<HttpRequest.Body> body) {
            return body.map(text -> new OneShot(MediaType.get(text.mediaType()), text.bytes()))
                    .orElseGet(() -> new OneShot(null, new byte[0]));
        }

        @Override
        public @Nullable MediaType contentType() {
            return type;
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
