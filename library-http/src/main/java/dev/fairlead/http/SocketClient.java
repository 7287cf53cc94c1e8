package dev.fairlead.http;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import okhttp3.Dispatcher;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Opens WebSockets to one server, with the trust that the settings ask for. No credential is sent: who logs in does it
 * by a message. The server is asked for a sign of life now and then, and the socket ends when none comes.
 *
 * <p>A message that is longer than the settings allow for an answer ends the socket too. Nothing is compressed: the
 * library inflates a message in memory without a bound, however short it arrived.
 */
public final class SocketClient implements AutoCloseable {
    private static final Duration WRITE = Duration.ofSeconds(10);
    private static final String EXTENSIONS = "Sec-WebSocket-Extensions";

    private final HttpUrl server;
    private final HttpSettings settings;
    private final OkHttpClient http;
    private final BoundedSockets sockets;
    private final ExecutorService readers;

    /**
     * @param threads makes the thread that reads from a socket
     * @param ping the time between two signs of life
     * @throws dev.fairlead.domain.failure.StorageException {@link HttpFailures#unusable} if the settings cannot be used
     */
    public SocketClient(HttpSettings settings, HttpFailures failures, ThreadFactory threads, Duration ping) {
        this.server = OkHttpSetup.address(settings, failures);
        this.settings = settings;
        this.sockets = new BoundedSockets(settings.maxBytes());
        this.readers =
                new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), threads);
        this.http = OkHttpSetup.of(settings, failures)
                .dispatcher(new Dispatcher(readers))
                .socketFactory(sockets)
                .addInterceptor(SocketClient::uncompressed)
                .writeTimeout(WRITE)
                .pingInterval(ping)
                .build();
    }

    /** Offers no compression, which the library does by itself, and has no server that compresses unasked. */
    private static Response uncompressed(Interceptor.Chain chain) throws IOException {
        Response response = chain.proceed(
                chain.request().newBuilder().removeHeader(EXTENSIONS).build());
        if (response.header(EXTENSIONS) != null) {
            response.close();
            throw new Trouble.Worded("the server compresses unasked", null);
        }
        return response;
    }

    /**
     * Opens a socket and waits until it is open.
     *
     * @throws IOException if there is none within the time; its message says why, in words
     */
    public TextSocket connect(List<String> path, Duration patience, TextSocket.Listener listener)
            throws IOException, InterruptedException {
        HttpUrl.Builder url = server.newBuilder();
        path.forEach(url::addPathSegment);
        Request request = new Request.Builder()
                .url(url.build())
                .header("User-Agent", settings.agent())
                .build();
        var opening = new OpenedSocket(listener, sockets::received);
        opening.open(http, request);
        try {
            return opening.awaited(patience);
        } catch (TimeoutException _) {
            opening.close();
            throw new IOException("no answer within " + patience.toMillis() + " ms");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause
                    ? new IOException(
                            Trouble.isWorded(cause) ? cause.getMessage() : Trouble.detail(cause, patience), cause)
                    : new IOException("the socket could not be opened", e);
        } catch (InterruptedException e) {
            opening.close();
            throw e;
        }
    }

    /** Ends what is still being opened, and lets go of the threads; open sockets are their users' to close. */
    @Override
    public void close() {
        http.dispatcher().cancelAll();
        http.connectionPool().evictAll();
        readers.shutdown();
    }
}
