package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.Mounts;
import dev.fairlead.adapter.local.pool.dataset.VolumeDataset;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
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
                inFolder(place, folder -> Files.writeString(folder.resolve(file), content));
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
                return inFolder(place, folder -> {
                    Path path = folder.resolve(file);
                    return Files.exists(path) ? Optional.of(Files.readString(path)) : Optional.<String>empty();
                });
            }
            try (RandomAccessFile image = new RandomAccessFile(place.toFile(), "r")) {
                image.seek(place(file));
                return Optional.of(image.readUTF()).filter(text -> !text.isEmpty());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Does something in a folder with what is in a volume. */
    @FunctionalInterface
    interface Use<T> {
        T in(Path folder) throws IOException;
    }

    /** Does something in a volume's folder; a dataset is mounted for it, or played beside the pools. */
    static <T> T inFolder(Path place, Use<T> use) throws IOException {
        if (!place.endsWith(VolumeDataset.FILE)) {
            return use.in(place);
        }
        Path folder = Objects.requireNonNull(place.getParent());
        String name = VolumeDataset.in(folder).orElseThrow().name();
        for (Path at = folder; at != null; at = at.getParent()) {
            Path played = at.resolve(PlayedDatasets.FOLDER).resolve(name);
            if (Files.isDirectory(played)) {
                return use.in(played);
            }
        }
        String dataset = Files.getFileStore(folder).name() + "/" + name;
        Path mount = Files.createTempDirectory("dataset-");
        try {
            if (!Mounts.run("mount", "-t", "zfs", dataset, mount.toString())) {
                throw new IOException(dataset + " could not be mounted");
            }
            try {
                return use.in(mount);
            } finally {
                Mounts.unmount(mount);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        } finally {
            Files.deleteIfExists(mount);
        }
    }

    private static long place(String file) {
        int hash = Math.floorMod(
                new String(file.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1).hashCode(), PLACES);
        return (long) hash * BLOCK;
    }
}
