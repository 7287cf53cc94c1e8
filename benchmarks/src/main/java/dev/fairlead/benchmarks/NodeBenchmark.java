package dev.fairlead.benchmarks;

import csi.v1.CapacityRange;
import csi.v1.CreateVolumeRequest;
import csi.v1.Volume;
import csi.v1.VolumeCapability;
import dev.fairlead.benchmarks.measured.Cell;
import dev.fairlead.benchmarks.measured.Results;
import dev.fairlead.benchmarks.measured.Sample;
import dev.fairlead.lab.CsiClient;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures how long a node takes from NodeStageVolume to the end of NodePublishVolume, and back, for volumes of one
 * protocol that the same driver makes on a storage host, beside a shell script that does the same. The two take turns.
 *
 * <p>Started by {@code benchmarks/node}. Compare only numbers of one run.
 */
public final class NodeBenchmark {
    private static final PrintStream OUT = System.out;
    private static final String US = "fairlead";
    private static final String FLOOR = "floor: shell script";
    private static final int MANY = 32;
    private static final long SIZE = 64L << 20;

    private final CsiClient client;
    private final NodeScript script;
    private final Path folder;
    private final Results results = new Results();
    private final List<Volume> volumes = new ArrayList<>();

    private NodeBenchmark(CsiClient client, NodeScript script, Path folder) {
        this.client = client;
        this.script = script;
        this.folder = folder;
    }

    /**
     * Runs the benchmark; arguments: the driver's socket, protocol, folder for mounts, rounds, calls, report's file.
     */
    public static void main(String[] args) throws Exception {
        NodeScript script = NodeScript.valueOf(args[1]);
        boolean missed;
        try (CsiClient client = new CsiClient(Path.of(args[0]), Duration.ofMinutes(2), capability(script))) {
            missed = new NodeBenchmark(client, script, Path.of(args[2]))
                    .run(Integer.parseInt(args[3]), Integer.parseInt(args[4]), Path.of(args[5]));
        }
        System.exit(missed ? 1 : 0);
    }

    private static VolumeCapability capability(NodeScript script) {
        return CsiClient.MOUNT.toBuilder()
                .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                        .setMode(
                                script.isDevice()
                                        ? VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER
                                        : VolumeCapability.AccessMode.Mode.MULTI_NODE_MULTI_WRITER))
                .build();
    }

    private boolean run(int rounds, int calls, Path report) throws Exception {
        for (int i = 0; i < MANY; i++) {
            volumes.add(client.create(CreateVolumeRequest.newBuilder()
                    .setName("bench-" + i)
                    .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(SIZE))
                    .addVolumeCapabilities(capability(script))
                    .build()));
        }
        try {
            for (int i = 0; i < MANY; i++) { // devices are formatted here, before anything is measured
                use(i);
                leave(i);
            }
            for (int round = 1; round <= rounds; round++) {
                OUT.printf("%s: round %d of %d%n", script, round, rounds);
                turn(1, calls);
                turn(MANY, MANY);
            }
        } finally {
            for (Volume volume : volumes) {
                client.delete(volume.getVolumeId());
            }
        }
        List<Reach> marks = List.of(new Reach(
                script + ": stage and publish, p50 at one caller, times the script",
                results.p50(US, "stage, publish", 1)
                        .flatMap(ours -> results.p50(FLOOR, "stage, publish", 1).map(floor -> ours / floor)),
                1.3,
                true));
        OUT.println();
        OUT.println(Report.markdown(results, marks));
        Files.writeString(report, Report.json(results, marks));
        return marks.stream().anyMatch(Reach::missed);
    }

    /** Uses and leaves volumes, by the driver and by the script; at many callers each has one of its own. */
    private void turn(int callers, int count) throws InterruptedException {
        measured(
                FLOOR,
                callers,
                count,
                i -> script.use(volume(i), staging(i), target(i)),
                i -> script.leave(volume(i), staging(i), target(i)));
        measured(US, callers, count, this::use, this::leave);
    }

    private void measured(String who, int callers, int count, Load.Operation use, Load.Operation leave)
            throws InterruptedException {
        if (callers == 1) {
            long[] used = new long[count];
            long[] left = new long[count];
            long begun = System.nanoTime();
            var _ = Load.run(1, count, i -> {
                long begin = System.nanoTime();
                use.run(0);
                long middle = System.nanoTime();
                leave.run(0);
                used[i] = middle - begin;
                left[i] = System.nanoTime() - middle;
            });
            long elapsed = System.nanoTime() - begun;
            results.add(new Cell(who, "stage, publish", 1), Sample.of(used, elapsed));
            results.add(new Cell(who, "unpublish, unstage", 1), Sample.of(left, elapsed));
        } else {
            results.add(new Cell(who, "stage, publish", callers), Load.run(callers, count, use));
            results.add(new Cell(who, "unpublish, unstage", callers), Load.run(callers, count, leave));
        }
    }

    private void use(int i) throws IOException {
        Files.createDirectories(staging(i));
        client.stage(volume(i), staging(i));
        client.publish(volume(i), staging(i), target(i), false);
    }

    private void leave(int i) {
        client.unpublish(volume(i), target(i));
        client.unstage(volume(i), staging(i));
    }

    private Volume volume(int i) {
        return volumes.get(i);
    }

    private Path staging(int i) {
        return folder.resolve("staging-" + i);
    }

    private Path target(int i) {
        return folder.resolve("pod-" + i);
    }
}
