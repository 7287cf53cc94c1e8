package dev.fairlead.adapter.grpc;

import dev.fairlead.adapter.grpc.call.LogKeys;
import dev.fairlead.adapter.grpc.call.RequestIds;
import dev.fairlead.adapter.grpc.call.Rpc;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs one line for each call when it ends, and tells the metrics. Health checks, which come often, are logged at
 * debug.
 */
public final class RequestLogInterceptor implements ServerInterceptor {
    private static final Logger log = LoggerFactory.getLogger(RequestLogInterceptor.class);
    private static final Metadata.Key<String> REQUEST_ID =
            Metadata.Key.of("x-request-id", Metadata.ASCII_STRING_MARSHALLER);

    private final String driver;
    private final RequestIds ids;
    private final GrpcServer.RpcListener listener;

    /** @param driver the CSI name whose services this interceptor is around */
    RequestLogInterceptor(String driver, RequestIds ids, GrpcServer.RpcListener listener) {
        this.driver = driver;
        this.ids = ids;
        this.listener = listener;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        MethodDescriptor<Q, R> method = call.getMethodDescriptor();
        Rpc rpc = new Rpc(
                name(method.getServiceName()), name(method.getBareMethodName()), ids.of(headers.get(REQUEST_ID)));
        ServerCall<Q, R> observed = new SimpleForwardingServerCall<>(call) {
            @Override
            public void close(Status status, Metadata trailers) {
                ended(rpc, status);
                super.close(status, trailers);
            }
        };
        Context context = Context.current().withValue(Rpc.KEY, rpc);
        return new SimpleForwardingServerCallListener<>(Contexts.interceptCall(context, observed, headers, next)) {
            @Override
            public void onCancel() {
                ended(rpc, Status.CANCELLED);
                super.onCancel();
            }
        };
    }

    private static String name(@Nullable String name) {
        return name == null ? "unknown" : name;
    }

    private void ended(Rpc rpc, Status status) {
        if (!rpc.end()) {
            return;
        }
        long nanos = rpc.nanos();
        Level level = status.isOk() && rpc.isHealthCheck() ? Level.DEBUG : Level.INFO;
        var line = log.atLevel(level)
                .addKeyValue(LogKeys.RPC, rpc.method())
                .addKeyValue(LogKeys.REQUEST_ID, rpc.requestId())
                .addKeyValue(LogKeys.CODE, status.getCode())
                .addKeyValue(LogKeys.MILLIS, nanos / 1_000_000);
        if (!rpc.subject().isEmpty()) {
            line = line.addKeyValue(LogKeys.SUBJECT, rpc.subject());
        }
        String description = status.getDescription();
        if (description != null) {
            line = line.addKeyValue(LogKeys.FAILURE, description);
        }
        line.log("call");
        listener.ended(new GrpcServer.Call(
                driver, rpc.service(), rpc.method(), status.getCode().name(), nanos));
    }
}
