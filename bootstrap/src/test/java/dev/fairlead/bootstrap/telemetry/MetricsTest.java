package dev.fairlead.bootstrap.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.grpc.GrpcServer;
import dev.fairlead.adapter.grpc.GrpcServer.RegistrationState;
import dev.fairlead.application.port.out.store.SharedDisks.PoolPlace;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.service.call.Telemetry.Tried;
import dev.fairlead.application.service.connection.ConnectionStatus;
import dev.fairlead.application.service.connection.ConnectionStatus.State;
import dev.fairlead.domain.connection.ConnectionName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricsTest {
    private static final ConnectionName NAS = new ConnectionName("nas");
    private static final ConnectionName SAN = new ConnectionName("san");

    private final List<ConnectionStatus> statuses = new ArrayList<>();
    private final Metrics metrics = new Metrics("1.2.3");

    MetricsTest() {
        metrics.show(() -> List.copyOf(statuses));
    }

    @Test
    void a_call_is_counted_under_the_labels_that_the_sidecars_use() {
        metrics.ended(call("OK", 30));
        metrics.ended(call("DEADLINE_EXCEEDED", 7_000));

        assertThat(metrics.scrape())
                .contains(
                        "fairlead_csi_operations_seconds_count{driver_name=\"a.b\",grpc_status_code=\"OK\","
                                + "method_name=\"/csi.v1.Controller/CreateVolume\"} 1",
                        "grpc_status_code=\"DeadlineExceeded\"",
                        "method_name=\"/csi.v1.Controller/CreateVolume\",le=\"0.1\"} 1",
                        "method_name=\"/csi.v1.Controller/CreateVolume\",le=\"0.025\"} 0",
                        "le=\"120.0\"",
                        "le=\"+Inf\"");
    }

    @ParameterizedTest
    @CsvSource({
        "OK, OK",
        "CANCELLED, Canceled",
        "NOT_FOUND, NotFound",
        "DEADLINE_EXCEEDED, DeadlineExceeded",
        "INTERNAL, Internal"
    })
    void codes_are_spelled_as_the_sidecars_spell_them(String ours, String theirs) {
        assertThat(StatusNames.asSidecarsWrite(ours)).isEqualTo(theirs);
    }

    @Test
    void pools_on_the_operating_system_s_disk_count_under_kubevirt_s_name_as_one() {
        List<PoolPlace> places = new ArrayList<>();
        statuses.add(serving(NAS));
        metrics.showPools(() -> List.copyOf(places));

        assertThat(metrics.scrape()).doesNotContain("kubevirt_hpp_pool_path_shared_with_os");
        places.add(new PoolPlace(NAS, "slow", false));
        assertThat(metrics.scrape()).contains("\nkubevirt_hpp_pool_path_shared_with_os 0");
        places.add(new PoolPlace(NAS, "root", true));
        assertThat(metrics.scrape())
                .contains(
                        "\nkubevirt_hpp_pool_path_shared_with_os 1",
                        "fairlead_pool_shares_system_disk{connection=\"nas\",pool=\"slow\"} 0",
                        "fairlead_pool_shares_system_disk{connection=\"nas\",pool=\"root\"} 1");
    }

    @Test
    void an_effect_is_counted_under_its_connection_or_as_the_node_s_own() {
        statuses.add(serving(NAS));

        metrics.effect(tried("mkdir", Optional.of(NAS), true));
        metrics.effect(tried("mount", Optional.empty(), false));

        assertThat(metrics.scrape())
                .contains(
                        "fairlead_effects_seconds_count{connection=\"nas\",effect=\"mkdir\",outcome=\"done\"} 1",
                        "fairlead_effects_seconds_count{connection=\"\",effect=\"mount\",outcome=\"failed\"} 1")
                .doesNotContain("/secret/target");
    }

    @Test
    void how_each_connection_is_stands_in_every_scrape() {
        statuses.add(new ConnectionStatus(
                NAS,
                State.STALE,
                Optional.of("local-hostpath"),
                Optional.of(Instant.ofEpochSecond(1_700_000_000)),
                3,
                2,
                1));

        assertThat(metrics.scrape())
                .contains(
                        "fairlead_connection_state{connection=\"nas\",state=\"stale\"} 1.0",
                        "fairlead_connection_state{connection=\"nas\",state=\"serving\"} 0.0",
                        "fairlead_connection_info{connection=\"nas\",driver=\"local-hostpath\"} 1\n",
                        "fairlead_connection_last_load_timestamp_seconds{connection=\"nas\"} 1.7E9",
                        "fairlead_connection_calls{connection=\"nas\"} 3.0",
                        "fairlead_connection_calls_running{connection=\"nas\"} 2.0",
                        "fairlead_connection_calls_waiting{connection=\"nas\"} 1.0");

        statuses.set(0, serving(NAS));
        assertThat(metrics.scrape())
                .contains(
                        "fairlead_connection_state{connection=\"nas\",state=\"stale\"} 0.0",
                        "fairlead_connection_state{connection=\"nas\",state=\"serving\"} 1.0");
    }

    @Test
    void what_becomes_of_files_and_of_calls_that_wait_in_vain_is_counted() {
        statuses.add(serving(NAS));

        metrics.installed(NAS);
        metrics.installed(NAS);
        metrics.rejected(NAS, true);
        metrics.abandoned(NAS);
        metrics.passedOver(NAS);

        assertThat(metrics.scrape())
                .contains(
                        "fairlead_connection_loads_total{connection=\"nas\",result=\"loaded\"} 2.0",
                        "fairlead_connection_loads_total{connection=\"nas\",result=\"rejected\"} 1.0",
                        "fairlead_connection_calls_given_up_total{connection=\"nas\"} 1.0",
                        "fairlead_connection_passed_over_total{connection=\"nas\"} 1.0");
    }

    @Test
    void a_connection_that_is_gone_leaves_no_series_behind() {
        statuses.addAll(List.of(serving(NAS), serving(SAN)));
        for (ConnectionName name : List.of(NAS, SAN)) {
            metrics.installed(name);
            metrics.abandoned(name);
            metrics.effect(tried("mkdir", Optional.of(name), true));
        }
        metrics.effect(tried("mount", Optional.empty(), true));
        String before = metrics.scrape();

        statuses.removeFirst();
        metrics.closed(NAS);

        assertThat(before).contains("connection=\"nas\"");
        assertThat(metrics.scrape())
                .doesNotContain("\"nas\"")
                .contains("fairlead_effects_seconds_count{connection=\"san\"", "{connection=\"\",effect=\"mount\"");
        assertThat(metrics.registry().getMeters())
                .noneMatch(meter -> "nas".equals(meter.getId().getTag(Metrics.CONNECTION)));
    }

    @Test
    void whether_kubelet_knows_the_driver_is_there_where_the_driver_registers() {
        List<GrpcServer.Registration> now = new ArrayList<>();
        now.add(new GrpcServer.Registration("a.b", RegistrationState.REFUSED, "no", 4));
        assertThat(metrics.scrape()).doesNotContain("kubelet");

        metrics.showRegistrations(() -> List.copyOf(now));

        assertThat(metrics.scrape())
                .contains(
                        "fairlead_kubelet_registered{driver_name=\"a.b\"} 0.0",
                        "fairlead_kubelet_registration_refusals_total{driver_name=\"a.b\"} 4.0");
        now.set(0, new GrpcServer.Registration("a.b", RegistrationState.REGISTERED, "", 4));
        assertThat(metrics.scrape()).contains("fairlead_kubelet_registered{driver_name=\"a.b\"} 1.0");
    }

    @Test
    void kernel_calls_that_hang_stand_in_every_scrape_of_a_node_and_no_other() {
        Map<String, Map<String, Integer>> now = new HashMap<>(Map.of("nas", Map.of("question", 2)));
        assertThat(metrics.scrape()).doesNotContain("kernel_calls");

        metrics.showHangingCalls(() -> now);

        assertThat(metrics.scrape())
                .contains("fairlead_node_kernel_calls_hanging{kind=\"question\",server=\"nas\"} 2.0");
        now.remove("nas");
        now.put("", Map.of("question", 0));
        assertThat(metrics.scrape())
                .contains("fairlead_node_kernel_calls_hanging{kind=\"question\",server=\"\"} 0.0")
                .doesNotContain("\"nas\"");
    }

    @Test
    void the_process_and_its_jvm_are_there_with_sane_values() {
        String scrape = metrics.scrape();

        assertThat(scrape).contains("fairlead_build_info{java_version=\"25", "version=\"1.2.3\"} 1\n");
        assertThat(value(scrape, "process_resident_memory_bytes")).isBetween(20e6, 20e9);
        assertThat(value(scrape, "process_threads")).isBetween(5.0, 10_000.0);
        assertThat(value(scrape, "process_open_fds")).isBetween(5.0, 100_000.0);
        assertThat(value(scrape, "process_cpu_seconds_total")).isPositive();
        assertThat(value(scrape, "process_start_time_seconds")).isGreaterThan(1.7e9);
        assertThat(value(scrape, "jvm_memory_used_bytes{area=\"heap\"}")).isPositive();
        assertThat(scrape).contains("jvm_gc_collection_seconds_count{gc=");
    }

    @Test
    void a_kernel_that_tells_nothing_is_no_trouble() {
        var none = new ProcFiles(java.nio.file.Path.of("/proc/none"));

        assertThat(List.of(none.residentBytes(), none.threads(), none.openFiles()))
                .containsOnly(Double.NaN);
    }

    private static double value(String scrape, String series) {
        return scrape.lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    private static GrpcServer.Call call(String code, long millis) {
        return new GrpcServer.Call(
                "a.b", "csi.v1.Controller", "CreateVolume", code, TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private static Tried tried(String kind, Optional<ConnectionName> connection, boolean succeeded) {
        return new Tried(new Effect(kind, "/secret/target"), connection, Duration.ofMillis(1), succeeded);
    }

    private static ConnectionStatus serving(ConnectionName name) {
        return new ConnectionStatus(
                name, State.SERVING, Optional.of("local-hostpath"), Optional.of(Instant.EPOCH), 0, 0, 0);
    }
}
