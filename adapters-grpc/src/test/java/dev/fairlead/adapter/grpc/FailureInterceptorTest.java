package dev.fairlead.adapter.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ControllerGrpc;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteVolumeRequest;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailureInterceptorTest {
    private static final DeleteVolumeRequest DELETE =
            DeleteVolumeRequest.newBuilder().setVolumeId("v:t/x").build();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void what_nobody_foresaw_is_internal_with_an_incident_that_the_log_explains_once(boolean error) throws IOException {
        try (CapturedLogs logs = new CapturedLogs();
                Wire wire = new Wire()) {
            wire.useCases.script(_ -> {
                if (error) {
                    throw new StackOverflowError("innermost detail");
                }
                throw new IllegalStateException("innermost detail");
            });

            Status status = Wire.refused(() -> wire.controller().deleteVolume(DELETE));

            assertThat(status.getCode()).isEqualTo(Status.Code.INTERNAL);
            assertThat(status.getDescription()).startsWith("FL-INT-001 ").doesNotContain("innermost detail");
            Matcher incident = Pattern.compile("incident (\\S+)").matcher(String.valueOf(status.getDescription()));
            assertThat(incident.find()).isTrue();
            assertThat(logs.lines().stream().filter(line -> line.text().contains("innermost detail")))
                    .singleElement()
                    .satisfies(line -> assertThat(line.text()).contains(incident.group(1), "FailureInterceptorTest"));
        }
    }

    @Test
    void a_cause_is_logged_and_never_sent() throws IOException {
        try (CapturedLogs logs = new CapturedLogs();
                Wire wire = new Wire()) {
            wire.useCases.script(_ -> {
                throw new StorageException(
                        new Failure.Unintelligible("tank", "no JSON"), new IOException("deep reason"));
            });

            Status status = Wire.refused(() -> wire.controller().deleteVolume(DELETE));

            assertThat(status.getDescription()).contains("no JSON").doesNotContain("deep reason");
            assertThat(logs.of(FailureInterceptor.class, "WARN"))
                    .singleElement()
                    .satisfies(line -> assertThat(line.text()).contains("deep reason"));
        }
    }

    @Test
    void an_error_of_our_own_behind_a_failure_to_be_retried_is_logged_too() throws IOException {
        try (CapturedLogs logs = new CapturedLogs();
                Wire wire = new Wire()) {
            wire.useCases.script(_ -> {
                throw new StorageException(
                        new Failure.BackendUnavailable("tank", "come again"), new IllegalStateException("our bug"));
            });

            Status status = Wire.refused(() -> wire.controller().deleteVolume(DELETE));

            assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(logs.of(FailureInterceptor.class, "WARN"))
                    .singleElement()
                    .satisfies(line -> assertThat(line.text()).contains("our bug"));
        }
    }

    @Test
    void a_status_has_no_details() throws IOException {
        try (Wire wire = new Wire()) {
            wire.useCases.script(_ -> {
                throw new StorageException(new Failure.VolumeNotFound("v:t/x"));
            });

            Set<String> trailers = trailersOf(wire);

            assertThat(trailers).isSubsetOf("content-type", "date", "server");
        }
    }

    private static Set<String> trailersOf(Wire wire) {
        try {
            return Set.of(wire.controller().deleteVolume(DELETE).toString());
        } catch (StatusRuntimeException e) {
            Metadata trailers = e.getTrailers();
            return trailers == null ? Set.of() : trailers.keys();
        }
    }

    @Test
    void bytes_that_are_no_message_are_a_refused_request() throws IOException {
        try (CapturedLogs logs = new CapturedLogs();
                Wire wire = new Wire()) {
            Status status = wire.sendRaw(ControllerGrpc.getCreateVolumeMethod(), new byte[] {(byte) 0x0A, 0x7F, 1});

            assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(status.getDescription()).startsWith("FL-REQ-001 request: is not a message");
            assertThat(logs.of(RequestLogInterceptor.class, "INFO")).hasSize(1);
        }
    }

    @Test
    void the_log_line_of_a_refused_call_has_its_subject_and_reason() throws IOException {
        try (CapturedLogs logs = new CapturedLogs();
                Wire wire = new Wire()) {
            var request =
                    CreateVolumeRequest.newBuilder().setName("pvc-1\u2028x").build();

            Status status = Wire.refused(() -> wire.controller().createVolume(request));

            assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(logs.of(RequestLogInterceptor.class, "INFO"))
                    .singleElement()
                    .satisfies(line -> assertThat(line.text())
                            .contains("CreateVolume", "pvc-1?x", "INVALID_ARGUMENT", "volume_capabilities: is missing")
                            .doesNotContain("\u2028"));
            assertThat(wire.ended).containsExactly(new Wire.Ended("CreateVolume", "INVALID_ARGUMENT"));
        }
    }
}
