package dev.fairlead.adapter.k8s.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.adoption.HostpathAdoptions;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.application.port.out.adoption.Adoption;
import dev.fairlead.application.port.out.adoption.AdoptionTarget;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.http.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Volumes of the former hostpath provisioner become the driver's, and theirs again; cut at each call. */
class SourceReplacementCrashTest {
    private static final int VOLUMES = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final AdoptionTarget TARGET = new AdoptionTarget(
            "kubevirt.io.hostpath-provisioner",
            "topology.hostpath.csi/node",
            Map.of("legacy", Path.of("/var/hpvolumes"), "fast", Path.of("/mnt/fast")),
            Optional.empty());

    private static String folder(int index) {
        return (index % 2 == 0 ? "/var/hpvolumes/pvc-" : "/mnt/fast/claim.x-pvc-")
                + "0f0c3a4e-5d8e-4b0e-9e52-6a1b7f2f000" + index;
    }

    private static void add(SimulatedApi api, int index, String path, String annotations, String phase) {
        JsonObject claim = api.add(SimulatedVolumes.CLAIMS + "claim-" + index, """
                {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "claim-%1$d", "namespace": "apps"},
                 "spec": {"volumeName": "pvc-%1$d"}}""".formatted(index));
        api.add(SimulatedVolumes.KIND + "pvc-" + index, """
                {"apiVersion": "v1", "kind": "PersistentVolume",
                 "metadata": {"name": "pvc-%1$d", "annotations": {%4$s}, "finalizers": ["kubernetes.io/pv-protection"]},
                 "spec": {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "99Gi"},
                   "claimRef": {"kind": "PersistentVolumeClaim", "namespace": "apps", "name": "claim-%1$d", "uid": "%2$s"},
                   "hostPath": {"path": "%3$s", "type": ""},
                   "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [
                     {"key": "kubernetes.io/hostname", "operator": "In", "values": ["node-1"]}]}]}},
                   "persistentVolumeReclaimPolicy": "Delete", "storageClassName": "hpp", "volumeMode": "Filesystem"},
                 "status": {"phase": "%5$s"}}""".formatted(
                        index, claim.getAsJsonObject("metadata").get("uid").getAsString(), path, annotations, phase));
    }

    private static final String THEIRS = """
            "hostPathProvisionerIdentity": "node-1", "kubevirt.io/provisionOnNode": "node-1",
            "pv.kubernetes.io/provisioned-by": "kubevirt.io/hostpath-provisioner"
            """;

    private static SimulatedApi cluster(int size) {
        SimulatedApi api = new SimulatedApi();
        IntStream.range(0, size).forEach(index -> add(api, index, folder(index), THEIRS, "Bound"));
        return api;
    }

    private static List<JsonObject> volumes(SimulatedApi api) {
        return api.paths(SimulatedVolumes.KIND).stream()
                .map(path -> api.get(path).orElseThrow())
                .toList();
    }

    private static Adoption adoption(SimulatedApi api, ApiCalls calls, boolean back) {
        return adoption(api, calls, back, new Backoff(Duration.ofMillis(1), Duration.ofMillis(2)));
    }

    private static Adoption adoption(SimulatedApi api, ApiCalls calls, boolean back, Backoff backoff) {
        return HostpathAdoptions.over(TARGET, back, () -> volumes(api), calls, "storage", PATIENCE, backoff);
    }

    /** What a process does from its start; one that is cut leaves the rest to the next. */
    private static List<String> run(SimulatedApi api, boolean back, int cutAt, boolean afterwards) {
        CutApi cut = new CutApi(api, cutAt, afterwards);
        try {
            adoption(api, cut, back).act(_ -> {});
        } catch (CutApi.Killed _) {
            // The next run goes on.
        }
        return cut.calls();
    }

    private static List<JsonObject> kept(SimulatedApi api) {
        return volumes(api).stream()
                .map(volume -> {
                    JsonObject kept = SimulatedVolumes.kept(volume);
                    kept.getAsJsonObject("spec")
                            .add("affinity", Json.child(Json.child(volume, "spec"), "nodeAffinity"));
                    return kept;
                })
                .toList();
    }

    private static void assertWhole(SimulatedApi api, int size, String cut) {
        assertThat(api.paths(SimulatedVolumes.INTENTS)).as(cut).isEmpty();
        assertThat(api.deletedStorage()).as(cut).isEmpty();
        assertThat(volumes(api)).as(cut).hasSize(size).allSatisfy(raw -> {
            VolumeObject volume = new VolumeObject(raw);
            assertThat(volume.phase()).isEqualTo("Bound");
            assertThat(volume.policy()).isEqualTo("Delete");
            assertThat(volume.annotations()).doesNotContainKeys(ReplacementMark.INTENT, ReplacementMark.POLICY_BEFORE);
        });
    }

    @Test
    void a_volume_gets_the_same_folder_node_and_claim_from_the_driver() {
        SimulatedApi api = cluster(VOLUMES);
        run(api, false, Integer.MAX_VALUE, false);

        assertWhole(api, VOLUMES, "whole");
        VolumeObject legacy = SimulatedVolumes.volume(api, 0);
        assertThat(legacy.driver()).isEqualTo("kubevirt.io.hostpath-provisioner");
        assertThat(legacy.handle()).isEqualTo("pvc-0f0c3a4e-5d8e-4b0e-9e52-6a1b7f2f0000");
        assertThat(legacy.attributes()).isEqualTo(Map.of("storagePool", "legacy"));
        assertThat(legacy.annotations())
                .containsEntry("pv.kubernetes.io/provisioned-by", "kubevirt.io.hostpath-provisioner");
        assertThat(legacy.affinity()).hasToString("[topology.hostpath.csi/node=node-1]");
        assertThat(legacy.storageClass()).contains("hpp");
        assertThat(SimulatedVolumes.volume(api, 1).handle())
                .isEqualTo("fast/claim.x-pvc-0f0c3a4e-5d8e-4b0e-9e52-6a1b7f2f0001");
        assertThat(adoption(api, api, false).plan()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"false,false", "false,true", "true,false", "true,true"})
    void every_call_may_be_the_last(boolean back, boolean afterwards) {
        SimulatedApi whole = cluster(1);
        List<JsonObject> former = kept(whole);
        run(whole, false, Integer.MAX_VALUE, false);
        List<JsonObject> adopted = kept(whole);
        int calls = run(back ? whole : cluster(1), back, Integer.MAX_VALUE, afterwards)
                .size();
        System.out.println("kill points: " + calls);
        for (int at = 0; at < calls; at++) {
            SimulatedApi api = cluster(1);
            if (back) {
                run(api, false, Integer.MAX_VALUE, false);
            }
            List<String> made = run(api, back, at, afterwards);

            run(api, back, Integer.MAX_VALUE, false);

            assertWhole(api, 1, made.getLast());
            assertThat(kept(api))
                    .as("cut %d, %s", at, made.getLast())
                    .usingRecursiveComparison()
                    .ignoringFieldsMatchingRegexes(".*uid")
                    .isEqualTo(shape(api, back ? former : adopted));
        }
    }

    /** The expected objects with the uids of this cluster's claims. */
    private static List<JsonObject> shape(SimulatedApi api, List<JsonObject> expected) {
        List<JsonObject> shaped = new ArrayList<>();
        for (JsonObject one : expected) {
            JsonObject copy = one.deepCopy();
            JsonObject reference = Json.child(Json.child(copy, "spec"), "claimRef");
            String claim = reference.get("name").getAsString();
            reference.add(
                    "uid",
                    api.get(SimulatedVolumes.CLAIMS + claim)
                            .orElseThrow()
                            .getAsJsonObject("metadata")
                            .get("uid"));
            shaped.add(copy);
        }
        return shaped;
    }

    @Test
    void a_claim_that_is_bound_later_than_one_is_waited_for_is_finished_all_the_same() {
        SimulatedApi api = cluster(VOLUMES);
        // Longer than a tenth of the time of a volume, and shorter than two of them.
        Duration late = PATIENCE.dividedBy(7);
        long[] made = {0};
        ApiCalls slow = (request, patience) -> {
            boolean creates = request.verb() == ApiRequest.Verb.POST
                    && request.path().contains("persistentvolumes")
                    && !request.query().containsKey("dryRun");
            made[0] = creates ? System.nanoTime() : made[0];
            api.holdControllers(made[0] > 0 && System.nanoTime() - made[0] < late.toNanos());
            return api.ask(request, patience);
        };
        List<ChangeOutcome> outcomes = new ArrayList<>();

        adoption(api, slow, false, new Backoff(Duration.ofMillis(20), Duration.ofMillis(20)))
                .act(outcomes::add);

        assertThat(outcomes).extracting(ChangeOutcome::result).contains(ChangeOutcome.Result.UNFINISHED);
        assertWhole(api, VOLUMES, "late");
    }

    @Test
    void what_cannot_be_adopted_says_why_and_others_are_not_meant() {
        SimulatedApi api = new SimulatedApi();
        add(api, 0, "/etc/pvc-0f0c3a4e-5d8e-4b0e-9e52-6a1b7f2f0000", THEIRS, "Bound");
        add(api, 1, "/var/hpvolumes/photos", THEIRS, "Bound");
        add(api, 2, folder(0) + "/deeper", THEIRS, "Bound");
        add(api, 3, folder(0), "\"hostPathProvisionerIdentity\": \"x\"", "Bound");
        add(api, 4, folder(0), "", "Bound");
        add(api, 5, folder(0), THEIRS.replace("kubevirt.io/hostpath-provisioner", "other.io/x"), "Bound");
        List<JsonObject> before = volumes(api);

        assertThat(adoption(api, api, false).plan())
                .extracting(Adoption.Entry::volume)
                .containsExactly("pvc-0", "pvc-1", "pvc-2", "pvc-3");
        assertThat(adoption(api, api, false).plan()).allSatisfy(entry -> {
            assertThat(entry.to()).isEmpty();
            assertThat(entry.why()).isNotEmpty();
        });
        run(api, false, Integer.MAX_VALUE, false);
        assertThat(volumes(api)).isEqualTo(before);
    }

    @Test
    void an_intent_that_asks_for_another_source_is_not_followed() {
        SimulatedApi api = cluster(VOLUMES);
        VolumeObject volume = SimulatedVolumes.volume(api, 0);
        JsonObject becomes = new JsonObject();
        JsonObject spec = Json.child(volume.raw(), "spec").deepCopy();
        Json.child(spec, "hostPath").addProperty("path", "/");
        becomes.add("spec", spec);
        becomes.add("annotations", new JsonObject());
        JsonObject map =
                ReplacementIntent.of(volume, becomes).deleting(volume.version()).configMap("storage");
        api.add(
                SimulatedVolumes.INTENTS
                        + map.getAsJsonObject("metadata").get("name").getAsString(),
                map.toString());
        List<ChangeOutcome> told = new ArrayList<>();

        adoption(api, api, false).act(told::add);

        assertThat(told.getFirst().result()).hasToString("BLOCKED");
        assertThat(Json.child(Json.child(SimulatedVolumes.volume(api, 0).raw(), "spec"), "hostPath")
                        .get("path"))
                .hasToString("\"" + folder(0) + "\"");
    }
}
