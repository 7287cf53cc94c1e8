package dev.fairlead.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import okio.ByteString;
import org.jspecify.annotations.Nullable;

/** Joins the library's socket to its listener, who is told of the end once and of nothing after it. */
final class OpenedSocket extends WebSocketListener implements TextSocket {
    private static final int UNSUPPORTED = 1003;

    private final Listener listener;
    private final Runnable received;
    private final CompletableFuture<TextSocket> opened = new CompletableFuture<>();
    private final CompletableFuture<WebSocket> socket = new CompletableFuture<>();
    private final AtomicBoolean ended = new AtomicBoolean();

    /** @param received run after each whole message */
    OpenedSocket(Listener listener, Runnable received) {
        this.listener = listener;
        this.received = received;
    }

    void open(OkHttpClient http, Request request) {
        socket.complete(http.newWebSocket(request, this));
    }

    TextSocket awaited(Duration patience) throws ExecutionException, InterruptedException, TimeoutException {
        return opened.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public boolean send(String text) {
        return !ended.get() && socket.join().send(text);
    }

    @Override
    public void close() {
        end("it was closed here");
        socket.join().cancel();
    }

    @Override
    public void onOpen(WebSocket webSocket, Response response) {
        opened.complete(this);
    }

    @Override
    public void onMessage(WebSocket webSocket, String text) {
        received.run();
        if (!ended.get()) {
            listener.received(text);
        }
    }

    @Override
    public void onMessage(WebSocket webSocket, ByteString bytes) {
        webSocket.cancel();
        end("the server sent bytes and no text");
    }

    @Override
    public void onClosing(WebSocket webSocket, int code, String reason) {
        webSocket.close(code == UNSUPPORTED ? UNSUPPORTED : 1000, "");
        end("the server closed it with " + code + (reason.isEmpty() ? "" : ", " + Trouble.quoted(reason)));
    }

    @Override
    public void onFailure(WebSocket webSocket, Throwable thrown, @Nullable Response response) {
        IOException cause = thrown instanceof IOException io
                ? io
                : new IOException(thrown.getClass().getSimpleName());
        IOException told = response == null ? cause : new Trouble.Worded("status " + response.code(), cause);
        opened.completeExceptionally(told);
        end(Trouble.isWorded(told) ? String.valueOf(told.getMessage()) : Trouble.broken(told));
    }

    private void end(String why) {
        if (!ended.getAndSet(true) && opened.isDone() && !opened.isCompletedExceptionally()) {
            listener.ended(why);
        }
    }
}
