package dev.fairlead.demo;

import csi.v1.GetPluginInfoRequest;
import csi.v1.NodeGetInfoRequest;
import csi.v1.ProbeRequest;
import csi.v1.Snapshot;
import csi.v1.Volume;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import pluginregistration.v1.InfoRequest;
import pluginregistration.v1.RegistrationStatus;

/** Leads a volume through its life, step by step; each step verifies what it tells. */
final class Walk {
    static final String NODE = "zone-a-node1";
    static final List<String> CONNECTIONS = List.of("fast-a", "bulk-a", "bulk-b");

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String FILE = "greeting.txt";

    private final DemoFolder stage;
    private final DemoDriver driver;
    private final SidecarClient client;
    private final Volumes volumes;
    private final DemoSteps steps;
    private final Optional<String> cannotMount;

    Walk(DemoFolder stage, DemoDriver driver, SidecarClient client, DemoSteps steps, Optional<String> cannotMount) {
        this.stage = stage;
        this.driver = driver;
        this.client = client;
        this.volumes = new Volumes(client);
        this.steps = steps;
        this.cannotMount = cannotMount;
    }

    void run() throws Exception {
        steps.run("start", this::answers);
        steps.run("register", this::register);
        Volume volume = steps.run("create", this::createNear);
        steps.run("refuse", this::refuseElsewhere);
        Volume other = steps.run("connect", this::connectLive);
        Path seen = publish(volume);
        steps.run("write", () -> write(seen, "one"));
        Snapshot snapshot = steps.run("snapshot", () -> takeSnapshot(volume));
        steps.run("write", () -> write(seen, "two"));
        Volume restored = steps.run("restore", () -> restore(snapshot));
        Volume copy = steps.run("clone", () -> copy(volume));
        steps.run("expand", () -> expand(volume, seen));
        unpublish(volume);
        steps.run("delete", () -> deleteAll(snapshot, List.of(volume, other, restored, copy)));
        steps.run("stop", this::stop);
    }

    private DemoSteps.Done<Boolean> answers() throws InterruptedException {
        steps.await(PATIENCE, this::probed);
        var info = client.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
        var node = client.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
        String zone = node.getAccessibleTopology().getSegmentsOrDefault(DemoFolder.PREFIX + "/zone", "nowhere");
        return DemoSteps.done(
                true,
                "the driver (%s %s, %s) serves two connections, fast-a and bulk-a; this node is in %s"
                        .formatted(info.getName(), info.getVendorVersion(), driver.describe(), zone),
                Map.of("version", info.getVendorVersion(), "zone", zone));
    }

    private boolean probed() {
        if (!driver.alive()) {
            throw new IllegalStateException("the driver ended at its start");
        }
        try {
            return Files.exists(stage.socket())
                    && client.identity()
                            .probe(ProbeRequest.getDefaultInstance())
                            .getReady()
                            .getValue();
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.UNAVAILABLE) {
                return false;
            }
            throw e;
        }
    }

    private DemoSteps.Done<Boolean> register() throws IOException, InterruptedException {
        steps.await(PATIENCE, () -> Files.exists(stage.registrationSocket()));
        try (var kubelet = new SidecarClient(stage.registrationSocket())) {
            var info = kubelet.registration().getInfo(InfoRequest.getDefaultInstance());
            require(info.getEndpoint().equals(stage.socket().toString()), "registered at " + info.getEndpoint());
            var _ = kubelet.registration()
                    .notifyRegistrationStatus(RegistrationStatus.newBuilder()
                            .setPluginRegistered(true)
                            .build());
        }
        for (String path : List.of("/livez", "/readyz", "/metrics")) {
            String answer = driver.get(path);
            require(answer.startsWith("HTTP/1.1 200 "), path + " answered " + answer);
        }
        return DemoSteps.done(
                true,
                "it registers itself with kubelet, which is played here; /livez, /readyz and /metrics say that all is well",
                Map.of());
    }

    private DemoSteps.Done<Volume> createNear() {
        Volume volume = volumes.create("demo-near", "zone-a");
        return DemoSteps.done(
                volume,
                "a pod in zone-a wants 1 GiB: made on %s as %s"
                        .formatted(connectionOf(volume.getVolumeId()), volume.getVolumeId()),
                Map.of("volume", volume.getVolumeId()));
    }

    private DemoSteps.Done<Boolean> refuseElsewhere() {
        try {
            Volume wrong = volumes.create("demo-far", "zone-b");
            throw new IllegalStateException(wrong.getVolumeId() + " was made where zone-b cannot reach it");
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() != Status.Code.RESOURCE_EXHAUSTED) {
                throw e;
            }
            String code = String.valueOf(e.getStatus().getDescription()).split(" ", 2)[0];
            return DemoSteps.done(
                    true,
                    "one in zone-b wants a volume too, but nothing is reachable there: %s, %s, and nothing is made"
                            .formatted(e.getStatus().getCode(), code),
                    Map.of("code", code));
        }
    }

    private DemoSteps.Done<Volume> connectLive() throws Exception {
        stage.connect("bulk-b", "zone-b");
        var made = new Volume[1];
        steps.await(PATIENCE, () -> {
            try {
                made[0] = volumes.create("demo-far", "zone-b");
                return true;
            } catch (StatusRuntimeException e) {
                if (e.getStatus().getCode() == Status.Code.RESOURCE_EXHAUSTED) {
                    return false;
                }
                throw e;
            }
        });
        String id = made[0].getVolumeId();
        return DemoSteps.done(
                made[0],
                "bulk-b.yaml for zone-b is put into the folder; no restart, and the same request succeeds: " + id,
                Map.of("volume", id));
    }

    /** Publishes the volume if this process may mount, and returns the folder of its files. */
    private Path publish(Volume volume) throws Exception {
        if (cannotMount.isPresent()) {
            steps.leaveOut("publish", cannotMount.get() + "; its files are used where they are stored");
            return stored(volume);
        }
        Path target = stage.target(volume.getVolumeId());
        steps.run("publish", () -> {
            mount(volume);
            return DemoSteps.done(
                    true, "staged on the node, and mounted where the pod sees it", Map.of("path", "" + target));
        });
        return target;
    }

    private void unpublish(Volume volume) throws Exception {
        if (cannotMount.isPresent()) {
            steps.leaveOut("unpublish", "it was not published");
            return;
        }
        steps.run("unpublish", () -> {
            unmount(volume);
            return DemoSteps.done(true, "the pod has gone: unmounted, and the mount points removed", Map.of());
        });
    }

    private void mount(Volume volume) throws IOException {
        Path staging = stage.staging(volume.getVolumeId());
        Files.createDirectories(staging);
        volumes.stage(volume, staging);
        volumes.publish(volume, staging, stage.target(volume.getVolumeId()));
    }

    private void unmount(Volume volume) throws IOException {
        Path staging = stage.staging(volume.getVolumeId());
        Path target = stage.target(volume.getVolumeId());
        volumes.unpublish(volume, staging, target);
        require(!Files.exists(target), target + " is still there after it was unpublished");
        Files.deleteIfExists(staging);
    }

    private DemoSteps.Done<Boolean> write(Path folder, String text) throws IOException {
        Files.writeString(folder.resolve(FILE), text);
        return DemoSteps.done(true, "the pod writes '%s' into %s".formatted(text, FILE), Map.of("wrote", text));
    }

    private DemoSteps.Done<Snapshot> takeSnapshot(Volume volume) {
        Snapshot snapshot = volumes.snapshot("demo-snapshot", volume);
        require(snapshot.getReadyToUse(), "the snapshot is not ready");
        return DemoSteps.done(
                snapshot,
                "taken while the volume is in use: " + snapshot.getSnapshotId(),
                Map.of("snapshot", snapshot.getSnapshotId()));
    }

    private DemoSteps.Done<Volume> restore(Snapshot snapshot) throws IOException {
        Volume restored = volumes.restore("demo-restored", "zone-a", snapshot);
        requireContent(restored, "one");
        return DemoSteps.done(
                restored,
                "a new volume from the snapshot holds 'one', as then: " + restored.getVolumeId(),
                Map.of("volume", restored.getVolumeId()));
    }

    private DemoSteps.Done<Volume> copy(Volume volume) throws IOException {
        Volume copy = volumes.cloneOf("demo-clone", "zone-a", volume);
        requireContent(copy, "two");
        return DemoSteps.done(
                copy,
                "a clone of the volume holds 'two', as now: " + copy.getVolumeId(),
                Map.of("volume", copy.getVolumeId()));
    }

    private DemoSteps.Done<Boolean> expand(Volume volume, Path seen) {
        long bytes = volumes.expand(volume, 2 * Volumes.GIB, seen);
        require(bytes == 2 * Volumes.GIB, "the volume has " + bytes + " bytes, not 2 GiB");
        return DemoSteps.done(true, "from 1 to 2 GiB, while it is in use", Map.of("bytes", Long.toString(bytes)));
    }

    private DemoSteps.Done<Boolean> deleteAll(Snapshot snapshot, List<Volume> made) throws IOException {
        volumes.delete(snapshot);
        made.forEach(volumes::delete);
        made.forEach(volumes::delete);
        require(volumes.count() == 0, "the driver still lists volumes");
        List<Path> left = stage.leftovers(CONNECTIONS);
        require(left.isEmpty(), "left behind: " + left);
        return DemoSteps.done(
                true,
                "all %d volumes and the snapshot, each asked twice; nothing is left".formatted(made.size()),
                Map.of());
    }

    private DemoSteps.Done<Boolean> stop() throws IOException, InterruptedException {
        int code = driver.stop();
        require(code == 0, "the driver ended with " + code);
        require(!Files.exists(stage.socket()), "the driver left its socket behind");
        require(!Files.exists(stage.registrationSocket()), "the driver left its registration behind");
        return DemoSteps.done(true, "SIGTERM: running calls end, the socket goes, the driver ends with 0", Map.of());
    }

    /** Requires that the volume's file holds this text; reads it from the storage itself, not through the driver. */
    private void requireContent(Volume volume, String expected) throws IOException {
        String found = Files.readString(stored(volume).resolve(FILE), StandardCharsets.UTF_8);
        require(found.equals(expected), volume.getVolumeId() + " holds '" + found + "', not '" + expected + "'");
    }

    private static Path stored(Volume volume) {
        return Path.of(volume.getVolumeContextOrThrow("path"));
    }

    private static String connectionOf(String handle) {
        return handle.substring(handle.indexOf(':') + 1, handle.indexOf('/'));
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
