package dev.fairlead.testkit.hung;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;

/** The few system calls that a FUSE server needs, on one open {@code /dev/fuse}. */
final class FuseDevice {
    private static final int O_RDWR_CLOEXEC = 0x80002;
    private static final long MS_NOSUID_NODEV = 6;
    private static final int MNT_FORCE_DETACH = 3;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle OPEN =
            function("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle READ =
            function("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle WRITE =
            function("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle MOUNT =
            function("mount", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
    private static final MethodHandle UMOUNT = function("umount2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));

    private final int fd;

    private FuseDevice(int fd) {
        this.fd = fd;
    }

    @SuppressWarnings("restricted")
    private static MethodHandle function(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        Linker.Option[] all = new Linker.Option[options.length + 1];
        all[0] = Linker.Option.captureCallState("errno");
        System.arraycopy(options, 0, all, 1, options.length);
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, all);
    }

    static FuseDevice open() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            return new FuseDevice(
                    (int) call("open /dev/fuse", arena, OPEN, arena.allocateFrom("/dev/fuse"), O_RDWR_CLOEXEC));
        }
    }

    void mountAt(Path path, String source) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            call(
                    "mount a file system at " + path,
                    arena,
                    MOUNT,
                    arena.allocateFrom(source),
                    arena.allocateFrom(path.toString()),
                    arena.allocateFrom("fuse"),
                    MS_NOSUID_NODEV,
                    arena.allocateFrom("fd=" + fd + ",rootmode=40000,user_id=0,group_id=0,allow_other"));
        }
    }

    /** Unmounts the file system and makes all calls that wait for it fail, also those through another mount of it. */
    static void unmount(Path path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            call("unmount " + path, arena, UMOUNT, arena.allocateFrom(path.toString()), MNT_FORCE_DETACH);
        }
    }

    /** Waits for one request and returns its length; fails if the file system is unmounted. */
    int read(MemorySegment buffer) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            return (int) call("read /dev/fuse", arena, READ, fd, buffer, buffer.byteSize());
        }
    }

    void write(MemorySegment answer) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            call("write /dev/fuse", arena, WRITE, fd, answer, answer.byteSize());
        }
    }

    void close() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            call("close /dev/fuse", arena, CLOSE, fd);
        }
    }

    private static long call(String what, Arena arena, MethodHandle function, Object... arguments) throws IOException {
        MemorySegment state = arena.allocate(STATE);
        Object[] all = new Object[arguments.length + 1];
        all[0] = state;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        long answer;
        try {
            answer = ((Number) function.invokeWithArguments(all)).longValue();
        } catch (Throwable e) {
            throw new IllegalStateException(what, e);
        }
        if (answer < 0) {
            throw new IOException(what + ": errno " + (int) ERRNO.get(state, 0L));
        }
        return answer;
    }
}
