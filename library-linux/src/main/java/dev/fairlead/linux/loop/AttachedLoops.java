package dev.fairlead.linux.loop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the loop devices that have files, as sysfs shows them, without asking the devices.
 *
 * @param blocks where the kernel has a folder for each block device
 * @param name the last name of the files that are meant; empty if all are
 */
public record AttachedLoops(Path blocks, String name) {
    /** The text that the kernel writes after the name of a deleted file. */
    private static final String DELETED = " (deleted)";

    /** Returns the names of the devices that have a file which can be meant. */
    public List<String> names() throws IOException {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(blocks, "loop*")) {
            for (Path block : all) {
                String device = String.valueOf(block.getFileName());
                if (has(device) && canBeNamed(block)) {
                    found.add(device);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        found.sort(null);
        return found;
    }

    /** Returns whether a device has a file. */
    public boolean has(String device) {
        return Files.isDirectory(blocks.resolve(device).resolve("loop"));
    }

    /** Returns whether the file of a device has the last two names of a path; true if the kernel does not say. */
    public boolean endsAs(Path device, Path path) {
        Path end = path.subpath(Math.max(0, path.getNameCount() - 2), path.getNameCount());
        try {
            String file = Files.readString(
                            blocks.resolve(String.valueOf(device.getFileName())).resolve("loop/backing_file"))
                    .strip();
            return file.endsWith("/" + end) || file.endsWith("/" + end + DELETED);
        } catch (IOException e) {
            return true;
        }
    }

    /** Returns whether the file of a device can have the name that is asked for; true if the kernel does not say. */
    private boolean canBeNamed(Path block) {
        try {
            String file = Files.readString(block.resolve("loop/backing_file"), StandardCharsets.ISO_8859_1)
                    .strip();
            return name.isEmpty() || file.endsWith("/" + name) || file.endsWith("/" + name + DELETED);
        } catch (NoSuchFileException e) {
            return false; // it was let go of meanwhile
        } catch (IOException e) {
            return true;
        }
    }
}
