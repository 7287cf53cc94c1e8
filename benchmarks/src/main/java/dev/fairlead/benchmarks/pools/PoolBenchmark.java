package dev.fairlead.benchmarks.pools;

import dev.fairlead.benchmarks.measured.Sample;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Measures one kind of local pool: CreateVolume beside a shell script that does the same, and calls in pools of few and
 * of many volumes. Whatever is compared is measured by turns, so that what else the machine does slows all of it alike.
 *
 * <p>Started by {@code benchmarks/pools}. Compare only numbers of one run.
 */
public final class PoolBenchmark {
    private static final PrintStream OUT = System.out;
    private static final long SIZE = 1L << 20;
    private static final int LISTS = 5;
    private static final int RESTS = 20;
    private static final Duration SETTLING = Duration.ofSeconds(5);

    /** The most that a CreateVolume takes, in medians of the script. */
    private static final double MOST_OF_SCRIPT = 1.5;

    /** The most that a mean with many volumes is, in means with few, as two runs of the same differ as much. */
    private static final double MOST_OF_FEW = 1.5;

    private final PoolScript kind;
    private final Path disk;
    private final List<FilledPool> pools;
    private final List<String> rows = new ArrayList<>();
    private boolean missed;

    /** @param pools those of few volumes first */
    private PoolBenchmark(PoolScript kind, Path disk, List<FilledPool> pools) {
        this.kind = kind;
        this.disk = disk;
        this.pools = List.copyOf(pools);
    }

    /**
     * Runs the benchmark; arguments: kind of pool, the mount point of the first one's disk, calls, the report's file,
     * and for each pool its number of volumes, a colon, and the socket of its driver.
     */
    public static void main(String[] args) throws Exception {
        PoolScript kind = PoolScript.valueOf(args[0].toUpperCase(Locale.ROOT));
        List<FilledPool> pools = new ArrayList<>();
        boolean missed;
        try {
            for (String pool : Arrays.asList(args).subList(4, args.length)) {
                int colon = pool.indexOf(':');
                pools.add(new FilledPool(
                        Integer.parseInt(pool.substring(0, colon)), Path.of(pool.substring(colon + 1)), kind.pool()));
            }
            missed = new PoolBenchmark(kind, Path.of(args[1]), pools).run(Integer.parseInt(args[2]), Path.of(args[3]));
        } finally {
            pools.forEach(FilledPool::close);
        }
        System.exit(missed ? 1 : 0);
    }

    /** Makes or reads something in a pool. */
    @FunctionalInterface
    private interface Call {
        void run(FilledPool pool) throws Exception;
    }

    private boolean run(int calls, Path report) throws Exception {
        besideScript(calls);
        for (FilledPool pool : pools) {
            pool.fill();
        }
        settle();
        withVolumes(calls);
        OUT.println("| kind | what | mean ms | p50 ms | p99 ms | by that with fewest volumes, or by the script |");
        OUT.println("|---|---|---:|---:|---:|---:|");
        OUT.println(String.join("\n", rows));
        Files.writeString(report, String.join("\n", rows) + "\n");
        return missed;
    }

    private void besideScript(int calls) throws Exception {
        Files.createDirectories(disk.resolve("by-hand/v"));
        Files.createDirectories(disk.resolve("by-hand/notes"));
        FilledPool ours = pools.getFirst();
        for (FilledPool pool : pools) { // warms the drivers up
            pool.fill(calls);
            pool.fill(0);
        }
        long[] script = new long[calls];
        long[] found = new long[calls];
        for (int i = 0; i < calls; i++) {
            int number = i;
            script[i] = nanos(_ -> kind.make(disk, number, SIZE), ours);
            found[i] = nanos(FilledPool::create, ours);
        }
        Sample floor = Sample.of(script, Arrays.stream(script).sum());
        Sample sample = Sample.of(found, Arrays.stream(found).sum());
        row("CreateVolume, the script", floor, "");
        double ratio = sample.p50() / floor.p50();
        row("CreateVolume, by turns with it", sample, against("median", ratio, MOST_OF_SCRIPT));
    }

    private void withVolumes(int calls) throws Exception {
        measured("CreateVolume", calls, 1, _ -> {}, FilledPool::create);
        for (FilledPool pool : pools) {
            pool.fill();
        }
        settle();
        measured("CreateVolume after a DeleteVolume", calls, 1, FilledPool::delete, FilledPool::create);
        measured("GetCapacity", calls, 1, _ -> {}, FilledPool::capacity);
        measured("GetCapacity, 1.1 s after it", RESTS, 1, _ -> rest(), FilledPool::capacity);
        measured(
                "GetCapacity, 1.1 s after a deletion and a create",
                RESTS,
                1,
                PoolBenchmark::replaceAndRest,
                FilledPool::capacity);
        measured("ListVolumes, a page of 100", calls, 1, _ -> {}, FilledPool::page);
        measured("ListVolumes, all of them, for each volume", LISTS, 0, _ -> {}, FilledPool::listed);
    }

    /** @param times what is one: a call; 0 for each volume of the pool */
    private void measured(String what, int calls, int times, Call before, Call call) throws Exception {
        long[][] nanos = new long[pools.size()][calls];
        for (int i = 0; i < calls; i++) {
            for (int pool = 0; pool < pools.size(); pool++) {
                FilledPool one = pools.get(pool);
                before.run(one);
                nanos[pool][i] = nanos(call, one) / (times == 0 ? one.number() : times);
            }
        }
        double few = 0;
        for (int pool = 0; pool < pools.size(); pool++) {
            Sample sample = Sample.of(nanos[pool], Arrays.stream(nanos[pool]).sum());
            double mean = 1e3 / sample.rate();
            few = pool == 0 ? mean : few;
            row(
                    what + ", " + pools.get(pool).number() + " volumes",
                    sample,
                    pool == 0 ? "" : against("mean", mean / few, MOST_OF_FEW));
        }
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

    private static long nanos(Call call, FilledPool pool) throws Exception {
        long begin = System.nanoTime();
        call.run(pool);
        return System.nanoTime() - begin;
    }

    private static void replaceAndRest(FilledPool pool) throws Exception {
        pool.delete();
        pool.create();
        rest();
    }

    /** Waits until what filled the pools is on the disk, which would be measured otherwise. */
    private static void settle() throws IOException, InterruptedException {
        new ProcessBuilder("sync").inheritIO().start().waitFor();
        Thread.sleep(SETTLING);
    }

    private static void rest() throws InterruptedException {
        Thread.sleep(1_100); // after which the pool is looked at again
    }
}
