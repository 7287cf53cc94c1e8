package dev.fairlead.adapter.grpc;

import com.google.protobuf.Message;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes each request and response at debug, without secrets. */
final class MessageLogInterceptor implements ServerInterceptor {
    private static final Logger log = LoggerFactory.getLogger(MessageLogInterceptor.class);

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (!log.isDebugEnabled()) {
            return next.startCall(call, headers);
        }
        Rpc rpc = Rpc.current();
        ServerCall<Q, R> logged = new SimpleForwardingServerCall<>(call) {
            @Override
            public void sendMessage(R message) {
                write(rpc, "response", message);
                super.sendMessage(message);
            }
        };
        return new SimpleForwardingServerCallListener<>(next.startCall(logged, headers)) {
            @Override
            public void onMessage(Q message) {
                write(rpc, "request", message);
                super.onMessage(message);
            }
        };
    }

    private static void write(Rpc rpc, String what, Object message) {
        if (message instanceof Message content) {
            log.atDebug()
                    .addKeyValue(LogKeys.RPC, rpc.method())
                    .addKeyValue(LogKeys.REQUEST_ID, rpc.requestId())
                    .addKeyValue(LogKeys.CONTENT, SecretStripper.text(content))
                    .log(what);
        }
    }
}
