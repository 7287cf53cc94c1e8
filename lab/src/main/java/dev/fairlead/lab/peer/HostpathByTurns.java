package dev.fairlead.lab.peer;

import csi.v1.CapacityRange;
import csi.v1.CreateVolumeRequest;
import csi.v1.ListVolumesResponse;
import csi.v1.Snapshot;
import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import csi.v1.Volume;
import dev.fairlead.lab.CsiClient;
import dev.fairlead.lab.PeerCommand;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Runs kubevirt's hostpath-provisioner and Fairlead by turns over one pool: what that program made is listed, mounted,
 * snapshotted, restored and deleted by Fairlead, and what is left of it is that program's as before.
 *
 * <p>Started by {@code lab/hostpath-peer}.
 */
public final class HostpathByTurns {
    private static final String NAME = "kubevirt.io.hostpath-provisioner";
    private static final Map<String, String> LEGACY = Map.of("storagePool", "legacy");
    private static final long SIZE = 16L << 20;

    private final String program;
    private final Path file;
    private final Path folder;
    private final Path volumes;
    private final Path snapshots;
    private int held;
    private int failed;

    private HostpathByTurns(String program, Path file, Path folder) {
        this.program = program;
        this.file = file;
        this.folder = folder;
        this.volumes = folder.resolve("disk/csi");
        this.snapshots = folder.resolve("disk/snapshots");
    }

    /** Something that is tried; it throws what does not hold. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    /** Runs it; arguments: the program of kubevirt's hostpath-provisioner, Fairlead's file, a folder to work in. */
    public static void main(String[] args) throws Exception {
        HostpathByTurns run = new HostpathByTurns(args[0], Path.of(args[1]), Path.of(args[2]));
        run.all();
        System.out.printf("%d passed, %d failed%n", run.held, run.failed);
        System.exit(run.failed == 0 ? 0 : 1);
    }

    private Side theirs() throws IOException, InterruptedException {
        Path socket = folder.resolve("theirs.sock");
        String pools = "[{\"name\":\"legacy\",\"path\":\"" + volumes + "\",\"snapshotPath\":\"" + snapshots
                + "\",\"snapshotProvider\":\"reflink\"}]";
        List<String> command = List.of(
                program,
                "--drivername=" + NAME,
                "--endpoint=unix://" + socket,
                "--nodeid=side",
                "--version=latest",
                "--datadir=" + pools);
        return new Side(NAME, command, socket, folder.resolve("theirs.log"));
    }

    private Side ours() throws IOException, InterruptedException {
        Path socket = folder.resolve("ours.sock");
        List<String> fairlead = Optional.ofNullable(System.getenv("FAIRLEAD_COMMAND"))
                .orElseThrow()
                .lines()
                .toList();
        List<String> modes = List.of("controller", "node");
        List<String> command = PeerCommand.driver(fairlead, "1.5.0", NAME, file, socket, modes);
        return new Side("fairlead", command, socket, folder.resolve("ours.log"));
    }

    private void all() throws IOException, InterruptedException {
        Volume kept;
        Volume other;
        Snapshot snapshot;
        try (Side side = theirs()) {
            CsiClient their = side.client();
            kept = their.create(plain("pvc-" + UUID.randomUUID()));
            other = their.create(plain("pvc-" + UUID.randomUUID()));
            write(their, kept, "then");
            snapshot = their.snapshot("snapshot-" + UUID.randomUUID(), kept.getVolumeId());
            write(their, kept, "now");
            side.kill(); // it does not end for a SIGTERM
        }
        try (Side side = ours()) {
            takenOver(side.client(), kept, other, snapshot);
        }
        try (Side side = theirs()) {
            CsiClient their = side.client();
            step(
                    "back with its program, a volume is mounted with what was in it",
                    () -> require("now", read(their, kept, false)));
            step("and deleted", () -> {
                their.delete(kept.getVolumeId());
                requireGone(volumes.resolve(kept.getVolumeId()));
            });
            side.kill();
        }
    }

    private void takenOver(CsiClient our, Volume kept, Volume other, Snapshot snapshot) {
        step("its volumes are listed", () -> {
            List<String> listed = our.list(0, "").getEntriesList().stream()
                    .map(ListVolumesResponse.Entry::getVolume)
                    .map(Volume::getVolumeId)
                    .toList();
            require(true, listed.containsAll(List.of(kept.getVolumeId(), other.getVolumeId())));
        });
        step("its snapshot is listed, with its volume", () -> {
            Snapshot listed = our.listSnapshots().getEntriesList().getFirst().getSnapshot();
            require(snapshot.getSnapshotId(), listed.getSnapshotId());
            require(kept.getVolumeId(), listed.getSourceVolumeId());
            require(true, listed.getReadyToUse());
        });
        step("its volume is mounted with what was in it", () -> require("now", read(our, kept, true)));
        step("its snapshot is restored", () -> restored(our, "pvc-from-theirs", snapshot.getSnapshotId(), "then"));
        step("a snapshot of its volume is taken, restored and deleted", () -> {
            Snapshot own = our.snapshot("snapshot-ours", kept.getVolumeId());
            restored(our, "pvc-from-ours", own.getSnapshotId(), "now");
            our.deleteSnapshot(own.getSnapshotId());
        });
        step("its volume is copied", () -> {
            Volume copy = our.create(plain("pvc-copy").toBuilder()
                    .setVolumeContentSource(CsiClient.fromVolume(kept.getVolumeId()))
                    .build());
            require("now", read(our, copy, true));
            our.delete(copy.getVolumeId());
        });
        step("its snapshot is deleted, folder and all", () -> {
            our.deleteSnapshot(snapshot.getSnapshotId());
            requireGone(snapshots.resolve(snapshot.getSnapshotId()));
        });
        step("its volume is deleted, folder and all", () -> {
            our.delete(other.getVolumeId());
            requireGone(volumes.resolve(other.getVolumeId()));
        });
    }

    private static CreateVolumeRequest plain(String name) {
        return CsiClient.request(name, LEGACY)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(SIZE))
                .setAccessibilityRequirements(TopologyRequirement.newBuilder()
                        .addRequisite(Topology.newBuilder().putSegments("topology.hostpath.csi/node", "side")))
                .build();
    }

    private void restored(CsiClient our, String name, String snapshot, String word) throws IOException {
        Volume made = our.create(plain(name).toBuilder()
                .setVolumeContentSource(CsiClient.fromSnapshot(snapshot))
                .build());
        require(word, read(our, made, true));
        our.delete(made.getVolumeId());
    }

    private void write(CsiClient client, Volume volume, String word) throws IOException {
        Path target = folder.resolve("target");
        client.publish(volume, folder.resolve("staging"), target, false);
        Files.writeString(target.resolve("word"), word);
        client.unpublish(volume, target);
    }

    /** @param stages whether the driver stages a volume before it publishes it, as kubelet would ask */
    private String read(CsiClient client, Volume volume, boolean stages) throws IOException {
        Path staging = Files.createDirectories(folder.resolve("staging"));
        Path target = folder.resolve("target");
        if (stages) {
            client.stage(volume, staging);
        }
        client.publish(volume, staging, target, false);
        String word = Files.readString(target.resolve("word"));
        client.unpublish(volume, target);
        if (stages) {
            client.unstage(volume, staging);
        }
        return word;
    }

    private static void requireGone(Path place) throws IOException {
        require(false, Files.exists(place));
    }

    private static void require(Object expected, Object found) throws IOException {
        if (!found.equals(expected)) {
            throw new IOException("found " + found + " (expected: " + expected + ")");
        }
    }

    private void step(String what, Step step) {
        try {
            step.run();
            held++;
            System.out.println("held    " + what);
        } catch (IOException | StatusRuntimeException e) {
            failed++;
            System.out.println("FAILED  " + what + ": " + Objects.toString(e.getMessage()));
        }
    }
}
