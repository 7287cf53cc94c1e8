package dev.fairlead.adapter.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.fairlead.adapter.grpc.call.LogKeys;
import dev.fairlead.adapter.grpc.call.RequestIds;
import dev.fairlead.adapter.grpc.call.Rpc;
import dev.fairlead.adapter.grpc.message.StatusMapper;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a call whose handler threw, with the status of the failure.
 *
 * <p>An unforeseen error is INTERNAL with the id of an incident; its stack trace is logged once, here, and never sent.
 */
final class FailureInterceptor implements ServerInterceptor {
    private static final Logger log = LoggerFactory.getLogger(FailureInterceptor.class);

    private final RequestIds ids;

    FailureInterceptor(RequestIds ids) {
        this.ids = ids;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        return new Guarded<>(call, next.startCall(call, headers));
    }

    private Status statusOf(Throwable thrown) {
        return switch (thrown) {
            case StorageException e -> expected(e);
            case StatusRuntimeException e
            when e.getCause() instanceof InvalidProtocolBufferException ->
                StatusMapper.statusOf(new Failure.InvalidRequest("request", "is not a message of this RPC"));
            default -> unexpected(thrown);
        };
    }

    private static Status expected(StorageException e) {
        Status status = StatusMapper.statusOf(e.failure());
        Throwable cause = e.getCause();
        if (cause != null) {
            (status.getCode() == Status.Code.INTERNAL || isOurs(cause) ? log.atWarn() : log.atDebug())
                    .addKeyValue(LogKeys.REQUEST_ID, Rpc.current().requestId())
                    .setCause(e)
                    .log("a failure's cause");
        }
        return status;
    }

    /**
     * Says whether an error of Fairlead's own is behind a failure that was made of it so that the caller comes again.
     */
    private static boolean isOurs(Throwable cause) {
        Throwable root = cause;
        while (root instanceof StorageException && root.getCause() != null) {
            root = root.getCause();
        }
        return root instanceof RuntimeException && !(root instanceof StorageException);
    }

    private Status unexpected(Throwable thrown) {
        String incident = ids.next();
        log.atError()
                .addKeyValue(LogKeys.INCIDENT, incident)
                .addKeyValue(LogKeys.REQUEST_ID, Rpc.current().requestId())
                .addKeyValue(LogKeys.RPC, Rpc.current().method())
                .setCause(thrown)
                .log("unexpected error");
        return StatusMapper.statusOf(new Failure.Unexpected(incident));
    }

    private final class Guarded<Q> extends ServerCall.Listener<Q> {
        private final ServerCall<Q, ?> call;
        private final ServerCall.Listener<Q> next;
        private volatile boolean failed;

        private Guarded(ServerCall<Q, ?> call, ServerCall.Listener<Q> next) {
            this.call = call;
            this.next = next;
        }

        @Override
        public void onMessage(Q message) {
            guard(() -> next.onMessage(message));
        }

        @Override
        public void onHalfClose() {
            guard(next::onHalfClose);
        }

        @Override
        public void onReady() {
            guard(next::onReady);
        }

        @Override
        public void onCancel() {
            guard(next::onCancel);
        }

        @Override
        public void onComplete() {
            guard(next::onComplete);
        }

        private void guard(Runnable callback) {
            if (failed) {
                return;
            }
            try {
                callback.run();
            } catch (RuntimeException | Error e) {
                failed = true;
                call.close(statusOf(e), new Metadata());
            }
        }
    }

    /**
     * Passes messages on as the streams that they are. The streams of gRPC's own for this purpose are buffered, 16 KiB
     * for each answer, which is most of what a small call would leave to be collected.
     */
    static final class Undecoded implements MethodDescriptor.Marshaller<InputStream> {
        @Override
        public InputStream stream(InputStream message) {
            return message;
        }

        @Override
        public InputStream parse(InputStream message) {
            return message;
        }
    }
}
