package dev.fairlead.lab.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures the process over thousands of PersistentVolumes: its memory, its requests while nothing happens, how often
 * it lists, and how soon it acts. Most volumes are LINSTOR's, some are connections'.
 */
@Tag("cluster")
class AffinityScaleTest {
    private static final int VOLUMES = Integer.getInteger("fairlead.affinity.volumes", 500);
    private static final int CUTS = Integer.getInteger("fairlead.affinity.cuts", 6);
    private static final int IDLE_SECONDS = Integer.getInteger("fairlead.affinity.idle", 20);
    private static final long MOST_KIB = 100 * 1024;
    private static final int SETTLE = 30;
    private static final int POLL = 15;
    private static final double GRACE = 2;
    private static final String EDITED = "edited";

    @TempDir
    Path folder;

    @Test
    void thousands_of_volumes_cost_little_and_are_acted_on_soon() throws Exception {
        int ofLinstor = VOLUMES * 97 / 100;
        try (AffinityWorld world = AffinityWorld.start(
                        folder, AffinityWorld.Controllers.NONE, "--feature-gates=MutablePVNodeAffinity=true");
                ManyResources linstor = new ManyResources(ofLinstor);
                Supervisor process = world.supervisor()) {
            world.zones("nas", List.of("z0"));
            world.zones(EDITED, List.of("z0"));
            volumes(world, linstor, ofLinstor);
            Process started = process.start(
                    command(),
                    Map.of("LS_CONTROLLERS", linstor.address(), "MALLOC_ARENA_MAX", "2"),
                    "--csi-name=" + AffinityWorld.PREFIX,
                    "--driver-config-file=" + folder.resolve("main.yaml"));
            AffinityWorld.within(Duration.ofMinutes(2), () -> linstor.looks() >= 2);
            TimeUnit.SECONDS.sleep(POLL);

            long before = linstor.asked();
            world.gate().forgetCounts();
            TimeUnit.SECONDS.sleep(IDLE_SECONDS);
            double minutes = IDLE_SECONDS / 60.0;
            Map<String, Long> idle = new TreeMap<>(world.gate().counts());
            System.out.printf(
                    Locale.ROOT,
                    "%d volumes (%d of LINSTOR), idle: %.0f requests a minute to LINSTOR, %.0f to Kubernetes %s%n",
                    VOLUMES,
                    ofLinstor,
                    (linstor.asked() - before) / minutes,
                    idle.values().stream().mapToLong(Long::longValue).sum() / minutes,
                    idle);
            System.out.println("after " + IDLE_SECONDS + " s of rest: " + memory(started));
            long[] samples = new long[2 * POLL];
            for (int i = 0; i < samples.length; i++) {
                samples[i] = kib(started, "VmRSS");
                TimeUnit.MILLISECONDS.sleep(500);
            }
            Arrays.sort(samples);
            long typical = samples[samples.length / 2];
            System.out.printf(
                    "over one look: %d MiB resident typically, %d at least, %d at most%n",
                    typical / 1024, samples[0] / 1024, samples[samples.length - 1] / 1024);
            assertThat(idle).doesNotContainKey("list volumes");

            List<String> late = new ArrayList<>();
            latencies(world, linstor, late, "");
            cutWatches(world);
            latencies(world, linstor, late, ", after cut watches");
            System.out.println("in the end: " + memory(started) + "; load of the machine "
                    + Files.readString(Path.of("/proc/loadavg")).strip());
            assertThat(late).isEmpty();
            assertThat(typical).as("KiB resident while it watches").isLessThanOrEqualTo(MOST_KIB);
            process.end();
        }
    }

    private void cutWatches(AffinityWorld world) throws Exception {
        world.gate().forgetCounts();
        int cut = 0;
        while (cut < CUTS) {
            cut += world.gate().cutWatches(Duration.ofMillis(1200));
            TimeUnit.MILLISECONDS.sleep(100);
        }
        Map<String, Long> calls = world.gate().counts();
        System.out.println(cut + " watches were cut; calls meanwhile: " + calls);
        assertThat(calls).doesNotContainKeys("list volumes", "list volumeattachments");
    }

    /** A placement settles from the first look at it, and a widening at once. */
    private void latencies(AffinityWorld world, ManyResources linstor, List<String> late, String when)
            throws Exception {
        int base = when.isEmpty() ? 10 : 20;
        int move = base + 1;
        linstor.place(move, List.of(linstor.places(move).getFirst(), (move + 3) % 5));
        linstor.hint(move);
        measured(world, "pv-" + move, "node-" + (move + 3) % 5, "hinted, a node loses it", SETTLE + GRACE, late, when);
        double settled = (System.nanoTime() - linstor.firstLook(move)) / 1e9 - SETTLE;
        System.out.printf(Locale.ROOT, "  that is %.2f s after it settled%n", settled);
        if (settled > GRACE) {
            late.add("settled" + when + ": " + settled);
        }

        int wide = base + 2;
        List<Integer> wider = new ArrayList<>(linstor.places(wide));
        wider.add((wide + 3) % 5);
        linstor.place(wide, wider);
        linstor.hint(wide);
        measured(world, "pv-" + wide, "node-" + (wide + 3) % 5, "hinted, no node loses it", 0, late, when);

        int silent = base + 3;
        List<Integer> more = new ArrayList<>(linstor.places(silent));
        more.add((silent + 3) % 5);
        linstor.place(silent, more);
        measured(world, "pv-" + silent, "node-" + (silent + 3) % 5, "not hinted", POLL, late, when);

        String zone = "z" + base;
        world.zones(EDITED, when.isEmpty() ? List.of("z0", zone) : List.of("z0", "z10", zone));
        // The file counts as written a minute ago.
        measured(world, "pv-" + (VOLUMES - 1), zone, "a connection's file edited", 0, late, when);
    }

    /** Waits for a label's value in the affinity of a volume, and notes if that took too long. */
    private static void measured(
            AffinityWorld world,
            String volume,
            String value,
            String what,
            double allowed,
            List<String> late,
            String when)
            throws Exception {
        long began = System.nanoTime();
        long end = began + TimeUnit.SECONDS.toNanos((long) allowed + 60L);
        while (System.nanoTime() < end && !affinity(world, volume).contains("\"" + value + "\"")) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        double took = (System.nanoTime() - began) / 1e9;
        String text = String.format(
                Locale.ROOT,
                "%s%s: acted on after %.2f s (%.0f s and %.0f s at most)",
                what,
                when,
                took,
                allowed,
                GRACE);
        System.out.println(text);
        if (took > allowed + GRACE) {
            late.add(text);
        }
    }

    private static String affinity(AffinityWorld world, String volume) throws IOException, InterruptedException {
        return world.admin()
                .get("/api/v1/persistentvolumes/" + volume)
                .getAsJsonObject("spec")
                .getAsJsonObject("nodeAffinity")
                .toString();
    }

    /** Makes volumes that count as bound; no controller looks at them. */
    private static void volumes(AffinityWorld world, ManyResources linstor, int ofLinstor) throws Exception {
        world.admin().post("/apis/storage.k8s.io/v1/storageclasses", AffinityWorld.json("""
                {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "linstor"},
                 "provisioner": "linstor.csi.linbit.com",
                 "parameters": {"linstor.csi.linbit.com/allowRemoteVolumeAccess": "false"}}"""));
        for (int node = 0; node < 5; node++) {
            // A volume is not moved to where there is no node.
            world.admin().post("/api/v1/nodes", AffinityWorld.json("""
                    {"apiVersion": "v1", "kind": "Node",
                     "metadata": {"name": "node-%1$d", "labels": {"linbit.com/hostname": "node-%1$d"}}}
                    """.formatted(node)));
        }
        List<Callable<Void>> work = new ArrayList<>();
        for (int i = 0; i < VOLUMES; i++) {
            JsonObject volume = i < ofLinstor
                    ? volume(
                            i,
                            "linstor.csi.linbit.com",
                            ManyResources.name(i),
                            "linstor",
                            "linbit.com/hostname",
                            linstor.places(i).stream()
                                    .map(node -> "node-" + node)
                                    .toList())
                    : volume(
                            i,
                            AffinityWorld.PREFIX,
                            "v:" + (i == VOLUMES - 1 ? EDITED : "nas") + "/vol-" + i,
                            "fast",
                            AffinityWorld.PREFIX + "/zone",
                            List.of("z0"));
            String path = "/api/v1/persistentvolumes";
            String name = AffinityWorld.name(volume);
            work.add(() -> {
                world.admin().post(path, volume);
                world.admin().merge(path + "/" + name + "/status", "{\"status\": {\"phase\": \"Bound\"}}");
                return null;
            });
        }
        long began = System.nanoTime();
        AffinityWorld.atOnce(work);
        System.out.printf("%d volumes made in %.0f s%n", VOLUMES, (System.nanoTime() - began) / 1e9);
    }

    private static JsonObject volume(
            int at, String driver, String handle, String storageClass, String key, List<String> values) {
        List<String> terms = values.stream()
                .map(value -> "{\"matchExpressions\": [{\"key\": \"%s\", \"operator\": \"In\", \"values\": [\"%s\"]}]}"
                        .formatted(key, value))
                .toList();
        return AffinityWorld.json("""
                {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "pv-%1$d",
                 "annotations": {"pv.kubernetes.io/provisioned-by": "%2$s",
                  "volume.kubernetes.io/provisioner-deletion-secret-name": "",
                  "volume.kubernetes.io/provisioner-deletion-secret-namespace": ""},
                 "finalizers": ["external-provisioner.volume.kubernetes.io/finalizer", "kubernetes.io/pv-protection"]},
                 "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"],
                  "persistentVolumeReclaimPolicy": "Delete", "storageClassName": "%4$s",
                  "claimRef": {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": "default",
                   "name": "claim-%1$d", "uid": "00000000-0000-0000-0000-%1$012d"},
                  "csi": {"driver": "%2$s", "volumeHandle": "%3$s", "fsType": "ext4", "volumeAttributes":
                   {"storage.kubernetes.io/csiProvisionerIdentity": "1795380983559-8081-%2$s",
                    "linstor.csi.linbit.com/mount-options": "", "linstor.csi.linbit.com/post-mount-xfs-opts": ""}},
                  "nodeAffinity": {"required": {"nodeSelectorTerms": [%5$s]}}}}
                """.formatted(at, driver, handle, storageClass, String.join(", ", terms)));
    }

    /** Returns how a user runs Fairlead: as the launcher says, else with the options of the JVM that it takes. */
    private static List<String> command() throws IOException {
        Optional<String> named = Optional.ofNullable(System.getenv("FAIRLEAD_COMMAND"));
        if (named.isPresent()) {
            return named.get().lines().toList();
        }
        Path options = Path.of(System.getProperty("fairlead.lab", ".."), "bootstrap/src/main/jvm.options");
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + options,
                "-cp",
                System.getProperty("java.class.path"),
                "dev.fairlead.bootstrap.Main");
    }

    private static String memory(Process process) throws IOException {
        return String.format(
                Locale.ROOT,
                "%.0f MiB resident (%.0f of them shared with files), %.0f at most since the start",
                kib(process, "VmRSS") / 1024.0,
                kib(process, "RssFile") / 1024.0,
                kib(process, "VmHWM") / 1024.0);
    }

    private static long kib(Process process, String what) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                .filter(line -> line.startsWith(what + ":"))
                .map(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }
}
