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
 * <p>A file alone proves nothing: a pod may have written it, or the pool's own dataset may have been rolled back to a
 * time at which the volume was being made. So {@link DatasetFolders} compares it with the record, and the dataset
 * itself says whose it is.
 *
 * @param name its own name, which no other one ever has
 * @param source the name of the dataset that it was copied from; empty if it was made empty
 * @param owner what the dataset says of whose it is once its folder is in its place: the word for a volume or snapshot,
 *     and its id
 */
public record VolumeDataset(String name, String source, String owner) {
    /** The name of the file, which no volume of another kind has as its id. */
    public static final String FILE = "volume.zfs";

    static final String PREFIX = "fairlead-";

    private static final Pattern NAME = Pattern.compile(PREFIX + "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern OWNER = Pattern.compile("(volume|snapshot)/[A-Za-z0-9][A-Za-z0-9_:.+-]{0,199}");
    private static final int MOST = 400;
    private static final int LINES = 3;
    private static final String MAKING = "making ";

    /** Returns a name that nothing has. */
    public static VolumeDataset copyOf(String source, String owner) {
        return new VolumeDataset(PREFIX + UUID.randomUUID(), source, owner);
    }

    /** Returns what the dataset says of whose it is until its folder is in its place. */
    public String maker() {
        return MAKING + owner;
    }

    /** Returns whether a dataset that says this is that of the folder, in its place or before. */
    public boolean isOwn(String said) {
        return said.equals(owner) || said.equals(maker());
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
            return lines.size() == LINES
                            && NAME.matcher(lines.getFirst()).matches()
                            && (lines.get(1).isEmpty()
                                    || NAME.matcher(lines.get(1)).matches())
                            && OWNER.matcher(lines.getLast()).matches()
                    ? Optional.of(new VolumeDataset(lines.getFirst(), lines.get(1), lines.getLast()))
                    : Optional.empty();
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    /** Writes the file into a folder that has none. */
    public void write(Path folder) throws IOException {
        Files.writeString(
                file(folder),
                name + "\n" + source + "\n" + owner + "\n",
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE);
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
