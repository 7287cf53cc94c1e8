package dev.fairlead.bootstrap.serving;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file with a folder a line, beside the driver's socket: a place that is this node's and this driver's own, and stays
 * when the process goes. Where it cannot be used, the folders are known for the life of the process alone.
 */
record HostPathsFile(Path path) {
    private static final Logger log = LoggerFactory.getLogger(HostPathsFile.class);

    static HostPathsFile besides(Path socket) {
        return new HostPathsFile(socket.resolveSibling("host-paths"));
    }

    List<Path> read() {
        try {
            return Files.readAllLines(path).stream()
                    .map(Path::of)
                    .filter(folder -> folder.isAbsolute() && folder.equals(folder.normalize()))
                    .toList();
        } catch (NoSuchFileException _) {
            return List.of();
        } catch (IOException e) {
            warn(e);
            return List.of();
        }
    }

    void write(Collection<Path> folders) {
        String text = folders.stream()
                .map(Path::toString)
                .filter(folder -> folder.indexOf('\n') < 0)
                .map(folder -> folder + "\n")
                .reduce("", String::concat);
        Path draft = path.resolveSibling(path.getFileName() + ".new");
        try {
            Files.writeString(draft, text, StandardCharsets.UTF_8);
            Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            warn(e);
        }
    }

    private void warn(IOException e) {
        log.atWarn()
                .addKeyValue("file", path)
                .addKeyValue("why", e.toString())
                .log("folders of removed connections are not known after a restart; name them in hostPathRoots");
    }
}
