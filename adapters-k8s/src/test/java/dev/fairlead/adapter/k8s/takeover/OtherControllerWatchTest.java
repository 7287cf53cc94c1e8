package dev.fairlead.adapter.k8s.takeover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.adapter.k8s.takeover.OtherControllerSettings.LeaseName;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** By what LINSTOR's affinity controller shows that it lives, and how long that holds. */
class OtherControllerWatchTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final OtherFields fields = new OtherFields();
    private final List<JsonObject> events = new ArrayList<>();
    private final OtherControllerWatch watch = watch(List.of(LeaseName.USUAL));
    private ApiAnswer lease = new ApiAnswer.Refused(404, "NotFound", "");
    private Duration passed = Duration.ZERO;

    private OtherControllerWatch watch(List<LeaseName> leases) {
        ApiCalls api = this::answer;
        var told = new OtherControllerEvents(
                api, leases.stream().findFirst(), "linstor.csi.linbit.com", () -> START.plus(passed));
        return new OtherControllerWatch(
                api,
                leases,
                fields,
                told,
                Duration.ofSeconds(1),
                () -> START.plus(passed),
                () -> Instant.EPOCH.plus(passed));
    }

    private ApiAnswer answer(ApiRequest request, Duration patience) {
        if (request.verb() == ApiRequest.Verb.GET) {
            assertThat(String.join("/", request.path()))
                    .isEqualTo("apis/coordination.k8s.io/v1/namespaces/piraeus-datastore/leases/"
                            + "linstor-affinity-controller");
            return lease;
        }
        JsonObject event = request.body().orElseThrow().getAsJsonObject();
        events.add(event);
        return new ApiAnswer.Done(event);
    }

    @Test
    void without_a_lease_and_writes_nobody_lives() {
        fields.listed();
        assertThat(watch.alive()).isEmpty();
        assertThat(watch.shown()).isEmpty();
    }

    @Test
    void a_lease_that_is_renewed_shows_life_and_one_that_is_not_does_so_for_twice_its_duration() {
        held("pod-1", "2020-01-01T00:00:00.000000Z", 30);
        assertThat(watch.alive()).hasValueSatisfying(sign -> assertThat(sign).contains("pod-1", "60 s"));
        wait(10);
        held("pod-1", "2020-01-01T00:00:10.000000Z", 30);
        assertThat(watch.alive()).hasValueSatisfying(sign -> assertThat(sign).contains("is renewed"));
        wait(59);
        assertThat(watch.alive()).isPresent();
        wait(2);
        assertThat(watch.alive()).isEmpty();
        wait(1000);
        held("pod-2", "2020-01-01T00:00:11.000000Z", 30);
        wait(3);
        assertThat(watch.alive()).isPresent();
    }

    @Test
    void a_lease_that_was_given_up_shows_nothing() {
        held("pod-1", "2020-01-01T00:00:00.000000Z", 30);
        assertThat(watch.alive()).isPresent();
        held("", "2020-01-01T00:00:05.000000Z", 1);
        wait(3);
        assertThat(watch.alive()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, 60", "-1, 60", "400, 600", "4000000000, 600"})
    void a_duration_that_is_none_is_the_usual_one_and_a_long_or_endless_one_ends(long seconds, int waited) {
        held("pod-1", "x", seconds);
        assertThat(watch.alive()).isPresent();
        wait(waited - 1);
        assertThat(watch.alive()).isPresent();
        wait(3);
        assertThat(watch.alive()).isEmpty();
    }

    @Test
    void a_lease_that_cannot_be_read_is_not_taken_for_none() {
        lease = new ApiAnswer.Refused(403, "Forbidden", "leases is forbidden");
        assertThatThrownBy(watch::alive)
                .isInstanceOf(StorageException.class)
                .satisfies(e -> assertThat(((StorageException) e).failure().message())
                        .contains("piraeus-datastore/linstor-affinity-controller", "--old-lease"));
    }

    @Test
    void the_clocks_are_believed_for_what_is_shown_at_once() {
        held("pod-1", "2025-12-31T23:59:30.123456Z", 30);
        assertThat(watch.shown()).hasValueSatisfying(sign -> assertThat(sign).contains("pod-1", "23:59:30"));
        held("pod-1", "2025-12-31T23:58:59.123456Z", 30);
        assertThat(watch.shown()).isEmpty();
        held("pod-1", "rubbish", 30);
        assertThat(watch.shown()).isEmpty();
    }

    @Test
    void a_write_shows_life_for_two_minutes_and_old_writes_show_nothing() {
        written("pvc-1", "linstor-affinity-controller-v1", "2025-12-31T20:00:00Z");
        written("pvc-2", "csi-provisioner", "2025-12-31T23:59:59Z");
        fields.listed();
        assertThat(watch.alive()).isEmpty();

        written("pvc-1", "linstor-affinity-controller-v1", "2025-12-31T20:00:01Z");
        assertThat(watch.alive()).hasValueSatisfying(sign -> assertThat(sign).contains("pvc-1", "20:00:01"));
        wait(119);
        assertThat(watch.alive()).isPresent();
        wait(2);
        assertThat(watch.alive()).isEmpty();
    }

    @Test
    void a_write_just_before_the_start_counts() {
        written("pvc-1", "linstor-affinity-controller-v1", "2025-12-31T23:59:00Z");
        fields.listed();
        assertThat(watch.alive()).isPresent();
        assertThat(watch.shown()).isPresent();
        wait(121);
        assertThat(watch.alive()).isEmpty();
    }

    @Test
    void what_it_keeps_elsewhere_counts_like_a_write() {
        watch.wrote("it has just written a property");
        assertThat(watch.alive()).contains("it has just written a property");
        wait(121);
        assertThat(watch.alive()).isEmpty();
    }

    @Test
    void its_life_is_told_by_an_event_with_a_code_on_its_lease_and_its_end_by_another() {
        watch.announce(Optional.empty());
        assertThat(events).isEmpty();
        watch.announce(Optional.of("it renews"));
        watch.announce(Optional.of("it renews again"));
        assertThat(events).hasSize(1);
        JsonObject event = events.getFirst();
        assertThat(Json.text(event, "reason")).contains("VolumeAffinityStopped");
        assertThat(Json.text(event, "message").orElseThrow())
                .startsWith("FL-AFF-011 ")
                .contains("it renews");
        assertThat(Json.text(Json.child(event, "involvedObject"), "kind")).contains("Lease");
        wait(1801);
        watch.announce(Optional.of("it renews"));
        assertThat(events).hasSize(2);

        watch.announce(Optional.empty());
        watch.announce(Optional.empty());
        assertThat(events).hasSize(3);
        assertThat(Json.text(events.getLast(), "reason")).contains("VolumeAffinityGoesOn");
    }

    @Test
    void without_a_lease_the_event_is_on_the_driver() {
        watch(List.of()).announce(Optional.of("it writes"));
        assertThat(Json.text(Json.child(events.getFirst(), "involvedObject"), "name"))
                .contains("linstor.csi.linbit.com");
    }

    private void wait(int seconds) {
        passed = passed.plusSeconds(seconds);
    }

    private void held(String holder, String renewed, long seconds) {
        lease = new ApiAnswer.Done(
                Json.object("""
                {"kind": "Lease", "spec": {"holderIdentity": "%s", "renewTime": "%s", "leaseDurationSeconds": %d}}""".formatted(holder, renewed, seconds)).orElseThrow());
        wait(3);
    }

    private void written(String volume, String manager, String time) {
        fields.see(Json.object("""
                {"metadata": {"name": "%s", "managedFields": [{"manager": "%s", "operation": "Apply", "time": "%s"}]}}""".formatted(volume, manager, time)).orElseThrow());
    }
}
