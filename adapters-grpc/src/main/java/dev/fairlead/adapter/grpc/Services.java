package dev.fairlead.adapter.grpc;

import csi.v1.ControllerGrpc;
import csi.v1.IdentityGrpc;
import csi.v1.NodeGrpc;
import dev.fairlead.adapter.grpc.call.HealthService;
import dev.fairlead.adapter.grpc.call.RequestIds;
import dev.fairlead.adapter.grpc.call.UnaryCall;
import dev.fairlead.adapter.grpc.controller.ControllerService;
import dev.fairlead.adapter.grpc.controller.GroupControllerService;
import dev.fairlead.adapter.grpc.node.NodeService;
import dev.fairlead.application.port.in.ControllerUseCases;
import dev.fairlead.application.port.in.DriverProfile;
import dev.fairlead.application.port.in.NodeUseCases;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Makes the services of a driver, with the interceptors around every call of them. */
final class Services {
    private final Optional<ControllerUseCases> controller;
    private final Optional<NodeUseCases> node;
    private final UnaryCall calls;
    private final HealthService health;
    private final RequestIds ids = new RequestIds();
    private final GrpcServer.RpcListener listener;
    private final MessageLogInterceptor messages;
    private volatile boolean serving = true;

    Services(
            Optional<ControllerUseCases> controller,
            Optional<NodeUseCases> node,
            UnaryCall calls,
            GrpcServer.RpcListener listener,
            MessageLogInterceptor messages) {
        this.controller = controller;
        this.node = node;
        this.calls = calls;
        Set<String> names = new HashSet<>(Set.of(IdentityGrpc.SERVICE_NAME));
        controller.ifPresent(_ -> names.add(ControllerGrpc.SERVICE_NAME));
        node.ifPresent(_ -> names.add(NodeGrpc.SERVICE_NAME));
        this.health = new HealthService(names);
        this.listener = listener;
        this.messages = messages;
    }

    List<ServerServiceDefinition> of(DriverProfile profile) {
        List<ServerServiceDefinition> definitions = new ArrayList<>();
        definitions.add(new IdentityService(profile, () -> serving).bindService());
        definitions.add(health.bindService());
        controller.ifPresent(useCases ->
                definitions.add(OfferedMethods.of(new ControllerService(profile, useCases, calls), profile)));
        controller
                .filter(_ -> profile.services().contains(DriverProfile.Service.GROUP_CONTROLLER_SERVICE))
                .ifPresent(useCases ->
                        definitions.add(new GroupControllerService(useCases.groups(), calls).bindService()));
        node.ifPresent(
                useCases -> definitions.add(OfferedMethods.of(new NodeService(profile, useCases, calls), profile)));
        List<ServerInterceptor> around =
                List.of(new FailureInterceptor(ids), new RequestLogInterceptor(profile.name(), ids, listener));
        return definitions.stream()
                .map(definition -> wrapped(definition, around))
                .toList();
    }

    /**
     * Puts the interceptors around a service. The one for messages sees them decoded, and is there only if it logs any;
     * the others are outside the decoding, so that bytes that are no message are a refused request like any other.
     */
    private ServerServiceDefinition wrapped(ServerServiceDefinition service, List<ServerInterceptor> around) {
        ServerServiceDefinition logged = messages.logsAny() ? ServerInterceptors.intercept(service, messages) : service;
        return ServerInterceptors.intercept(
                ServerInterceptors.useMarshalledMessages(logged, new FailureInterceptor.Undecoded()), around);
    }

    /** Makes Probe and the health checks say from now on that this process is stopping. */
    void stop() {
        serving = false;
        health.stop();
    }
}
