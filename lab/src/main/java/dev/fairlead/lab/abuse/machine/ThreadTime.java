package dev.fairlead.lab.abuse.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Holds what the scheduler has counted for one thread.
 *
 * @param ran nanoseconds on a processor
 * @param waited nanoseconds for which it could have run, while others had the processors
 */
public record ThreadTime(long ran, long waited) {
    public static final ThreadTime NONE = new ThreadTime(0, 0);

    /** Reads it from a {@code schedstat} file below {@code /proc}; none if the thread has ended or nobody counts. */
    public static ThreadTime read(Path schedstat) {
        try {
            String[] counts = Files.readString(schedstat).split(" ", -1);
            return new ThreadTime(Long.parseLong(counts[0]), Long.parseLong(counts[1]));
        } catch (IOException | NumberFormatException _) {
            return NONE;
        }
    }

    public ThreadTime since(ThreadTime earlier) {
        return new ThreadTime(Math.max(0, ran - earlier.ran), Math.max(0, waited - earlier.waited));
    }

    public ThreadTime plus(ThreadTime other) {
        return new ThreadTime(ran + other.ran, waited + other.waited);
    }

    @Override
    public String toString() {
        return "ran %.0f and waited %.0f ms".formatted(ran / 1e6, waited / 1e6);
    }
}
