package dev.fairlead.linux.counts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tells of which files there are loop devices, and one time from another: between two of the same devices, no other
 * file has had one.
 *
 * @param devices the number that the kernel gives a device anew when it gets a file or lets go of it, by its name
 * @param folders the names of the folders that the files are in
 */
public record LoopUse(Map<String, String> devices, Set<String> folders) {
    public LoopUse {
        devices = Map.copyOf(devices);
        folders = Set.copyOf(folders);
    }

    /**
     * Returns the use of this machine's devices; empty if the kernel (before 5.15) or the container does not say it.
     */
    public static Optional<LoopUse> now() {
        return now(Path.of("/sys/block"));
    }

    /** @param blocks where the kernel has a folder for each block device */
    static Optional<LoopUse> now(Path blocks) {
        Map<String, String> devices = new HashMap<>();
        Set<String> folders = new HashSet<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(blocks, "loop*")) {
            for (Path block : all) {
                devices.put(String.valueOf(block.getFileName()), text(block.resolve("diskseq")));
                folder(block).ifPresent(folders::add);
            }
        } catch (IOException | DirectoryIteratorException _) {
            return Optional.empty();
        }
        return Optional.of(new LoopUse(devices, folders));
    }

    /** Returns the name of the folder of a device's file; empty if it has none. */
    private static Optional<String> folder(Path block) throws IOException {
        if (!Files.isDirectory(block.resolve("loop"))) {
            return Optional.empty(); // as most
        }
        try {
            Path above = Path.of(text(block.resolve("loop/backing_file"))).getParent();
            return above == null || above.getFileName() == null
                    ? Optional.empty()
                    : Optional.of(above.getFileName().toString());
        } catch (NoSuchFileException _) {
            return Optional.empty(); // it was let go of meanwhile, and its number is another one by then
        }
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1).strip();
    }
}
