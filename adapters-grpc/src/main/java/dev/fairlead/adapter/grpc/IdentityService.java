package dev.fairlead.adapter.grpc;

import com.google.protobuf.BoolValue;
import csi.v1.GetPluginCapabilitiesRequest;
import csi.v1.GetPluginCapabilitiesResponse;
import csi.v1.GetPluginInfoRequest;
import csi.v1.GetPluginInfoResponse;
import csi.v1.IdentityGrpc;
import csi.v1.ProbeRequest;
import csi.v1.ProbeResponse;
import dev.fairlead.adapter.grpc.message.CapabilityEncoder;
import dev.fairlead.application.port.in.DriverProfile;
import io.grpc.stub.StreamObserver;
import java.util.function.BooleanSupplier;

/**
 * Says who the driver is, what it can, and whether it serves.
 *
 * <p>Probe looks at this process alone, never at a connection: a storage that is down must not make the cluster restart
 * the driver, which would take the other connections down too.
 */
final class IdentityService extends IdentityGrpc.IdentityImplBase {
    private final DriverProfile profile;
    private final BooleanSupplier serving;

    IdentityService(DriverProfile profile, BooleanSupplier serving) {
        this.profile = profile;
        this.serving = serving;
    }

    @Override
    public void getPluginInfo(GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> out) {
        out.onNext(GetPluginInfoResponse.newBuilder()
                .setName(profile.name())
                .setVendorVersion(profile.vendorVersion())
                .build());
        out.onCompleted();
    }

    @Override
    public void getPluginCapabilities(
            GetPluginCapabilitiesRequest request, StreamObserver<GetPluginCapabilitiesResponse> out) {
        out.onNext(CapabilityEncoder.plugin(profile));
        out.onCompleted();
    }

    @Override
    public void probe(ProbeRequest request, StreamObserver<ProbeResponse> out) {
        out.onNext(ProbeResponse.newBuilder()
                .setReady(BoolValue.of(serving.getAsBoolean()))
                .build());
        out.onCompleted();
    }
}
