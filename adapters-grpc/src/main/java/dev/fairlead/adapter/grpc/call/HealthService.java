package dev.fairlead.adapter.grpc.call;

import dev.fairlead.adapter.grpc.message.StatusMapper;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Serves gRPC's health protocol beside CSI's Probe, for those who speak it; like Probe, it tells of this process alone.
 */
public final class HealthService extends HealthGrpc.HealthImplBase {
    public static final String NAME = HealthGrpc.SERVICE_NAME;

    private final Set<String> services;
    private final Set<StreamObserver<HealthCheckResponse>> watchers = new LinkedHashSet<>();
    private boolean serving = true;

    /** @param services the full names of what is served beside this */
    public HealthService(Set<String> services) {
        this.services = Set.copyOf(services);
    }

    @Override
    public synchronized void check(HealthCheckRequest request, StreamObserver<HealthCheckResponse> out) {
        if (!knows(request)) {
            out.onError(StatusMapper.unknownService(request.getService()).asException());
            return;
        }
        out.onNext(response(status()));
        out.onCompleted();
    }

    @Override
    public synchronized void watch(HealthCheckRequest request, StreamObserver<HealthCheckResponse> out) {
        ServerCallStreamObserver<HealthCheckResponse> watcher = (ServerCallStreamObserver<HealthCheckResponse>) out;
        watcher.setOnCancelHandler(() -> forget(watcher));
        watcher.onNext(response(knows(request) ? status() : ServingStatus.SERVICE_UNKNOWN));
        if (serving) {
            watchers.add(watcher);
        } else {
            watcher.onCompleted();
        }
    }

    /** Tells all watchers, and ends their calls, which would otherwise delay the server's end. */
    public synchronized void stop() {
        serving = false;
        watchers.forEach(watcher -> {
            watcher.onNext(response(ServingStatus.NOT_SERVING));
            watcher.onCompleted();
        });
        watchers.clear();
    }

    private synchronized void forget(StreamObserver<HealthCheckResponse> watcher) {
        watchers.remove(watcher);
    }

    private boolean knows(HealthCheckRequest request) {
        return request.getService().isEmpty() || services.contains(request.getService());
    }

    private ServingStatus status() {
        return serving ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    }

    private static HealthCheckResponse response(ServingStatus status) {
        return HealthCheckResponse.newBuilder().setStatus(status).build();
    }
}
