package dev.fairlead.bootstrap.telemetry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What the kernel tells of a process; NaN where it does not. */
record ProcFiles(Path folder) {
    static ProcFiles ofThisProcess() {
        return new ProcFiles(Path.of("/proc/self"));
    }

    double residentBytes() {
        return status("VmRSS:") * 1024;
    }

    double threads() {
        return status("Threads:");
    }

    double openFiles() {
        try (Stream<Path> open = Files.list(folder.resolve("fd"))) {
            return open.count();
        } catch (IOException _) {
            return Double.NaN;
        }
    }

    /** The number after a key; its unit, where it has one, is kB. */
    private double status(String key) {
        try (Stream<String> lines = Files.lines(folder.resolve("status"))) {
            return lines.filter(line -> line.startsWith(key))
                    .map(line -> line.substring(key.length()).replace("kB", "").strip())
                    .mapToDouble(Double::parseDouble)
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException | NumberFormatException _) {
            return Double.NaN;
        }
    }
}
