package dev.fairlead.adapter.grpc.socket;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes care of the file of a Unix socket, from the first look at its place to its removal.
 *
 * <p>The socket is bound in a folder of its own that nobody else may enter, gets its mode there and is then renamed to
 * its place: so nobody can connect before the mode is set, and a stale socket is replaced in one step.
 */
public final class SocketFile {
    /** {@code sun_path} has 108 bytes, the last of which is NUL. */
    private static final int LONGEST = 107;

    /** The name at which a socket is bound, with a dot, since kubelet looks for plugins' sockets in subfolders too. */
    private static final String BOUND = ".s";

    private static final int TYPE_MASK = 0170000;
    private static final int SOCKET_TYPE = 0140000;

    private final Path path;
    private final Path room;
    private volatile @Nullable Object key;

    private SocketFile(Path path, Path room) {
        this.path = path;
        this.room = room;
    }

    /** Looks whether a socket may be made at the path, and prepares to bind it. */
    static SocketFile claim(Path requested) {
        Path path = requested.toAbsolutePath().normalize();
        Path parent = path.getParent();
        if (parent == null) {
            throw unusable(path, "is not the path of a file");
        }
        Path room = parent.resolve(".s" + Integer.toString(Math.floorMod(path.hashCode(), 36 * 36 * 36), 36));
        int length = Math.max(bytes(path), bytes(room.resolve(BOUND)));
        if (length > LONGEST) {
            throw unusable(path, length + " bytes are too long for a socket (expected: at most " + LONGEST + ")");
        }
        try {
            if (!Files.isDirectory(parent)) {
                throw unusable(path, "its folder " + parent + " is missing; create it first");
            }
            refuseOthers(path);
            removeRoom(room);
            Files.createDirectory(
                    room, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            return new SocketFile(path, room);
        } catch (IOException e) {
            throw unusable(path, e);
        }
    }

    /** Refuses a place that is taken by anything but a socket on which nobody answers. */
    private static void refuseOthers(Path path) throws IOException {
        Map<String, Object> found;
        try {
            found = Files.readAttributes(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return;
        }
        int type = ((Integer) found.getOrDefault("mode", 0)) & TYPE_MASK;
        if (type != SOCKET_TYPE) {
            throw unusable(path, "there is " + nameOf(path) + " in its place, which is left alone; move it away");
        }
        if (answers(path)) {
            throw unusable(path, "another process serves this socket; stop it first or choose another path");
        }
    }

    private static String nameOf(Path path) {
        if (Files.isSymbolicLink(path)) {
            return "a symbolic link";
        }
        return Files.isDirectory(path) ? "a directory" : "a file that is not a socket";
    }

    /** Says whether somebody listens at a socket, without waiting: a listener whose queue is full is one, too. */
    private static boolean answers(Path path) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.configureBlocking(false);
            channel.connect(UnixDomainSocketAddress.of(path));
            return true;
        } catch (ConnectException e) {
            return false;
        } catch (SocketException e) {
            return true;
        }
    }

    /** Returns the path at which to bind the socket. */
    Path hidden() {
        return room.resolve(BOUND);
    }

    /** Puts the bound socket in its place. */
    void reveal(Set<PosixFilePermission> permissions) {
        try {
            Files.setPosixFilePermissions(hidden(), permissions);
            key = keyOf(hidden()).orElse(null);
            Files.move(hidden(), path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            removeRoom(room);
        } catch (IOException e) {
            throw unusable(path, e);
        }
    }

    /** Says whether what is in the socket's place is still the socket that was put there. */
    public boolean isInPlace() {
        try {
            return keyOf(path).filter(there -> there.equals(key)).isPresent();
        } catch (IOException e) {
            return false;
        }
    }

    /** Removes the socket, unless another process has put its own there since. */
    void remove() throws IOException {
        removeRoom(room);
        Optional<Object> there = keyOf(path);
        if (there.isPresent() && there.get().equals(key)) {
            Files.deleteIfExists(path);
        }
    }

    private static Optional<Object> keyOf(Path path) throws IOException {
        try {
            return Optional.ofNullable(Files.readAttributes(path, "unix:ino,dev", LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static void removeRoom(Path room) throws IOException {
        Files.deleteIfExists(room.resolve(BOUND));
        Files.deleteIfExists(room);
    }

    private static int bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    private static StorageException unusable(Path path, IOException e) {
        return new StorageException(new Failure.NodeFault("listening on socket " + path, e.toString()), e);
    }

    private static StorageException unusable(Path path, String why) {
        return new StorageException(new Failure.NodeFault("listening on socket " + path, why));
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
