package dev.fairlead.adapter.grpc;

import dev.fairlead.adapter.grpc.socket.GrpcSettings;
import io.grpc.stub.StreamObserver;
import java.util.function.Consumer;
import pluginregistration.v1.InfoRequest;
import pluginregistration.v1.PluginInfo;
import pluginregistration.v1.RegistrationGrpc;
import pluginregistration.v1.RegistrationStatus;
import pluginregistration.v1.RegistrationStatusResponse;

/** Tells kubelet at a registration socket which driver this is and where, and is told what became of it. */
final class RegistrationService extends RegistrationGrpc.RegistrationImplBase {
    private static final String TYPE = "CSIPlugin";

    /** The version of the protocol between kubelet and a CSI driver; kubelet takes any 1.x of it. */
    private static final String VERSION = "1.0.0";

    private final PluginInfo info;
    private final Consumer<RegistrationStatus> outcome;

    RegistrationService(GrpcSettings.DriverEndpoints driver, Consumer<RegistrationStatus> outcome) {
        this.info = PluginInfo.newBuilder()
                .setType(TYPE)
                .setName(driver.profile().name())
                .setEndpoint(driver.socket().toAbsolutePath().toString())
                .addSupportedVersions(VERSION)
                .build();
        this.outcome = outcome;
    }

    @Override
    public void getInfo(InfoRequest request, StreamObserver<PluginInfo> out) {
        out.onNext(info);
        out.onCompleted();
    }

    @Override
    public void notifyRegistrationStatus(RegistrationStatus status, StreamObserver<RegistrationStatusResponse> out) {
        outcome.accept(status);
        out.onNext(RegistrationStatusResponse.getDefaultInstance());
        out.onCompleted();
    }
}
