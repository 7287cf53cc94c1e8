package dev.fairlead.adapter.node.block;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Reads files and folders of sysfs, which may go away at any moment. */
public final class SysfsFiles {
    private SysfsFiles() {}

    public static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    /** Returns the only line of a file; empty if it is missing, or has no value now. */
    public static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException _) {
            return ""; // what the device goes away for, and what a session has not while it is not connected
        }
    }

    public static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException _) {
            return path; // it has gone meanwhile, and has no children
        }
    }

    /** Returns what is in a folder and has a wanted name, in the order of the names; nothing if the folder has gone. */
    public static List<Path> children(Path folder, Predicate<String> named) {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, it -> named.test(name(it)))) {
            entries.forEach(children::add);
        } catch (NoSuchFileException | NotDirectoryException _) {
            return List.of();
        } catch (IOException e) {
            throw KernelThreads.fault("reading " + folder, e);
        }
        children.sort(Comparator.comparing(Path::toString));
        return children;
    }
}
