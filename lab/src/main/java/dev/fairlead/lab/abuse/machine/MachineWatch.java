package dev.fairlead.lab.abuse.machine;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Watches what the machine itself can do while the driver is abused: its processors and the disk of a folder.
 *
 * @param pulse notes when the processors stall
 * @param disk counts what the disk can sync
 */
public record MachineWatch(Pulse pulse, DiskPulse disk) implements AutoCloseable {
    public static MachineWatch begin(Path folder) throws IOException {
        return new MachineWatch(new Pulse(), new DiskPulse(folder));
    }

    @Override
    public void close() {
        pulse.close();
        disk.close();
    }
}
