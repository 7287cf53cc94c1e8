package dev.fairlead.bootstrap.monitor;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves health and metrics by HTTP, on a port of their own. It only answers, and changes nothing. Since strangers may
 * reach the port, whatever they send or leave unsent takes bounded memory, threads and time: {@link HttpLimits}.
 */
public final class HttpEndpoint implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HttpEndpoint.class);
    /** The number of callers that the kernel lets wait to be accepted. */
    private static final int BACKLOG = 1024;
    /** The size in bytes of the kernel's receive buffer for each of them; requests are short. */
    private static final int RECEIVE_BUFFER = 8192;

    private static final int LOOK_FOR_OVERDUE_MS = 250;

    private final ServerSocket server;
    private final HttpLimits limits;
    private final HttpConnections connections;
    private final Executor executor;
    private final Map<String, SharedMonitorAnswer> answers;

    private HttpEndpoint(
            ServerSocket server, HttpLimits limits, Executor executor, Health health, Supplier<String> metrics) {
        this.server = server;
        this.limits = limits;
        this.connections = new HttpConnections(limits);
        this.executor = executor;
        this.answers = new ConcurrentHashMap<>(Map.of(
                "/livez", new SharedMonitorAnswer(() -> MonitorAnswer.of(health.live())),
                "/readyz", new SharedMonitorAnswer(() -> MonitorAnswer.of(health.ready())),
                "/metrics",
                        new SharedMonitorAnswer(
                                () -> new MonitorAnswer(200, MonitorAnswer.PROMETHEUS, metrics.get()))));
    }

    /**
     * Listens from now on.
     *
     * @param address empty: every address of this machine
     * @param port 0: one that is free
     * @param metrics all of them, in Prometheus' text format
     * @param executor runs a task for each connection, and one that takes them in; each waits for callers
     * @throws StorageException if it cannot listen
     */
    public static HttpEndpoint open(
            String address, int port, Health health, Supplier<String> metrics, Executor executor) {
        return open(address, port, HttpLimits.USUAL, health, metrics, executor);
    }

    /** Listens from now on, with other limits. */
    static HttpEndpoint open(
            String address, int port, HttpLimits limits, Health health, Supplier<String> metrics, Executor executor) {
        try {
            var server = new ServerSocket();
            server.setReceiveBufferSize(RECEIVE_BUFFER);
            server.bind(
                    address.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(address, port), BACKLOG);
            var endpoint = new HttpEndpoint(server, limits, executor, health, metrics);
            executor.execute(endpoint::takeIn);
            log.atInfo().addKeyValue("endpoint", server.getLocalSocketAddress()).log("health and metrics by HTTP");
            return endpoint;
        } catch (IOException e) {
            throw new StorageException(
                    new Failure.NodeFault("listening on " + address + ":" + port, String.valueOf(e.getMessage())), e);
        }
    }

    /** Gives what a path answers at another path, too, and returns this. */
    public HttpEndpoint alsoAt(String other, String path) {
        Optional.ofNullable(answers.get(path)).ifPresent(answer -> answers.put(other, answer));
        return this;
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Returns how many connections are open. */
    int connections() {
        return connections.count();
    }

    /** Returns how many callers have sent their request and wait for the answer. */
    int answering() {
        return connections.answering();
    }

    private void takeIn() {
        while (!server.isClosed()) {
            try {
                server.setSoTimeout(connections.count() == 0 ? 0 : LOOK_FOR_OVERDUE_MS);
                begin(new HttpConnection(server.accept()));
            } catch (SocketTimeoutException _) {
                connections.closeOverdue();
            } catch (InterruptedException _) {
                close();
            } catch (IOException | RuntimeException | Error e) { // the port must outlive any of them
                retryLater(e);
            }
        }
        connections.closeAll();
    }

    private void begin(HttpConnection connection) throws InterruptedException {
        boolean taken = false;
        try {
            connections.makeRoom(connection);
            taken = true;
            executor.execute(() -> serve(connection));
        } catch (InterruptedException | RuntimeException | Error e) { // no thread could be had, for example
            if (taken) {
                connections.end(connection);
            } else {
                connection.close();
            }
            throw e;
        }
    }

    /**
     * Waits for a moment before the next caller is accepted: the process may be out of file descriptors, and the port
     * stays open.
     */
    private void retryLater(Throwable e) {
        if (!server.isClosed()) {
            log.atWarn().addKeyValue("error", e.toString()).log("a caller by HTTP could not be taken in");
            connections.pause();
        }
    }

    private void serve(HttpConnection connection) {
        try {
            connection.answer(answerOf(connection));
        } catch (IOException e) {
            log.atDebug().addKeyValue("error", e.getMessage()).log("a caller by HTTP left, or was closed");
        } finally {
            connections.end(connection);
        }
    }

    private byte[] answerOf(HttpConnection connection) throws IOException {
        Optional<MonitorRequest> request;
        try {
            request = MonitorRequest.read(connection, limits.headBytes());
        } catch (MonitorRequest.TooLongException _) {
            return new MonitorAnswer(431, MonitorAnswer.TEXT, "a request is " + limits.headBytes() + " bytes at most\n")
                    .whole();
        }
        connection.asked();
        if (request.isEmpty()) {
            return new MonitorAnswer(400, MonitorAnswer.TEXT, "that is no request of HTTP/1.1\n").whole();
        }
        MonitorAnswer answer = answerTo(request.get());
        return request.get().method().equals("HEAD") ? answer.withoutBody() : answer.whole();
    }

    private MonitorAnswer answerTo(MonitorRequest request) {
        if (!Set.of("GET", "HEAD").contains(request.method())) {
            return new MonitorAnswer(405, MonitorAnswer.TEXT, "GET and HEAD are all that there is\n");
        }
        SharedMonitorAnswer answer = answers.get(request.path());
        if (answer == null) {
            return new MonitorAnswer(404, MonitorAnswer.TEXT, "there are /livez, /readyz and /metrics\n");
        }
        try {
            return answer.get();
        } catch (RuntimeException | Error e) {
            log.atError().addKeyValue("path", request.path()).setCause(e).log("unexpected error");
            return new MonitorAnswer(500, MonitorAnswer.TEXT, "unexpected error; the log has it\n");
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            log.atWarn().addKeyValue("error", e.getMessage()).log("the port of health and metrics was not closed");
        }
        connections.closeAll();
    }
}
