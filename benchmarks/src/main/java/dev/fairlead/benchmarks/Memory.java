package dev.fairlead.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Tells what a process holds in memory, from {@code /proc/<pid>/smaps_rollup}.
 *
 * @param rss resident memory in MiB
 * @param pss resident memory in MiB, of shared pages only the process's share
 */
record Memory(double rss, double pss) {
    static Memory of(long pid) throws IOException {
        double rss = 0;
        double pss = 0;
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup"))) {
            List<String> words = List.of(line.trim().split("\\s+", -1));
            if (line.startsWith("Rss:")) {
                rss = Double.parseDouble(words.get(1)) / 1024;
            } else if (line.startsWith("Pss:")) {
                pss = Double.parseDouble(words.get(1)) / 1024;
            }
        }
        return new Memory(rss, pss);
    }
}
