package dev.fairlead.adapter.local.pool;

import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Writes and reads as the user of a volume does: files in a folder, and blocks of an image at places of their own. */
final class PoolContent {
    private static final int BLOCK = 4096;
    private static final int PLACES = 500;

    private PoolContent() {}

    static void write(StoredVolume volume, String file, String content) {
        Path place = Path.of(volume.medium().path());
        try {
            if (volume.medium().kind() == VolumeMedium.Kind.FILESYSTEM) {
                Files.writeString(place.resolve(file), content);
                return;
            }
            try (RandomAccessFile image = new RandomAccessFile(place.toFile(), "rw")) {
                image.seek(place(file));
                image.writeUTF(content);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Optional<String> read(StoredVolume volume, String file) {
        Path place = Path.of(volume.medium().path());
        try {
            if (volume.medium().kind() == VolumeMedium.Kind.FILESYSTEM) {
                Path path = place.resolve(file);
                return Files.exists(path) ? Optional.of(Files.readString(path)) : Optional.empty();
            }
            try (RandomAccessFile image = new RandomAccessFile(place.toFile(), "r")) {
                image.seek(place(file));
                return Optional.of(image.readUTF()).filter(text -> !text.isEmpty());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long place(String file) {
        int hash = Math.floorMod(
                new String(file.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1).hashCode(), PLACES);
        return (long) hash * BLOCK;
    }
}
