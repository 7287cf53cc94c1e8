package dev.fairlead.lab.affinity;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Watches all claims, and times for how long each one is in the phase Lost. */
final class LostClaims implements AutoCloseable {
    private final InputStream lines;
    private final Thread thread;
    private final Map<String, Long> since = new HashMap<>();
    private final Set<String> everLost = new HashSet<>();
    private final List<Double> seconds = new ArrayList<>();

    LostClaims(AdminCalls admin) throws IOException, InterruptedException {
        String path = "/api/v1/namespaces/default/persistentvolumeclaims";
        String version = admin.get(path)
                .getAsJsonObject("metadata")
                .get("resourceVersion")
                .getAsString();
        lines = admin.watch(path + "?watch=true&timeoutSeconds=3600&resourceVersion=" + version);
        thread = Thread.ofVirtual().start(this::read);
    }

    private void read() {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(lines, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                take(JsonParser.parseString(line).getAsJsonObject().getAsJsonObject("object"));
            }
        } catch (IOException | UncheckedIOException _) {
            // The watch is over.
        }
    }

    private synchronized void take(JsonObject claim) {
        String name = AffinityWorld.name(claim);
        boolean lost =
                claim.getAsJsonObject("status").get("phase").getAsString().equals("Lost");
        if (lost) {
            since.putIfAbsent(name, System.nanoTime());
            everLost.add(name);
        } else if (since.containsKey(name)) {
            seconds.add((System.nanoTime() - since.remove(name)) / 1e9);
        }
    }

    /** Returns how many claims were Lost at least once. */
    synchronized int claims() {
        return everLost.size();
    }

    /** Returns how many are Lost now. */
    synchronized int now() {
        return since.size();
    }

    synchronized double longest() {
        return seconds.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }

    /** Returns number, share, and the times for which they were Lost. */
    synchronized String told(int all) {
        List<Double> sorted = new ArrayList<>(seconds);
        Collections.sort(sorted);
        double median = sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2);
        return String.format(
                Locale.ROOT,
                "%d of %d claims were Lost at least once (%.1f %%), %d times in all; median %.2f s, longest %.2f s",
                everLost.size(),
                all,
                100.0 * everLost.size() / all,
                sorted.size(),
                median,
                longest());
    }

    @Override
    public void close() throws IOException {
        thread.interrupt();
        lines.close();
    }
}
