package dev.fairlead.linux;

import dev.fairlead.linux.flags.OpenFlags;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Talks to devices that take a whole text in one write. Call from platform threads. */
public final class DeviceCalls {
    private static final int AT_FDCWD = -100;
    private static final int O_RDWR = 2;
    private static final int O_NOCTTY = 0x100;
    private static final int O_CLOEXEC = 0x80000;

    private static final NativeCall OPENAT = NativeCall.ofInt("openat", 4, Linker.Option.firstVariadicArg(3));
    private static final NativeCall WRITE = NativeCall.ofLong("write", 3);
    private static final NativeCall CLOSE = NativeCall.ofInt("close", 1);

    private DeviceCalls() {}

    /**
     * Writes a text to a device that exists; nothing is made in its place. The text may be a secret: no copy of it is
     * left in native memory.
     */
    public static void write(Path device, byte[] text) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = NativeCall.state(arena);
            MemorySegment path = arena.allocateFrom(device.toString(), StandardCharsets.UTF_8);
            MemorySegment room = arena.allocate(Math.max(text.length, 1));
            int flags = O_RDWR | O_NOCTTY | OpenFlags.O_NOFOLLOW | O_CLOEXEC;
            long file = OPENAT.call(state, AT_FDCWD, path.address(), flags, 0);
            try {
                MemorySegment.copy(text, 0, room, ValueLayout.JAVA_BYTE, 0, text.length);
                long written = WRITE.call(state, file, room.address(), text.length);
                if (written != text.length) {
                    throw new LinuxException("write", Errno.EIO);
                }
            } finally {
                room.fill((byte) 0);
                CLOSE.call(state, file);
            }
        }
    }
}
