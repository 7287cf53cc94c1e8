package dev.fairlead.lab.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.k8s.affinity.ClusterVolumes;
import dev.fairlead.adapter.k8s.affinity.VolumeChanger;
import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.adapter.k8s.api.ObjectFeed;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.ReplacementListener;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.bootstrap.cluster.ClusterAccess;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.domain.topology.TopologySegment;
import dev.fairlead.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Changes the affinity of volumes, call by call, on a real API server with the real controllers of volumes and claims.
 */
@Tag("cluster")
class AffinityApiTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(20), Duration.ofMillis(200));
    private static final Map<String, List<String>> MOVED = Map.of("nas", List.of("b"));

    @TempDir
    Path folder;

    @Test
    void every_call_of_a_replacement_may_be_the_last() throws Exception {
        int calls;
        try (AffinityWorld world = AffinityWorld.start(folder.resolve("one"), AffinityWorld.Controllers.QUICK)) {
            world.volumes(List.of("nas"));
            calls = run(world, Integer.MAX_VALUE, false, 0).size();
            world.ends(MOVED, () -> "");
        }
        try (AffinityWorld world = AffinityWorld.start(folder.resolve("all"), AffinityWorld.Controllers.QUICK)) {
            world.volumes(Collections.nCopies(2 * calls, "nas"));
            int volume = 0;
            for (boolean afterwards : new boolean[] {false, true}) {
                for (int at = 0; at < calls; at++) {
                    run(world, at, afterwards, volume);
                    run(world, Integer.MAX_VALUE, false, volume++);
                }
            }
            System.out.println(2 * calls + " kill points: before and after each of " + calls + " calls");
            world.ends(MOVED, () -> "");
        }
    }

    @Test
    void with_the_gate_nothing_is_replaced() throws Exception {
        try (AffinityWorld world = AffinityWorld.start(
                folder, AffinityWorld.Controllers.QUICK, "--feature-gates=MutablePVNodeAffinity=true")) {
            world.volumes(List.of("nas", "nas"));

            run(world, Integer.MAX_VALUE, false, 0);
            run(world, Integer.MAX_VALUE, false, 1);

            world.ends(MOVED, () -> "");
            world.sameObjects();
        }
    }

    @Test
    void volumes_are_listed_once_however_often_a_watch_ends() throws Exception {
        try (AffinityWorld world = AffinityWorld.start(folder, AffinityWorld.Controllers.QUICK)) {
            world.volumes(Collections.nCopies(60, "nas"));
            ClusterVolumes seen = new ClusterVolumes(client(world), "org.example.csi"::equals, times(1), _ -> {});
            List<Thread> threads =
                    seen.watches().stream().map(Thread.ofVirtual()::start).toList();
            AffinityWorld.within(LONG, () -> seen.lists() == 2 && seen.volumes().size() == 60);

            TimeUnit.SECONDS.sleep(4);
            world.api().kubectl("annotate", "pv", "pv-007", "fairlead.dev/affinity=paused");
            AffinityWorld.within(
                    LONG,
                    () -> seen.volume("pv-007").orElseThrow().use().paused().isPresent());
            world.api().kubectl("delete", "pv", "pv-008", "--wait=false");
            AffinityWorld.within(
                    LONG, () -> seen.volume("pv-008").orElseThrow().use().deletionBegun());
            assertThat(seen.lists()).isEqualTo(2);
            threads.forEach(Thread::interrupt);
        }
    }

    /** What a process does from its start to its end, or until it is cut at one of its calls. */
    private List<String> run(AffinityWorld world, int cutAt, boolean afterwards, int index) throws Exception {
        List<String> made = new ArrayList<>();
        ApiClient client = client(world);
        ApiCalls cut = (request, patience) -> {
            made.add(request.what());
            return made.size() <= cutAt ? client.ask(request, patience) : killed(client, request, afterwards, patience);
        };
        VolumeChanger writer =
                new VolumeChanger(cut, "default", _ -> true, PATIENCE, LONG, BACKOFF, ReplacementListener.NONE);
        try {
            writer.resume(() -> true);
            Optional<AffinityChange> change = change(world, index);
            if (change.isPresent()) {
                ChangeOutcome outcome = writer.change(change.get(), _ -> true);
                assertThat(outcome.result()).as(outcome.text()).isIn(Result.REPLACED, Result.IN_PLACE);
            }
        } catch (Killed _) {
            // The next run goes on.
        }
        return made;
    }

    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    private static ApiAnswer killed(ApiClient client, ApiRequest request, boolean afterwards, Duration patience) {
        if (afterwards) {
            client.ask(request, patience);
        }
        throw new Killed();
    }

    private Optional<AffinityChange> change(AffinityWorld world, int index) {
        ClusterVolumes now = new ClusterVolumes(client(world), "org.example.csi"::equals, times(60), _ -> {});
        now.list();
        String name = AffinityWorld.volume(index);
        KnownVolume volume = now.volume(name).orElseThrow();
        NodeAffinity to = NodeAffinity.of(VolumePlacement.within(
                        List.of(TopologySegment.of(Map.of(AffinityWorld.PREFIX + "/zone", "b")))))
                .orElseThrow();
        return volume.affinity().equals(to)
                ? Optional.empty()
                : Optional.of(
                        new AffinityChange(name, volume.uid(), volume.affinity(), to, "test", "why", Optional.empty()));
    }

    private static ObjectFeed.Times times(int watchSeconds) {
        return new ObjectFeed.Times(PATIENCE, Duration.ofSeconds(watchSeconds), LONG, BACKOFF, Duration.ofSeconds(1));
    }

    private ApiClient client(AffinityWorld world) {
        String file = world.account().kubeconfig().toString();
        return new ApiClient(
                ClusterAccess.read(name -> name.equals("KUBECONFIG") ? file : "", folder), HttpClient.USUAL_BACKOFF);
    }
}
