package dev.fairlead.demo;

import java.io.IOException;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedDeque;

/** Runs six replicas on one StorageClass over three connections, step by step; each step verifies what it tells. */
final class ClusterWalk {
    private static final String SPACE = "fairlead-demo";
    private static final String SET = "spread";
    private static final int REPLICAS = 6;
    private static final String RELEASE = "fairlead";

    private final LabCluster lab;
    private final DemoSteps steps;
    private final Narrator narrator;
    private final ClusterObjects sights;

    /**
     * The steps that have to be undone, the latest first; the shutdown hook undoes them too, on a thread of its own.
     */
    private final Deque<Undo> undo = new ConcurrentLinkedDeque<>();

    ClusterWalk(LabCluster lab, DemoSteps steps, Narrator narrator) {
        this.lab = lab;
        this.steps = steps;
        this.narrator = narrator;
        this.sights = new ClusterObjects(lab, SPACE);
    }

    void run() throws Exception {
        narrator.begins("a StatefulSet of six replicas, one StorageClass, three connections in three zones");
        steps.run("cluster", this::cluster);
        steps.run("install", this::install);
        steps.run("claim", this::claim);
        List<PodVolume> seen = steps.run("spread", this::spread);
        narrator.table(
                List.of("pod", "node", "zone", "volume", "connection"),
                seen.stream().map(PodVolume::row).toList());
        steps.run("read", () -> read(seen));
        steps.run("move", () -> move(seen));
        steps.run("delete", this::delete);
        for (Undo next = undo.poll(); next != null; next = undo.poll()) {
            Undo last = next;
            steps.run(last.step(), () -> {
                last.action().run();
                return DemoSteps.done(true, last.text(), Map.of());
            });
        }
    }

    /** Undoes what was done so far, as far as possible. */
    void abandon() {
        for (Undo last = undo.poll(); last != null; last = undo.poll()) {
            try {
                last.action().run();
            } catch (IOException | IllegalStateException _) {
                // The rest can still be undone.
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private DemoSteps.Done<Boolean> cluster() throws IOException, InterruptedException {
        if (!lab.isUp()) {
            require("root".equals(System.getProperty("user.name")), "the cluster is down: sudo lab/kube up starts it");
            narrator.doing("starting a cluster; the first time it is built, which takes twenty minutes");
            undo.push(new Undo(
                    "stop", "the cluster is down again, and has left nothing", () -> lab.tell("kube", "down")));
            lab.tell("kube", "up");
        }
        Map<String, String> zones = sights.zoneOfNode();
        String version = lab.kubectl("get", "nodes", "-o", "jsonpath={.items[0].status.nodeInfo.kubeletVersion}");
        Set<String> names = new TreeSet<>(zones.values());
        require(names.size() >= 3, "the cluster has the zones " + names + ", and three are needed");
        return DemoSteps.done(
                true,
                "Kubernetes %s, %d nodes in %d zones".formatted(version, zones.size(), names.size()),
                Map.of("version", version, "nodes", "" + zones.size(), "zones", "" + names.size()));
    }

    private DemoSteps.Done<Boolean> install() throws IOException, InterruptedException {
        String there = lab.kubectl(
                "get", "deployments,storageclasses", "--all-namespaces", "-o", "jsonpath={.items[*].metadata.name}");
        Set<String> names = new HashSet<>(List.of(there.split(" ", -1)));
        if (!names.contains(RELEASE + "-controller") || !names.contains("zones")) {
            narrator.doing("building the image and installing the chart: lab/deploy zones");
            undo.push(new Undo("remove", "the chart is uninstalled", () -> lab.tell("deploy", "--remove", "zones")));
            lab.tell("deploy", "zones");
            return DemoSteps.done(
                    true, "the chart, with a connection for each zone; no node sees another zone's folder", Map.of());
        }
        lab.kubectl("-n", RELEASE, "rollout", "status", "deployment/" + RELEASE + "-controller", "--timeout=120s");
        return DemoSteps.done(true, "Fairlead is there already, with a connection for each zone", Map.of());
    }

    private DemoSteps.Done<Boolean> claim() throws IOException, InterruptedException {
        lab.create(DemoManifests.namespace(SPACE));
        undo.push(
                new Undo("clean", "the namespace is gone", () -> lab.kubectl("delete", "namespace", SPACE, "--wait")));
        lab.create(DemoManifests.statefulSet(SPACE, SET, REPLICAS));
        String connections = lab.kubectl("get", "storageclass", "zones", "-o", "jsonpath={.parameters.connections}");
        return DemoSteps.done(
                true,
                "six claims of one class, zones, which names the connections " + connections,
                Map.of("connections", connections));
    }

    private DemoSteps.Done<List<PodVolume>> spread() throws IOException, InterruptedException {
        narrator.doing("waiting for six pods");
        lab.kubectl("-n", SPACE, "rollout", "status", "statefulset/" + SET, "--timeout=240s");
        List<PodVolume> seen = sights.all();
        require(seen.size() == REPLICAS, "there are " + seen.size() + " pods with volumes, not " + REPLICAS);
        for (PodVolume one : seen) {
            require(
                    one.zone().equals(one.volumeZone()),
                    one.pod() + " is in " + one.zone() + ", and its volume in " + one.volumeZone());
            require(one.reachable() > 0, "no node can reach the volume of " + one.pod());
        }
        long zones = seen.stream().map(PodVolume::zone).distinct().count();
        require(zones == 3, "the pods are in " + zones + " zones, not in three");
        return DemoSteps.done(
                seen,
                "all six run, in three zones; each volume is where its pod may be, and tied to no node",
                Map.of("pods", "" + seen.size(), "zones", "" + zones));
    }

    private DemoSteps.Done<Boolean> read(List<PodVolume> seen) throws IOException, InterruptedException {
        for (PodVolume one : seen) {
            requireData(one.pod());
        }
        return DemoSteps.done(true, "each pod reads its own name, which it wrote when it began", Map.of());
    }

    private DemoSteps.Done<Boolean> move(List<PodVolume> seen) throws IOException, InterruptedException {
        PodVolume before = seen.stream()
                .filter(one -> one.reachable() > 1)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no zone has a second node to move a pod to"));
        narrator.doing(before.pod() + " has to leave " + before.node());
        undo.push(new Undo("uncordon", "", () -> lab.kubectl("uncordon", before.node())));
        lab.kubectl("cordon", before.node());
        lab.kubectl("-n", SPACE, "delete", "pod", before.pod(), "--grace-period=0", "--timeout=120s");
        lab.kubectl("-n", SPACE, "wait", "--for=create", "pod/" + before.pod(), "--timeout=60s");
        lab.kubectl("-n", SPACE, "wait", "--for=condition=Ready", "pod/" + before.pod(), "--timeout=180s");
        undo.remove().action().run();
        PodVolume after = sights.all().stream()
                .filter(one -> one.pod().equals(before.pod()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(before.pod() + " is gone"));
        require(!after.node().equals(before.node()), before.pod() + " is still on " + before.node());
        require(after.zone().equals(before.zone()), before.pod() + " is in " + after.zone() + " now");
        require(after.volume().equals(before.volume()), before.pod() + " has another volume, " + after.volume());
        requireData(before.pod());
        return DemoSteps.done(
                true,
                "%s is deleted while %s takes no pods: it comes back on %s, also in %s, with its volume and its data"
                        .formatted(before.pod(), before.node(), after.node(), after.zone()),
                Map.of("pod", before.pod(), "from", before.node(), "to", after.node(), "volume", after.volume()));
    }

    private DemoSteps.Done<Boolean> delete() throws IOException, InterruptedException {
        narrator.doing("deleting pods and claims");
        lab.kubectl("-n", SPACE, "delete", "statefulset/" + SET, "--cascade=foreground", "--timeout=120s");
        lab.kubectl("-n", SPACE, "delete", "pvc", "--all", "--timeout=120s");
        for (String volume : sights.volumes()) {
            lab.kubectl("wait", "--for=delete", "pv/" + volume, "--timeout=120s");
        }
        require(sights.volumes().isEmpty(), "volumes are left: " + sights.volumes());
        return DemoSteps.done(true, "pods, claims and volumes are gone", Map.of());
    }

    /** Requires that a pod finds its own name, which the first pod on the volume wrote. */
    private void requireData(String pod) throws IOException, InterruptedException {
        String found = lab.kubectl("-n", SPACE, "exec", pod, "--", "cat", "/data/born");
        require(found.equals(pod), pod + " reads '" + found + "', not its name");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    @FunctionalInterface
    private interface Action {
        void run() throws IOException, InterruptedException;
    }

    /** Undoes a step; the text is told at the end of a walk in which all went well. */
    private record Undo(String step, String text, Action action) {}
}
