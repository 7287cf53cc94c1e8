package dev.fairlead.benchmarks;

import csi.v1.Volume;
import dev.fairlead.benchmarks.measured.Cell;
import dev.fairlead.benchmarks.measured.Results;
import dev.fairlead.benchmarks.measured.Sample;
import dev.fairlead.lab.CsiClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One round of calls on one running server. */
final class Scenario {
    private final Subject subject;
    private final CsiClient client;
    private final Path folder;
    private final int scale;
    private int serial;

    Scenario(Subject subject, CsiClient client, Path folder, int scale) {
        this.subject = subject;
        this.client = client;
        this.folder = folder;
        this.scale = scale;
    }

    /** Runs every operation at each of these numbers of callers; for a warm-up, the caller drops the results. */
    void round(Results results, boolean node, int... numbers) throws Exception {
        for (int callers : numbers) {
            int count = callers == 1 ? scale : 2 * scale;
            add(results, "Probe", callers, Load.run(callers, count, _ -> client.probe()));
            volumes(results, callers, count);
            if (node) {
                publications(results, callers, scale / 2);
            }
        }
    }

    private void volumes(Results results, int callers, int count) throws InterruptedException {
        int run = serial++;
        String[] ids = new String[count];
        add(results, "CreateVolume", callers, Load.run(callers, count, index -> {
            Map<String, String> parameters =
                    subject.parameters().get(index % subject.parameters().size());
            ids[index] = client.create("pvc-68f1d462-633b-4085-%04d-%012d".formatted(run, index), parameters)
                    .getVolumeId();
        }));
        add(results, "DeleteVolume", callers, Load.run(callers, count, index -> client.delete(ids[index])));
    }

    /** Publishes and unpublishes one staged volume for each caller, again and again. */
    private void publications(Results results, int callers, int cycles) throws Exception {
        int run = serial++;
        List<Volume> volumes = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            Volume volume = client.create(
                    "node-%d-%d".formatted(run, i), subject.parameters().getFirst());
            volumes.add(volume);
            client.stage(volume, staging(run, i));
        }
        long[] publish = new long[cycles];
        long[] unpublish = new long[cycles];
        ThreadLocal<Integer> mine =
                ThreadLocal.withInitial(new java.util.concurrent.atomic.AtomicInteger()::getAndIncrement);
        long start = System.nanoTime();
        Sample whole = Load.run(callers, cycles, index -> {
            int i = mine.get();
            Path target = folder.resolve("pods-%d-%d".formatted(run, index));
            long begin = System.nanoTime();
            client.publish(volumes.get(i), staging(run, i), target, false);
            long published = System.nanoTime();
            client.unpublish(volumes.get(i), target);
            publish[index] = published - begin;
            unpublish[index] = System.nanoTime() - published;
        });
        long elapsed = System.nanoTime() - start;
        if (whole.rate() <= 0) {
            throw new IllegalStateException("nothing was published");
        }
        add(results, "NodePublishVolume", callers, Sample.of(publish, elapsed));
        add(results, "NodeUnpublishVolume", callers, Sample.of(unpublish, elapsed));
        for (int i = 0; i < volumes.size(); i++) {
            client.unstage(volumes.get(i), staging(run, i));
            client.delete(volumes.get(i).getVolumeId());
        }
    }

    private Path staging(int run, int i) throws IOException {
        Path staging = folder.resolve("staging-%d-%d".formatted(run, i));
        return Files.exists(staging) ? staging : Files.createDirectories(staging);
    }

    private void add(Results results, String operation, int callers, Sample sample) {
        results.add(new Cell(subject.name(), operation, callers), sample);
    }
}
