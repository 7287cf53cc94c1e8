package dev.fairlead.adapter.local.pool.dataset;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Names the dataset of a volume or snapshot, as a file in its folder says it, wherever the folder is moved. It is
 * directly below the dataset that the pool lies on.
 *
 * @param name its own name, which no other one ever has
 * @param source the name of the dataset that it was copied from; empty if it was made empty
 */
public record VolumeDataset(String name, String source) {
    /** The name of the file, which no volume of another kind has as its id. */
    public static final String FILE = "volume.zfs";

    private static final Pattern NAME = Pattern.compile("fairlead-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final int MOST = 200;

    /** Returns a name that nothing has. */
    public static VolumeDataset copyOf(String source) {
        return new VolumeDataset("fairlead-" + UUID.randomUUID(), source);
    }

    public static Path file(Path folder) {
        return folder.resolve(FILE);
    }

    /** Returns what the file in a folder says; empty if there is none, or it was not written to its end. */
    public static Optional<VolumeDataset> in(Path folder) throws IOException {
        Path file = file(folder);
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > MOST) {
                return Optional.empty();
            }
            List<String> lines =
                    Files.readString(file, StandardCharsets.UTF_8).lines().toList();
            return lines.size() == 2
                            && NAME.matcher(lines.getFirst()).matches()
                            && (lines.getLast().isEmpty()
                                    || NAME.matcher(lines.getLast()).matches())
                    ? Optional.of(new VolumeDataset(lines.getFirst(), lines.getLast()))
                    : Optional.empty();
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    /** Writes the file into a folder that has none. */
    public void write(Path folder) throws IOException {
        Files.writeString(
                file(folder), name + "\n" + source + "\n", StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /** Returns the full name of the dataset in a pool on another one. */
    public String below(String parent) {
        return parent + "/" + name;
    }

    /** Returns the full name of the snapshot that it was made of; empty if it was made empty. */
    public Optional<String> origin(String parent) {
        return source.isEmpty() ? Optional.empty() : Optional.of(parent + "/" + source + "@" + name);
    }
}
