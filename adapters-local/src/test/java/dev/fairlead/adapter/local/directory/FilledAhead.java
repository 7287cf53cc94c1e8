package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Stands for a pod with one sparse file, which writes ahead of a copy and punches holes behind it: it never has more
 * than two pieces, and its copy gets all of them.
 */
public final class FilledAhead {
    /** The number of pieces after which it gives up, so that a copy without a limit ends. */
    public static final int MOST = 40;

    private static final int MIB = 1 << 20;

    private final Path file;
    private int written;

    public FilledAhead(Path folder) throws IOException {
        file = folder.resolve("sparse");
        try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
            made.setLength(2L * MIB * (MOST + 1));
        }
        write();
    }

    public int written() {
        return written;
    }

    /** Goes on by one piece once the one before is copied; for the condition of a work, which is false. */
    public boolean goOn(Path copies) {
        try {
            if (written < MOST && isCopied(copies)) {
                write();
                punch(written - 2);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return false;
    }

    /** Returns whether a copy has as many pieces as were written. */
    private boolean isCopied(Path copies) throws IOException {
        for (String name : DirectoryFixture.names(copies)) {
            Path copy = copies.resolve(name).resolve("sparse");
            if (Files.exists(copy)) {
                return Files.size(copy) >= at(written - 1) + MIB;
            }
        }
        return false;
    }

    private static long at(int piece) {
        return 2L * MIB * piece;
    }

    private void write() throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.seek(at(written));
            open.write(new byte[MIB]);
        }
        written++;
    }

    private void punch(int piece) throws IOException {
        Process punch = new ProcessBuilder(
                        "fallocate", "-p", "-o", Long.toString(at(piece)), "-l", "1MiB", file.toString())
                .inheritIO()
                .start();
        try {
            assertThat(punch.waitFor(5, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        assertThat(punch.exitValue()).isZero();
    }
}
