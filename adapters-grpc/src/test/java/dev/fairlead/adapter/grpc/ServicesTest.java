package dev.fairlead.adapter.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ProbeResponse;
import dev.fairlead.adapter.grpc.call.UnaryCall;
import dev.fairlead.application.port.in.DriverProfile;
import io.grpc.Drainable;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.lite.ProtoLiteUtils;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ServicesTest {
    private static final DriverProfile PROFILE =
            new DriverProfile("few.example.org", "9", Set.of(), Set.of(), Set.of(), Set.of());

    private static Services services() {
        return new Services(
                Optional.empty(),
                Optional.empty(),
                new UnaryCall(
                        (id, what, wait, cancelled) -> new RecordedWork(id, what, wait.orElseThrow(), cancelled),
                        Runnable::run,
                        Duration.ofSeconds(1)),
                GrpcServer.RpcListener.NONE,
                new MessageLogInterceptor(false));
    }

    /** Otherwise gRPC buffers each answer twice, 8 KiB each time. */
    @Test
    void an_answer_writes_itself_to_the_wire() {
        for (ServerServiceDefinition service : services().of(PROFILE)) {
            assertThat(service.getMethods()).isNotEmpty().allSatisfy(method -> {
                MethodDescriptor<?, ?> descriptor = method.getMethodDescriptor();
                InputStream answer = ProtoLiteUtils.marshaller(ProbeResponse.getDefaultInstance()).stream(
                        ProbeResponse.getDefaultInstance());

                assertThat(descriptor.parseResponse(answer)).isInstanceOf(Drainable.class);
            });
        }
    }
}
