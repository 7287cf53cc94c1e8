package dev.fairlead.adapter.template;

import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads and writes the folders. A volume is {@code <id>/} with its content in {@code data/} and its name, size and
 * notes in the file {@code volume}. What is not whole yet, or no longer, is hidden in {@code .<id>~…}.
 */
record TemplateFolders(Path base) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final String NOTE = "note.";

    /** Reads something of the folders. */
    interface Reading<T> {
        T run() throws IOException;
    }

    static boolean isOurs(NativeId id) {
        return ID.matcher(id.value()).matches();
    }

    VolumeMedium medium(NativeId id) {
        return new VolumeMedium.Filesystem(
                base.resolve(id.value()).resolve("data").toString());
    }

    /** Returns where a volume is or will be; fails if the base folder is away, so that nothing is taken for deleted. */
    private Path place(NativeId id) throws IOException {
        return base.toRealPath().resolve(id.value());
    }

    private static String hidden(NativeId id) {
        return "." + id + "~";
    }

    Optional<StoredVolume> read(NativeId id) throws IOException {
        Path file = place(id).resolve("volume");
        var kept = new Properties();
        try (var stream = Files.newInputStream(file)) {
            kept.load(stream);
        } catch (NoSuchFileException _) { // also if it was deleted since its folder was listed
            return Optional.empty();
        }
        Map<String, String> notes = kept.stringPropertyNames().stream()
                .filter(key -> key.startsWith(NOTE))
                .collect(Collectors.toMap(key -> key.substring(NOTE.length()), kept::getProperty));
        Optional<CsiName> name = CsiName.read(kept.getProperty("name", ""));
        var size = Capacity.ofBytes(Long.parseLong(kept.getProperty("bytes", "")));
        return Optional.of(new StoredVolume(id, name, Optional.of(size), medium(id), Content.EMPTY, notes));
    }

    /** Returns the ids of all volumes, in order. */
    List<String> ids() throws IOException {
        try (Stream<Path> all = Files.list(base)) {
            return all.map(it -> it.getFileName().toString())
                    .filter(ID.asMatchPredicate())
                    .sorted()
                    .toList();
        }
    }

    /** Makes the volume in one step; fails if another process has made one of this id meanwhile. */
    void make(StoredVolume volume) throws IOException {
        Path fresh = Files.createTempDirectory(base, hidden(volume.id()));
        Files.createDirectory(fresh.resolve("data"));
        write(volume, fresh.resolve("volume"));
        move(fresh, place(volume.id()));
    }

    void rewrite(StoredVolume volume) throws IOException {
        Path fresh = Files.createTempFile(base, hidden(volume.id()), "");
        write(volume, fresh);
        move(fresh, place(volume.id()).resolve("volume"));
    }

    private static void write(StoredVolume volume, Path file) throws IOException {
        var kept = new Properties();
        volume.name().ifPresent(name -> kept.setProperty("name", name.value()));
        volume.capacity().ifPresent(size -> kept.setProperty("bytes", Long.toString(size.bytes())));
        volume.notes().forEach((key, value) -> kept.setProperty(NOTE + key, value));
        try (var stream = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.SYNC)) {
            kept.store(stream, "");
        }
    }

    private void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        try (var folder = FileChannel.open(base)) {
            folder.force(true);
        }
    }

    /**
     * Hides the volume in one step, then removes it and what calls that were cut have left of it. Of that, too, each is
     * moved first: whoever still works on it fails, and makes no volume of what is half removed.
     */
    void delete(NativeId id) throws IOException {
        Path trash = Files.createTempDirectory(base, hidden(id));
        if (Files.exists(place(id))) {
            move(place(id), trash.resolve("volume"));
        }
        try (var left = Files.newDirectoryStream(base, hidden(id) + "*")) {
            for (Path each : left) {
                if (!each.equals(trash)) {
                    move(each, trash.resolve(each.getFileName()));
                }
            }
        }
        try (Stream<Path> all = Files.walk(trash)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    Capacity room() throws IOException {
        return Capacity.ofBytes(Files.getFileStore(base).getUsableSpace());
    }
}
