package dev.fairlead.adapter.grpc.call;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.DeleteVolumeRequest;
import csi.v1.DeleteVolumeResponse;
import csi.v1.ProbeRequest;
import dev.fairlead.adapter.grpc.CapturedLogs;
import dev.fairlead.adapter.grpc.RecordedWork;
import dev.fairlead.adapter.grpc.RequestLogInterceptor;
import dev.fairlead.adapter.grpc.UseCaseFakes;
import dev.fairlead.adapter.grpc.Wire;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class UnaryCallTest {
    private static final DeleteVolumeRequest DELETE =
            DeleteVolumeRequest.newBuilder().setVolumeId("v:t/x").build();

    /** A body that waits to be let go, then says whether its caller had gone. */
    private static final class HeldBody {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch release = new CountDownLatch(1);
        final BlockingQueue<Boolean> sawCancelled = new LinkedBlockingQueue<>();

        Object run(UseCaseFakes.Call call) {
            begun.countDown();
            await(release);
            sawCancelled.add(((RecordedWork) call.work()).cancelled().getAsBoolean());
            return "plain";
        }

        boolean end() throws InterruptedException {
            release.countDown();
            Boolean saw = sawCancelled.poll(10, TimeUnit.SECONDS);
            assertThat(saw).as("the body went on to its end").isNotNull();
            return Boolean.TRUE.equals(saw);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_caller_whose_deadline_passes_is_answered_while_the_body_goes_on() throws Exception {
        HeldBody body = new HeldBody();
        try (Wire wire = new Wire()) {
            wire.useCases.script(body::run);

            Status status = Wire.refused(() -> wire.controller()
                    .withDeadlineAfter(100, TimeUnit.MILLISECONDS)
                    .deleteVolume(DELETE));

            assertThat(status.getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
            await(wire.hasEnded("DeleteVolume"));
            assertThat(body.end()).isTrue();
        }
    }

    @Test
    void a_caller_without_a_deadline_is_answered_when_the_patience_is_over() throws Exception {
        HeldBody body = new HeldBody();
        try (CapturedLogs logs = new CapturedLogs();
                Wire wire = new Wire(UseCaseFakes.profile("csi.example.org"), Duration.ofMillis(50))) {
            wire.useCases.script(body::run);

            Status status = Wire.refused(() -> wire.controller().deleteVolume(DELETE));

            assertThat(status.getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
            assertThat(status.getDescription()).startsWith("FL-OP-004 DeleteVolume v:t/x was not done within 50 ms");
            assertThat(body.end()).isTrue();
            assertThat(logs.of(RequestLogInterceptor.class, "INFO"))
                    .anySatisfy(line -> assertThat(line.text()).contains("DEADLINE_EXCEEDED"));
        }
    }

    @Test
    void a_caller_that_goes_away_is_seen_by_the_body_and_makes_no_noise() throws Exception {
        HeldBody body = new HeldBody();
        try (CapturedLogs logs = new CapturedLogs();
                Wire wire = new Wire()) {
            wire.useCases.script(body::run);
            var observer = new CancellableObserver();
            ClientCall<DeleteVolumeRequest, DeleteVolumeResponse> call =
                    wire.channel.newCall(csi.v1.ControllerGrpc.getDeleteVolumeMethod(), CallOptions.DEFAULT);
            ClientCalls.asyncUnaryCall(call, DELETE, observer);
            await(body.begun);

            call.cancel("gone", null);
            await(wire.hasEnded("DeleteVolume"));

            assertThat(wire.ended).containsExactly(new Wire.Ended("DeleteVolume", "CANCELLED"));
            assertThat(body.end()).isTrue();
            assertThat(logs.lines())
                    .noneSatisfy(line -> assertThat(line.level()).isIn("WARN", "ERROR", "WARNING", "SEVERE"));
        }
    }

    /** Ignores what comes; the call is cancelled. */
    private static final class CancellableObserver
            implements ClientResponseObserver<DeleteVolumeRequest, DeleteVolumeResponse> {
        @Override
        public void beforeStart(ClientCallStreamObserver<DeleteVolumeRequest> requestStream) {}

        @Override
        public void onNext(DeleteVolumeResponse value) {}

        @Override
        public void onError(Throwable t) {}

        @Override
        public void onCompleted() {}
    }

    @Test
    void the_body_is_told_how_long_its_caller_waits() throws IOException {
        try (Wire wire = new Wire()) {
            var _ = wire.controller().withDeadlineAfter(60, TimeUnit.SECONDS).deleteVolume(DELETE);

            Duration patience = ((RecordedWork) wire.useCases.onlyCall().work()).patience();

            assertThat(patience).isBetween(Duration.ofSeconds(40), Duration.ofSeconds(60));
        }
    }

    @Test
    void held_calls_do_not_hold_others_up() throws Exception {
        HeldBody body = new HeldBody();
        try (Wire wire = new Wire()) {
            wire.useCases.script(body::run);
            CountDownLatch answered = new CountDownLatch(200);
            for (int i = 0; i < 200; i++) {
                Thread.ofVirtual().start(() -> {
                    var _ = wire.controller().deleteVolume(DELETE);
                    answered.countDown();
                });
            }
            await(body.begun);

            var probe = wire.identity().withDeadlineAfter(5, TimeUnit.SECONDS).probe(ProbeRequest.getDefaultInstance());

            assertThat(probe.getReady().getValue()).isTrue();
            body.release.countDown();
            await(answered);
        }
    }

    @Test
    void a_second_caller_is_told_what_is_running() throws IOException {
        try (Wire wire = new Wire()) {
            wire.useCases.script(call -> {
                throw new StorageException(new Failure.OperationPending(
                        "v:t/x", call.work().what(), Duration.ofSeconds(3), "40 of 100 MiB"));
            });

            Status status = Wire.refused(() -> wire.controller().deleteVolume(DELETE));

            assertThat(status.getCode()).isEqualTo(Status.Code.ABORTED);
            assertThat(status.getDescription())
                    .isEqualTo("FL-OP-001 DeleteVolume v:t/x has been at work on v:t/x for 3 s (40 of 100 MiB);"
                            + " it goes on, ask again");
        }
    }

    @Test
    void a_sane_request_id_of_the_caller_is_kept_and_any_other_replaced() throws IOException {
        try (Wire wire = new Wire()) {
            AtomicReference<String> seen = new AtomicReference<>("");
            wire.useCases.script(call -> {
                seen.set(call.work().requestId());
                return "plain";
            });

            callWithRequestId(wire, "req-42");
            assertThat(seen.get()).isEqualTo("req-42");

            callWithRequestId(wire, "no blanks, \"please\"");
            assertThat(seen.get()).matches("[a-z0-9]{4,5}-[a-z0-9]+");
        }
    }

    private static void callWithRequestId(Wire wire, String id) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("x-request-id", Metadata.ASCII_STRING_MARSHALLER), id);
        var _ = wire.controller()
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                .deleteVolume(DELETE);
    }
}
