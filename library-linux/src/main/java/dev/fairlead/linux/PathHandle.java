package dev.fairlead.linux;

import dev.fairlead.linux.flags.OpenFlags;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Holds a place in the file system by a descriptor ({@code O_PATH}): whatever happens to the names that led there, the
 * handle stays on it.
 *
 * <p>The last component of a name is never followed if it is a symbolic link.
 */
public final class PathHandle implements AutoCloseable {
    private static final int AT_FDCWD = -100;
    private static final int O_CLOEXEC = 0x80000;
    private static final int O_PATH = 0x200000;

    private static final NativeCall OPENAT = NativeCall.ofInt("openat", 4, Linker.Option.firstVariadicArg(3));
    private static final NativeCall CLOSE = NativeCall.ofInt("close", 1);

    private final int fd;

    PathHandle(int fd) {
        this.fd = fd;
    }

    /** Opens whatever is at the path, a symbolic link itself included; does not trigger an automount. */
    public static PathHandle of(Path path) throws LinuxException {
        return open(AT_FDCWD, path.toString(), 0);
    }

    /** Opens a directory; anything else, a symbolic link to one included, fails with {@code ENOTDIR}. */
    public static PathHandle ofDirectory(Path path) throws LinuxException {
        return open(AT_FDCWD, path.toString(), OpenFlags.O_DIRECTORY);
    }

    /** Opens a directory right below this one by a name without a slash that is neither {@code .} nor {@code ..}. */
    public PathHandle child(String name) throws LinuxException {
        if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('/') >= 0) {
            throw new IllegalArgumentException("name: '" + name + "' (expected: one name below a directory)");
        }
        return open(fd, name, OpenFlags.O_DIRECTORY);
    }

    private static PathHandle open(int directory, String path, int flags) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            return new PathHandle((int) OPENAT.call(
                    NativeCall.state(arena),
                    directory,
                    NativeCall.text(arena, path),
                    flags | O_PATH | OpenFlags.O_NOFOLLOW | O_CLOEXEC,
                    0));
        }
    }

    /** Returns a name that leads to the same place for as long as this handle is open, in this process. */
    public Path self() {
        return Path.of("/proc/self/fd/" + fd);
    }

    /** Returns the path at which the kernel says that this is now, all symbolic links resolved. */
    public Path where() throws IOException {
        return Files.readSymbolicLink(self());
    }

    int fd() {
        return fd;
    }

    @Override
    public void close() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = NativeCall.state(arena);
            CLOSE.call(state, fd);
        } catch (LinuxException e) {
            throw new IllegalStateException("closing a path handle", e); // EBADF only: somebody else closed it
        }
    }
}
