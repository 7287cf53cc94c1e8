package dev.fairlead.adapter.grpc.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.grpc.Wire;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class HealthServiceTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "csi.v1.Identity", "csi.v1.Controller", "csi.v1.Node"})
    void what_is_served_is_serving(String service) throws IOException {
        try (Wire wire = new Wire()) {
            var answer = HealthGrpc.newBlockingStub(wire.channel).check(request(service));

            assertThat(answer.getStatus()).isEqualTo(ServingStatus.SERVING);
        }
    }

    @Test
    void what_is_not_served_is_not_found() throws IOException {
        try (Wire wire = new Wire()) {
            Status status = Wire.refused(
                    () -> HealthGrpc.newBlockingStub(wire.channel).check(request("csi.v1.GroupController")));

            assertThat(status.getCode()).isEqualTo(Status.Code.NOT_FOUND);
        }
    }

    @Test
    void a_watcher_is_told_of_the_end_and_does_not_hold_it_up() throws IOException {
        try (Wire wire = new Wire()) {
            Iterator<HealthCheckResponse> watch =
                    HealthGrpc.newBlockingStub(wire.channel).watch(request(""));
            Iterator<HealthCheckResponse> other =
                    HealthGrpc.newBlockingStub(wire.channel).watch(request("nobody.Knows"));
            assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.SERVING);
            assertThat(other.next().getStatus()).isEqualTo(ServingStatus.SERVICE_UNKNOWN);

            boolean inTime = wire.drained(Duration.ofSeconds(10));

            assertThat(inTime).isTrue();
            assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
            assertThat(watch.hasNext()).isFalse();
        }
    }

    private static HealthCheckRequest request(String service) {
        return HealthCheckRequest.newBuilder().setService(service).build();
    }
}
