package dev.fairlead.adapter.grpc;

import dagger.BindsOptionalOf;
import dagger.Module;
import dagger.Provides;
import dev.fairlead.adapter.grpc.socket.GrpcSettings;
import dev.fairlead.application.port.in.ControllerUseCases;
import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.work.WorkFactory;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Provides the server. A graph that binds no controller's or no node's use cases serves without them. */
@Module
public interface GrpcModule {
    @BindsOptionalOf
    ControllerUseCases controller();

    @BindsOptionalOf
    NodeUseCases node();

    @Provides
    @Singleton
    static GrpcServer server(
            GrpcSettings settings,
            Optional<ControllerUseCases> controller,
            Optional<NodeUseCases> node,
            WorkFactory works,
            Executor executor,
            GrpcServer.RpcListener listener) {
        return new GrpcServer(settings, controller, node, works, executor, listener);
    }
}
