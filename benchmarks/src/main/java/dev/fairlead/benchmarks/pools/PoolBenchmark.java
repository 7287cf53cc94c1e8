package dev.fairlead.benchmarks.pools;

import csi.v1.ListVolumesResponse;
import csi.v1.Volume;
import dev.fairlead.benchmarks.measured.Sample;
import dev.fairlead.lab.CsiClient;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures one kind of local pool: CreateVolume beside a shell script that does the same, by turns, and then calls in
 * pools of more and more volumes.
 *
 * <p>Started by {@code benchmarks/pools}. Compare only numbers of one run.
 */
public final class PoolBenchmark {
    private static final PrintStream OUT = System.out;
    private static final long SIZE = 1L << 20;
    private static final int FILLERS = 8;
    private static final int PAGE = 100;
    private static final int LISTS = 5;

    /** The most that a CreateVolume takes, in medians of the script. */
    private static final double MOST_OF_SCRIPT = 1.5;

    /** The most that a mean with many volumes is, in means with few, as two runs of the same differ as much. */
    private static final double MOST_OF_FEW = 1.5;

    private final CsiClient client;
    private final PoolScript kind;
    private final Path disk;
    private final Map<String, String> parameters;
    private final Deque<String> volumes = new ArrayDeque<>();
    private final Map<String, Double> few = new HashMap<>();
    private final List<String> rows = new ArrayList<>();
    private int serial;
    private boolean missed;

    private PoolBenchmark(CsiClient client, PoolScript kind, Path disk) {
        this.client = client;
        this.kind = kind;
        this.disk = disk;
        this.parameters = Map.of("storagePool", kind.pool());
    }

    /**
     * Runs the benchmark; arguments: the driver's socket, kind of pool, the disk's mount point, calls, numbers of
     * volumes with commas, the report's file.
     */
    public static void main(String[] args) throws Exception {
        PoolScript kind = PoolScript.valueOf(args[1].toUpperCase(Locale.ROOT));
        int[] numbers =
                Arrays.stream(args[4].split(",")).mapToInt(Integer::parseInt).toArray();
        boolean missed;
        try (CsiClient client = new CsiClient(Path.of(args[0]), Duration.ofMinutes(2))) {
            missed = new PoolBenchmark(client, kind, Path.of(args[2]))
                    .run(Integer.parseInt(args[3]), numbers, Path.of(args[5]));
        }
        System.exit(missed ? 1 : 0);
    }

    /** Makes or reads something. */
    @FunctionalInterface
    private interface Call {
        void run() throws Exception;
    }

    private boolean run(int calls, int[] numbers, Path report) throws Exception {
        besideScript(calls);
        for (int number : numbers) {
            fill(number);
            withVolumes(number, calls);
        }
        OUT.println("| kind | what | mean ms | p50 ms | p99 ms | by that with fewest volumes, or by the script |");
        OUT.println("|---|---|---:|---:|---:|---:|");
        OUT.println(String.join("\n", rows));
        Files.writeString(report, String.join("\n", rows) + "\n");
        return missed;
    }

    private void besideScript(int calls) throws Exception {
        Files.createDirectories(disk.resolve("by-hand/v"));
        Files.createDirectories(disk.resolve("by-hand/notes"));
        fill(calls); // warms the driver up
        fill(0);
        long[] script = new long[calls];
        long[] ours = new long[calls];
        for (int i = 0; i < calls; i++) {
            int number = i;
            script[i] = nanos(() -> kind.make(disk, number, SIZE));
            ours[i] = nanos(this::create);
        }
        Sample floor = Sample.of(script, Arrays.stream(script).sum());
        Sample found = Sample.of(ours, Arrays.stream(ours).sum());
        row("CreateVolume, the script", floor, "");
        double ratio = found.p50() / floor.p50();
        row("CreateVolume, by turns with it", found, against("median", ratio, MOST_OF_SCRIPT));
    }

    private void withVolumes(int number, int calls) throws Exception {
        measured("CreateVolume", number, calls, () -> {}, this::create);
        fill(number);
        measured("CreateVolume after a DeleteVolume", number, calls, this::delete, this::create);
        measured("GetCapacity", number, calls, () -> {}, () -> client.capacity(parameters));
        measured("GetCapacity, after 1.1 s", number, LISTS, PoolBenchmark::rest, () -> client.capacity(parameters));
        measured("ListVolumes, a page of 100", number, calls, () -> {}, () -> client.list(PAGE, ""));
        long[] whole = new long[LISTS];
        for (int i = 0; i < LISTS; i++) {
            whole[i] = nanos(() -> listed(number)) / number;
        }
        add("ListVolumes, all of them, for each volume", number, whole);
    }

    private void measured(String what, int number, int calls, Call before, Call call) throws Exception {
        long[] nanos = new long[calls];
        for (int i = 0; i < calls; i++) {
            before.run();
            nanos[i] = nanos(call);
        }
        add(what, number, nanos);
    }

    private void add(String what, int number, long[] nanos) {
        Sample sample = Sample.of(nanos, Arrays.stream(nanos).sum());
        double mean = 1e3 / sample.rate();
        Double before = few.putIfAbsent(what, mean);
        row(
                what + ", " + number + " volumes",
                sample,
                before == null ? "" : against("mean", mean / before, MOST_OF_FEW));
    }

    private String against(String what, double ratio, double most) {
        missed |= ratio > most;
        return String.format(
                Locale.ROOT, "%s %.2f (at most %.1f)%s", what, ratio, most, ratio > most ? ", MISSED" : "");
    }

    private void row(String what, Sample sample, String ratio) {
        rows.add(String.format(
                Locale.ROOT,
                "| %s | %s | %.3f | %.3f | %.3f | %s |",
                kind.pool(),
                what,
                1e3 / sample.rate(),
                sample.p50(),
                sample.p99(),
                ratio));
    }

    private static long nanos(Call call) throws Exception {
        long begin = System.nanoTime();
        call.run();
        return System.nanoTime() - begin;
    }

    private static void rest() throws InterruptedException {
        Thread.sleep(1_100); // after which the pool is looked at again
    }

    private void create() {
        Volume made = client.create("pvc-68f1d462-633b-4085-0000-%012d".formatted(next()), parameters);
        synchronized (volumes) {
            volumes.addLast(made.getVolumeId());
        }
    }

    private synchronized int next() {
        return serial++;
    }

    private void delete() {
        String id;
        synchronized (volumes) {
            id = volumes.removeFirst();
        }
        client.delete(id);
    }

    /** Makes or deletes volumes until there are so many. */
    private void fill(int number) throws Exception {
        int there = volumes.size();
        try (ExecutorService fillers = Executors.newFixedThreadPool(FILLERS)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < Math.abs(number - there); i++) {
                all.add(fillers.submit(number > there ? this::create : this::delete));
            }
            for (Future<?> one : all) {
                var _ = one.get();
            }
        }
    }

    private void listed(int expected) {
        int found = 0;
        String token = "";
        do {
            ListVolumesResponse page = client.list(0, token);
            found += page.getEntriesCount();
            token = page.getNextToken();
        } while (!token.isEmpty());
        if (found != expected) {
            throw new IllegalStateException(found + " volumes are listed, and " + expected + " were made");
        }
    }
}
