package dev.fairlead.bootstrap.telemetry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Reads what the kernel tells of a process; a value that it does not tell is NaN. */
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

    /** Returns the number after a key, in kB if it has a unit; NaN if there is none. */
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
