package dev.fairlead.adapter.node.file;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Keeps one line on a disk of the node, in a file that is whole or not there. */
public record NodeFile(Path path) {
    /** Returns the first line that is not blank; empty if the file is missing. */
    public String line() {
        try {
            return Files.readString(path)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .findFirst()
                    .orElse("");
        } catch (NoSuchFileException _) {
            return "";
        } catch (IOException e) {
            throw KernelThreads.fault("reading " + path, e);
        }
    }

    /** Writes the line; it is on the disk when this returns. */
    public void write(String kind, String line, Work work) {
        try {
            work.effect(new Effect(kind, path.toString()), () -> replace(line + "\n"));
        } catch (IOException e) {
            throw DurableFile.fault("writing " + path, path.resolveSibling(""), e);
        }
    }

    /** Removes the file; does nothing if it is missing. */
    public void remove(String kind, Work work) {
        try {
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                work.effect(new Effect(kind, path.toString()), () -> Files.deleteIfExists(path));
            }
        } catch (IOException e) {
            throw DurableFile.fault("removing " + path, path.resolveSibling(""), e);
        }
    }

    private void replace(String text) throws IOException {
        DurableFile.makeFolder(path.resolveSibling(""));
        DurableFile.replace(path, path.resolveSibling(path.getFileName() + ".new"), text);
    }
}
