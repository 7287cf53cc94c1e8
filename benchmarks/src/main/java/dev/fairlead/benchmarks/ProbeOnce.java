package dev.fairlead.benchmarks;

import dev.fairlead.lab.CsiClient;
import java.nio.file.Path;

/** Sends one Probe: the training of a server's AOT cache. */
final class ProbeOnce {
    private ProbeOnce() {}

    public static void main(String[] args) {
        try (CsiClient client = new CsiClient(Path.of(args[0]))) {
            client.probe();
        }
    }
}
