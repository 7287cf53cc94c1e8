package dev.fairlead.adapter.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.DeleteVolumeRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.ProbeRequest;
import dev.fairlead.application.port.in.list.Listing;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MessageLogTest {
    private static final DeleteVolumeRequest DELETE = DeleteVolumeRequest.newBuilder()
            .setVolumeId("v:tank/pvc-1")
            .putSecrets("password", "hunter2")
            .build();

    @Test
    void bodies_are_at_debug_unless_they_are_asked_for() throws IOException {
        List<CapturedLogs.Line> lines = lines(false, wire -> wire.controller().deleteVolume(DELETE));

        assertThat(lines).extracting(CapturedLogs.Line::level).containsExactly("DEBUG", "DEBUG");
    }

    @Test
    void bodies_that_are_asked_for_are_at_info_without_secrets() throws IOException {
        List<CapturedLogs.Line> lines = lines(true, wire -> wire.controller().deleteVolume(DELETE));

        assertThat(lines).extracting(CapturedLogs.Line::level).containsExactly("INFO", "INFO");
        assertThat(lines.getFirst().text()).contains("request", "DeleteVolume", "v:tank/pvc-1");
        assertThat(lines.toString()).doesNotContain("hunter2");
    }

    @Test
    void health_checks_stay_at_debug() throws IOException {
        List<CapturedLogs.Line> lines = lines(true, wire -> wire.identity().probe(ProbeRequest.getDefaultInstance()));

        assertThat(lines).extracting(CapturedLogs.Line::level).containsExactly("DEBUG", "DEBUG");
    }

    @Test
    void a_long_body_is_cut() throws IOException {
        List<CapturedLogs.Line> lines = lines(true, wire -> {
            wire.useCases.script(_ -> new Listing<>(Collections.nCopies(1000, UseCaseFakes.VOLUME), Optional.empty()));
            wire.controller().listVolumes(ListVolumesRequest.getDefaultInstance());
        });

        assertThat(lines.getLast().text()).contains("response").hasSizeBetween(10_000, 20_000);
    }

    private interface Call {
        void on(Wire wire);
    }

    private static List<CapturedLogs.Line> lines(boolean atInfo, Call call) throws IOException {
        try (CapturedLogs logs = new CapturedLogs();
                Wire wire = new Wire(UseCaseFakes.profile("csi.example.org"), Duration.ofSeconds(30), atInfo)) {
            call.on(wire);
            return logs.lines().stream()
                    .filter(line -> line.logger().equals(MessageLogInterceptor.class.getName()))
                    .toList();
        }
    }
}
