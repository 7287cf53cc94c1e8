package dev.fairlead.bootstrap.serving.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps folders in a file, one a line, beside the driver's socket: a place that belongs to this node and this driver,
 * and that outlives the process. If the file cannot be used, the folders are known only for the life of the process.
 *
 * <p>The file decides what may be mounted into pods, so it is believed only if nobody else can have written it.
 */
public record HostPathsFile(Path path) {
    private static final Logger log = LoggerFactory.getLogger(HostPathsFile.class);

    private static final String FORGOTTEN =
            "folders of removed connections are not known after a restart; name them in hostPathRoots";

    /** The most bytes that are read, more than the folders of any node's connections. */
    private static final int LARGEST = 1 << 20;

    public static HostPathsFile besides(Path socket) {
        return new HostPathsFile(socket.resolveSibling(socket.getFileName() + ".host-paths"));
    }

    List<Path> read() {
        try {
            new FileTrust(path).require();
            String text = text();
            String whole = text.substring(0, text.lastIndexOf('\n') + 1); // a cut path would name a wider folder
            return whole.lines().flatMap(line -> folder(line).stream()).toList();
        } catch (NoSuchFileException _) {
            return List.of();
        } catch (IOException e) {
            warn(e);
            return List.of();
        }
    }

    private String text() throws IOException {
        try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
            return new String(in.readNBytes(LARGEST), StandardCharsets.UTF_8);
        }
    }

    private Optional<Path> folder(String line) {
        try {
            Path folder = Path.of(line);
            if (folder.isAbsolute() && folder.equals(folder.normalize())) {
                return Optional.of(folder);
            }
        } catch (InvalidPathException _) {
            // logged below, as any other line that names no folder
        }
        log.atWarn().addKeyValue("file", path).log("a damaged line is passed over");
        return Optional.empty();
    }

    void write(Collection<Path> folders) {
        String text = folders.stream()
                .map(Path::toString)
                .filter(folder -> folder.indexOf('\n') < 0 && folder.indexOf('\r') < 0)
                .map(folder -> folder + "\n")
                .reduce("", String::concat);
        Path draft = path.resolveSibling(path.getFileName() + ".new");
        try {
            writeAnew(draft, text);
            Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            warn(e);
        }
    }

    /** Writes the text into a new file that nobody else made or holds open. */
    private static void writeAnew(Path draft, String text) throws IOException {
        Files.deleteIfExists(draft);
        try (FileChannel file = FileChannel.open(
                draft,
                Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.force(true);
        }
    }

    private void warn(IOException e) {
        log.atWarn().addKeyValue("file", path).addKeyValue("why", e.toString()).log(FORGOTTEN);
    }
}
