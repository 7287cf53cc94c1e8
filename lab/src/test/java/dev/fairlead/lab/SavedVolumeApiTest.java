package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.affinity.ClusterVolumes;
import dev.fairlead.adapter.k8s.affinity.SavedVolumeWriter;
import dev.fairlead.adapter.k8s.affinity.VolumeChanger;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.KubernetesSettings;
import dev.fairlead.adapter.k8s.api.ObjectFeed;
import dev.fairlead.adapter.k8s.takeover.OtherControllerEvents;
import dev.fairlead.adapter.k8s.takeover.OtherControllerSettings.LeaseName;
import dev.fairlead.adapter.k8s.takeover.OtherControllerWatch;
import dev.fairlead.adapter.k8s.takeover.OtherFields;
import dev.fairlead.adapter.linstor.LinstorModule;
import dev.fairlead.adapter.linstor.LinstorSettings;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.placement.OtherController;
import dev.fairlead.application.port.out.placement.ReplacementListener;
import dev.fairlead.application.port.out.placement.SavedVolumes;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.service.affinity.GuardedChanger;
import dev.fairlead.application.service.affinity.SavedVolumeReader;
import dev.fairlead.application.service.affinity.SavedVolumeRun;
import dev.fairlead.bootstrap.affinity.AffinityOptions;
import dev.fairlead.bootstrap.affinity.AffinityProcess;
import dev.fairlead.bootstrap.affinity.AffinityServing;
import dev.fairlead.bootstrap.affinity.AffinitySources;
import dev.fairlead.bootstrap.affinity.LinstorOptions;
import dev.fairlead.bootstrap.cluster.ClusterAccess;
import dev.fairlead.domain.affinity.ChangeRules;
import dev.fairlead.domain.affinity.PlanLimit;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.HttpClient;
import dev.fairlead.lab.HalfReplacedVolumes.State;
import dev.fairlead.linstor.LinstorSimulator;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ends what LINSTOR's affinity controller left half replaced, on a real API server with the real controllers of volumes
 * and claims: each of the states in which it leaves a volume, and the takeover is killed at each of its calls.
 */
@Tag("cluster")
class SavedVolumeApiTest {
    private static final String DRIVER = "linstor.csi.linbit.com";
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(20), Duration.ofMillis(200));

    /** After this the writes that prepare the states do not count as signs of life. */
    private static final Duration LATER = Duration.ofMinutes(10);

    @TempDir
    Path folder;

    private @Nullable LoopbackApi started;
    private @Nullable LinstorSimulator linstor;

    @BeforeEach
    void start() throws Exception {
        for (String name : List.of("etcd", "kube-apiserver", "kubectl", "kube-controller-manager")) {
            Needs.nothingAgainst(
                    LoopbackApi.program(name).isPresent()
                            ? Optional.empty()
                            : Optional.of(name + " was not built; run lab/kube build"));
        }
        started = LoopbackApi.start(folder.resolve("api"));
        started.startVolumeControllers();
        linstor = LinstorSimulator.start(folder.resolve("linstor"), 0, 0, 0);
        HalfReplacedVolumes.within(() ->
                !api().kubectl("get", "namespace", "default", "-o", "name").isEmpty());
    }

    @AfterEach
    void end() {
        if (linstor != null) {
            linstor.close();
        }
        if (started != null) {
            started.close();
        }
    }

    @Test
    void every_state_is_ended_wherever_the_takeover_is_killed() throws Exception {
        List<State> states = new ArrayList<>();
        for (State state : State.values()) {
            for (int point = 0; point < 2 * state.calls(); point++) {
                states.add(state);
            }
        }
        volumes().volumes(states.size());
        Map<String, JsonObject> before = volumes().objects("pv");
        int index = 0;
        for (State state : State.values()) {
            for (int point = 0; point < 2 * state.calls(); point++) {
                volumes().put(index++, state, before);
                run(point / 2, point % 2 == 1);
            }
        }
        HalfReplacedVolumes.within(() -> {
            run(Integer.MAX_VALUE, false);
            return saved().isEmpty();
        });
        volumes().settle();

        Map<String, JsonObject> after = volumes().objects("pv");
        assertThat(volumes().objects("configmap").keySet()).noneMatch(name -> name.startsWith("fairlead-affinity-"));
        assertThat(after.keySet()).isEqualTo(before.keySet());
        for (int i = 0; i < states.size(); i++) {
            JsonObject was = Objects.requireNonNull(before.get("pv-" + i));
            JsonObject is = Objects.requireNonNull(after.get("pv-" + i));
            boolean whole = states.get(i) == State.MARKED || states.get(i) == State.TERMINATING;
            assertThat(HalfReplacedVolumes.kept(is))
                    .as(states.get(i) + " " + i)
                    .isEqualTo(HalfReplacedVolumes.kept(whole ? was : HalfReplacedVolumes.record(was)));
        }
    }

    @Test
    void while_its_lease_is_renewed_nothing_is_written_and_then_it_goes_on() throws Exception {
        volumes().volumes(1);
        volumes().put(0, State.GONE, volumes().objects("pv"));
        lease("2026-01-01T00:00:00.000000Z");
        OtherController other = other(client(), new OtherFields(), InstantSource.system());
        for (int second = 1; second <= 4; second++) {
            lease("2026-01-01T00:00:0" + second + ".000000Z");
            assertThatThrownBy(() -> guarded(client(), catalog(client(), new OtherFields()), other)
                            .resume(() -> true))
                    .isInstanceOf(StorageException.class)
                    .satisfies(e ->
                            assertThat(((StorageException) e).failure().code()).isEqualTo("FL-AFF-011"));
            TimeUnit.SECONDS.sleep(1);
        }
        assertThat(volumes().objects("pv")).isEmpty();
        assertThat(saved()).hasSize(1);
        assertThat(api().kubectl("get", "events", "-n", "default", "-o", "json"))
                .contains("VolumeAffinityStopped", "FL-AFF-011");

        // The holder is gone, and its Lease of 2 s runs out.
        HalfReplacedVolumes.within(() -> {
            try {
                guarded(client(), catalog(client(), new OtherFields()), other).resume(() -> true);
            } catch (StorageException _) {
                TimeUnit.SECONDS.sleep(1);
            }
            return saved().isEmpty();
        });
        volumes().settle();
        assertThat(api().kubectl("get", "events", "-n", "default", "-o", "json"))
                .contains("VolumeAffinityGoesOn");
    }

    @Test
    void the_process_tells_what_was_left_and_ends_it_after_a_minute() throws Exception {
        volumes().volumes(1);
        volumes().keep(0, volumes().objects("pv"));
        api().kubectl("patch", "pv", "pv-0", "--type=merge", "-p", HalfReplacedVolumes.MARK);
        String address = Objects.requireNonNull(linstor).url().toString();
        Map<String, String> environment = Map.of("LS_CONTROLLERS", address);
        AffinityOptions options = new AffinityOptions(
                List.of(),
                Optional.empty(),
                Optional.of(new LinstorOptions(Optional.empty(), false)),
                Optional.of("default"),
                "fairlead-affinity",
                Duration.ofSeconds(5),
                50,
                new ChangeRules(Duration.ofSeconds(5)),
                PlanLimit.USUAL,
                Set.of(),
                AffinityServing.USUAL);
        AffinityProcess process = new AffinityProcess(
                options,
                access(),
                AffinitySources.of(options, environment),
                AffinitySources.saved(options, environment),
                "test");

        assertThat(process.plan().notes())
                .singleElement()
                .satisfies(note -> assertThat(note.text()).contains("pv-0", "reclaim policy"))
                .satisfies(note -> assertThat(note.changes()).isTrue());
        assertThat(saved()).hasSize(1);
        Thread acting = Thread.ofPlatform().start(() -> {
            try {
                process.act();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        try {
            HalfReplacedVolumes.within(() -> saved().isEmpty());
            HalfReplacedVolumes.within(() -> api().kubectl("get", "events", "-n", "default", "-o", "json")
                    .contains("VolumeAffinityChanged"));
        } finally {
            acting.interrupt();
            acting.join();
        }
        assertThat(volumes().objects("pv").toString())
                .doesNotContain("skip-reclaim")
                .contains("\"persistentVolumeReclaimPolicy\":\"Delete\"");
    }

    private void lease(String renewed) throws Exception {
        api().apply("""
                apiVersion: coordination.k8s.io/v1
                kind: Lease
                metadata: {name: other, namespace: default}
                spec: {holderIdentity: other-1, leaseDurationSeconds: 2, renewTime: "%s"}
                """.formatted(renewed));
    }

    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    /** What a process does from its start to its end, or until it is cut at one of its calls. */
    private void run(int cutAt, boolean afterwards) throws Exception {
        ApiClient client = client();
        int[] made = {0};
        ApiCalls cut = (request, patience) -> {
            if (made[0]++ < cutAt) {
                return client.ask(request, patience);
            }
            if (afterwards) {
                client.ask(request, patience);
            }
            throw new Killed();
        };
        OtherFields fields = new OtherFields();
        InstantSource later = InstantSource.offset(InstantSource.system(), LATER);
        try {
            guarded(cut, catalog(client, fields), other(client, fields, later)).resume(() -> true);
        } catch (Killed _) {
            // The next run goes on.
        }
    }

    private GuardedChanger guarded(ApiCalls calls, ClusterVolumes catalog, OtherController other) {
        var writer = new VolumeChanger(
                calls, "default", DRIVER::equals, PATIENCE, LONG.dividedBy(4), BACKOFF, ReplacementListener.NONE);
        var run = new SavedVolumeRun(
                new SavedVolumeReader(
                        keeping(), InstantSource.system(), Thread.ofVirtual().factory(), () -> {}),
                new SavedVolumeWriter(calls, "default", PATIENCE),
                catalog,
                other,
                Duration.ZERO);
        return new GuardedChanger(writer, other, run, catalog, DRIVER::equals);
    }

    private static OtherController other(ApiClient client, OtherFields fields, InstantSource wall) {
        LeaseName lease = new LeaseName("default", "other");
        var events = new OtherControllerEvents(client, Optional.of(lease), DRIVER, wall);
        return new OtherControllerWatch(client, List.of(lease), fields, events, PATIENCE, wall, InstantSource.system());
    }

    private static ClusterVolumes catalog(ApiClient client, OtherFields fields) {
        ClusterVolumes now = new ClusterVolumes(
                client,
                DRIVER::equals,
                new ObjectFeed.Times(PATIENCE, LONG, LONG, BACKOFF, Duration.ofSeconds(1)),
                _ -> {},
                fields);
        now.list();
        return now;
    }

    private ApiClient client() {
        return new ApiClient(access(), HttpClient.USUAL_BACKOFF);
    }

    private KubernetesSettings access() {
        String file = api().adminKubeconfig().toString();
        return ClusterAccess.read(name -> name.equals("KUBECONFIG") ? file : "", folder);
    }

    private SavedVolumes keeping() {
        String controller = Objects.requireNonNull(linstor).url().toString();
        return LinstorModule.saved(LinstorSettings.read(
                        name -> name.equals("LS_CONTROLLERS") ? controller : "",
                        Optional.empty(),
                        false,
                        "test",
                        new Problems("test"))
                .orElseThrow());
    }

    private List<String> saved() {
        try (SavedVolumes all = keeping()) {
            return all.all().stream().map(one -> one.place()).toList();
        }
    }

    private HalfReplacedVolumes volumes() {
        return new HalfReplacedVolumes(api(), Objects.requireNonNull(linstor));
    }

    private LoopbackApi api() {
        return Objects.requireNonNull(started);
    }
}
