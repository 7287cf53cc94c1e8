package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.Dump;
import dev.fairlead.adapter.local.pool.dataset.VolumeDataset;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** All that is below a pool as text; of images their lengths, since most of them is holes. */
final class PoolDump {
    private PoolDump() {}

    static String of(Path pool) {
        if (!Files.exists(pool)) {
            return "nothing";
        }
        StringBuilder text = new StringBuilder();
        try (Stream<Path> all = Files.walk(pool)) {
            List<Path> sorted = all.sorted().toList();
            for (Path path : sorted) {
                text.append(pool.relativize(path)).append(' ');
                text.append(describe(path));
                text.append('\n');
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static String describe(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            return "folder";
        }
        if (path.endsWith(VolumeDataset.FILE)) {
            return VolumeDataset.in(Objects.requireNonNull(path.getParent())).isPresent() ? "name" : "no name";
        }
        if (path.endsWith("alive")) {
            return "sign of a process"; // whose name is a new one each time
        }
        return path.endsWith("disk.img") ? "image of " + Files.size(path) : Dump.of(path);
    }
}
