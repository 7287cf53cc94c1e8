package dev.fairlead.lab.abuse;

import dev.fairlead.lab.DriverProcess;
import dev.fairlead.lab.abuse.machine.ThreadTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Tells what the time of Probes was spent on: the driver's thread for input and output, its collections, and the thread
 * that asks, each running or waiting for a processor.
 */
final class ProbeShares {
    private static final Map<String, String> DRIVER = Map.of("csi-io", "I/O thread", "VM Thread", "collections");
    private static final String ASKING = "asking";
    private static final Path SELF = Path.of("/proc/thread-self/schedstat");

    private final Installation installation;
    private final Map<String, ThreadTime> totals = new LinkedHashMap<>();
    private final Map<String, Path> files = new LinkedHashMap<>();
    private Map<String, ThreadTime> before = Map.of();
    private ThreadTime askingBefore = ThreadTime.NONE;
    private ThreadTime asking = ThreadTime.NONE;
    private long pid;

    ProbeShares(Installation installation) {
        this.installation = installation;
    }

    /** Notes the times before a Probe; on the thread that asks. */
    void begin() {
        DriverProcess driver = installation.driver();
        if (driver.pid() != pid) {
            files.clear();
            DRIVER.forEach((prefix, name) -> files.put(name, schedstat(driver, prefix)));
            pid = driver.pid();
        }
        before = read();
        askingBefore = ThreadTime.read(SELF);
    }

    private static Path schedstat(DriverProcess driver, String prefix) {
        try {
            return Path.of("/proc/" + driver.pid() + "/task/" + driver.thread(prefix) + "/schedstat");
        } catch (IOException _) {
            return Path.of("/nowhere");
        }
    }

    /** Returns what was spent since {@link #begin}. */
    String end() {
        asking = ThreadTime.read(SELF).since(askingBefore);
        Map<String, ThreadTime> spent = read();
        spent.replaceAll((name, time) -> time.since(before.getOrDefault(name, ThreadTime.NONE)));
        spent.put(ASKING, asking);
        spent.forEach((name, time) -> totals.merge(name, time, ThreadTime::plus));
        return words(spent);
    }

    /**
     * Returns for how many nanoseconds of the last Probe the thread that asks had something to do, and no processor:
     * before it had sent the request, or once the answer was there.
     */
    long askerWaited() {
        return asking.waited();
    }

    private Map<String, ThreadTime> read() {
        Map<String, ThreadTime> times = new LinkedHashMap<>();
        files.forEach((name, file) -> times.put(name, ThreadTime.read(file)));
        return times;
    }

    /** Returns what all Probes together have spent. */
    String total() {
        return words(totals);
    }

    private static String words(Map<String, ThreadTime> times) {
        return times.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
    }
}
