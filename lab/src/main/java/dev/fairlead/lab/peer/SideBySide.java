package dev.fairlead.lab.peer;

import csi.v1.CapacityRange;
import csi.v1.CreateVolumeRequest;
import csi.v1.Snapshot;
import csi.v1.Volume;
import csi.v1.VolumeContentSource;
import dev.fairlead.lab.CsiClient;
import dev.fairlead.lab.PeerCommand;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/**
 * Runs Fairlead and democratic-csi with one file over one storage, by turns: what one makes, the other repeats, grows,
 * snapshots, copies and deletes, and the other way round.
 *
 * <p>Started by {@code lab/peer}.
 */
public final class SideBySide {
    private static final PrintStream OUT = System.out;
    private static final long SIZE = 1L << 30;

    /** The longest name, in bytes, that Fairlead takes for an id as it is. */
    private static final int WHOLE = 81;

    private static final int[] LENGTHS = {20, WHOLE, WHOLE + 1, 100, 127, 128};

    private final boolean sized;
    private final Path left;
    private int held;
    private int failed;
    private int serial;

    private SideBySide(String driverType, Path left) {
        this.sized = driverType.startsWith("zfs-");
        this.left = left;
    }

    /**
     * Runs the comparison; arguments: driver type, its file, a folder to work in, a script that prints what is left on
     * the storage, democratic-csi's folder, and after how many milliseconds a driver is killed, separated by commas.
     */
    public static void main(String[] args) throws Exception {
        Path file = Path.of(args[1]);
        Path folder = Path.of(args[2]);
        List<String> ours = Optional.ofNullable(System.getenv("FAIRLEAD_COMMAND"))
                .orElseThrow()
                .lines()
                .toList();
        List<String> theirs = PeerCommand.program(Path.of(args[4]));
        SideBySide run = new SideBySide(args[0], Path.of(args[3]));
        try (Side fairlead = side("fairlead", ours, file, folder);
                Side peer = side(Side.PEER, theirs, file, folder)) {
            for (List<Side> pair : List.of(List.of(fairlead, peer), List.of(peer, fairlead))) {
                run.all(pair.getFirst(), pair.getLast(), args[5]);
            }
        }
        OUT.printf("%d passed, %d failed%n", run.held, run.failed);
        System.exit(run.failed == 0 ? 0 : 1);
    }

    private static Side side(String name, List<String> program, Path file, Path folder) throws Exception {
        Path socket = folder.resolve(name + ".sock");
        List<String> command =
                PeerCommand.driver(program, "1.5.0", "side.fairlead.dev", file, socket, List.of("controller"));
        return new Side(name, command, socket, folder.resolve(name + ".log"));
    }

    private void all(Side maker, Side other, String moments) throws Exception {
        String who = maker + " makes, " + other + " goes on: ";
        for (int length : LENGTHS) {
            check(who + "an id of " + length + " bytes", () -> id(maker, other, length));
        }
        if (sized) {
            check(who + "growing", () -> growing(maker, other));
        }
        check(who + "a snapshot and a volume from it", () -> snapshots(maker, other));
        check(who + "a clone", () -> clones(maker, other));
        for (String moment : moments.split(",", -1)) {
            check(who + "killed after " + moment + " ms", () -> cut(maker, other, Long.parseLong(moment)));
        }
    }

    private void check(String what, Callable<String> part) throws IOException, InterruptedException {
        List<String> before = left().lines().toList();
        String said;
        try {
            String note = part.call();
            List<String> there =
                    left().lines().filter(line -> !before.contains(line)).toList();
            if (there.isEmpty()) {
                held++;
                OUT.printf("held    %s%s%n", what, note.isEmpty() ? "" : " (" + note + ")");
                return;
            }
            said = "left: " + String.join(", ", there);
        } catch (StatusRuntimeException e) {
            said = e.getStatus().toString();
        } catch (Exception e) {
            said = Objects.toString(e.getMessage());
        }
        failed++;
        OUT.printf("FAILED  %s: %s%n", what, said);
    }

    private String left() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(left.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(left + " failed");
        }
        return text;
    }

    private String name(int length) {
        return ("pvc-%06d-".formatted(serial++) + "x".repeat(length)).substring(0, length);
    }

    private CreateVolumeRequest.Builder request(String name) {
        CreateVolumeRequest.Builder request = CsiClient.request(name, Map.of());
        return request.setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(sized ? SIZE : 1 << 20));
    }

    private static void same(String what, Object first, Object second) {
        if (!first.equals(second)) {
            throw new IllegalStateException(what + ": " + first + ", then " + second);
        }
    }

    /** Checks that both answers are about the same volume; keys of the context that only Fairlead has are left out. */
    private static void sameVolume(Volume first, Volume second) {
        same("id", first.getVolumeId(), second.getVolumeId());
        same("context", context(first), context(second));
    }

    private static Map<String, String> context(Volume volume) {
        Map<String, String> context = new TreeMap<>(volume.getVolumeContextMap());
        context.keySet().removeIf(key -> key.startsWith("fairlead.dev/"));
        return context;
    }

    /**
     * Checks a name of this length. Fairlead shortens names that leave no room for snapshots; democratic-csi cannot
     * know that, and would make another volume, so it does not repeat those.
     */
    private String id(Side maker, Side other, int length) {
        boolean whole = length <= WHOLE || maker.isPeer();
        CreateVolumeRequest request = request(name(length)).build();
        Volume made = maker.client().create(request);
        sameVolume(made, maker.client().create(request));
        same("name is the id", whole, request.getName().equals(made.getVolumeId()));
        if (whole) {
            sameVolume(made, other.client().create(request));
        }
        String snapshot =
                other.client().snapshot("snap-" + length, made.getVolumeId()).getSnapshotId();
        copied(CsiClient.fromSnapshot(snapshot), maker, other);
        maker.client().deleteSnapshot(snapshot);
        other.client().deleteSnapshot(snapshot);
        gone(made.getVolumeId(), other, maker);
        return whole ? "" : "its id is " + made.getVolumeId().length() + " bytes long";
    }

    /** Deletes a volume by one driver, and repeats that by the other. */
    private static void gone(String id, Side first, Side second) {
        first.client().delete(id);
        second.client().delete(id);
    }

    private String growing(Side maker, Side other) {
        String name = name(20);
        String id = maker.client().create(request(name).build()).getVolumeId();
        long grown = other.client().expand(id, 2 * SIZE).getCapacityBytes();
        same("size", 2 * SIZE, grown);
        same("size again", grown, maker.client().expand(id, 2 * SIZE).getCapacityBytes());
        CreateVolumeRequest larger = request(name)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(2 * SIZE))
                .build();
        sameVolume(maker.client().create(larger), other.client().create(larger));
        gone(id, maker, other);
        return "";
    }

    private String snapshots(Side maker, Side other) throws IOException {
        String source = maker.client().create(request(name(20)).build()).getVolumeId();
        Snapshot taken = maker.client().snapshot("snap-" + source, source);
        Snapshot again = other.client().snapshot("snap-" + source, source);
        same("source", taken.getSourceVolumeId(), again.getSourceVolumeId());
        copied(CsiClient.fromSnapshot(taken.getSnapshotId()), other, maker);
        copied(CsiClient.fromSnapshot(again.getSnapshotId()), maker, other);
        other.client().deleteSnapshot(taken.getSnapshotId());
        maker.client().deleteSnapshot(taken.getSnapshotId());
        gone(source, other, maker);
        return taken.getSnapshotId().equals(again.getSnapshotId())
                ? ""
                : "ids " + taken.getSnapshotId() + " and " + again.getSnapshotId();
    }

    private String clones(Side maker, Side other) {
        String source = maker.client().create(request(name(20)).build()).getVolumeId();
        copied(CsiClient.fromVolume(source), maker, other);
        copied(CsiClient.fromVolume(source), other, maker);
        gone(source, other, maker);
        return "";
    }

    private void copied(VolumeContentSource source, Side maker, Side other) {
        CreateVolumeRequest request =
                request(name(20)).setVolumeContentSource(source).build();
        Volume made = maker.client().create(request);
        sameVolume(made, other.client().create(request));
        gone(made.getVolumeId(), other, maker);
    }

    /**
     * Kills a driver while it makes a volume, and checks that the other finishes that with all that a volume has that
     * was not cut.
     */
    private String cut(Side maker, Side other, long millis) throws Exception {
        Volume whole = maker.client().create(request(name(20)).build());
        CreateVolumeRequest request = request(name(20)).build();
        boolean answered = maker.killedWhileMaking(request, Duration.ofMillis(millis));
        String there = left().contains(request.getName()) ? "something was there" : "nothing was there";
        Volume finished = other.finish(request);
        same(
                "context",
                context(whole).toString().replace(whole.getVolumeId(), "ID"),
                context(finished).toString().replace(finished.getVolumeId(), "ID"));
        sameVolume(finished, maker.finish(request));
        gone(finished.getVolumeId(), maker, other);
        gone(whole.getVolumeId(), other, maker);
        return answered ? "it had answered" : there;
    }
}
