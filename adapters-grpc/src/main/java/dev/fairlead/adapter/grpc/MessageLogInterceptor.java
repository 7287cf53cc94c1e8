package dev.fairlead.adapter.grpc;

import com.google.protobuf.Message;
import dev.fairlead.adapter.grpc.call.LogKeys;
import dev.fairlead.adapter.grpc.call.Rpc;
import dev.fairlead.adapter.grpc.message.SecretStripper;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Logs each request and response without secrets, at debug, or at info if that is asked for. */
final class MessageLogInterceptor implements ServerInterceptor {
    private static final Logger log = LoggerFactory.getLogger(MessageLogInterceptor.class);

    /** The greatest length of a message in the log: a list of ten thousand volumes would be one line of megabytes. */
    private static final int LONGEST = 16 << 10;

    private final Level level;

    /**
     * @param atInfo whether to log at info rather than at debug; health checks, which come often, are always at debug
     */
    MessageLogInterceptor(boolean atInfo) {
        this.level = atInfo ? Level.INFO : Level.DEBUG;
    }

    /** Returns whether it logs any message; the level of the log stays as it is while the process runs. */
    boolean logsAny() {
        return log.isEnabledForLevel(level);
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        Rpc rpc = Rpc.current();
        Level shown = rpc.isHealthCheck() ? Level.DEBUG : level;
        if (!log.isEnabledForLevel(shown)) {
            return next.startCall(call, headers);
        }
        ServerCall<Q, R> logged = new SimpleForwardingServerCall<>(call) {
            @Override
            public void sendMessage(R message) {
                write(rpc, shown, "response", message);
                super.sendMessage(message);
            }
        };
        return new SimpleForwardingServerCallListener<>(next.startCall(logged, headers)) {
            @Override
            public void onMessage(Q message) {
                write(rpc, shown, "request", message);
                super.onMessage(message);
            }
        };
    }

    private static void write(Rpc rpc, Level level, String what, Object message) {
        if (message instanceof Message content) {
            log.atLevel(level)
                    .addKeyValue(LogKeys.RPC, rpc.method())
                    .addKeyValue(LogKeys.REQUEST_ID, rpc.requestId())
                    .addKeyValue(LogKeys.CONTENT, Rpc.fitForLog(SecretStripper.text(content), LONGEST))
                    .log(what);
        }
    }
}
