package dev.fairlead.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystemException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/** Finds the error number behind the JDK's exceptions, which keep only the C library's words for it. */
public final class ErrorText {
    private static final int LAST_ERRNO = 133;
    private static final long LONGEST = 256;
    private static final Map<String, Integer> BY_TEXT = table();

    private ErrorText() {}

    /** Returns the number for which the C library has these words in this process's language; empty if none has. */
    public static OptionalInt errno(String words) {
        Integer errno = BY_TEXT.get(words);
        return errno == null ? OptionalInt.empty() : OptionalInt.of(errno);
    }

    /** Returns the number behind an exception of the JDK's or of this library; 0 if it has none. */
    public static int errno(IOException e) {
        if (e instanceof LinuxException known) {
            return known.errno();
        }
        String words = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
        return words == null ? 0 : errno(words).orElse(0);
    }

    @SuppressWarnings("restricted")
    private static Map<String, Integer> table() {
        NativeCall strerror = NativeCall.ofLong("strerror", 1);
        Map<String, Integer> table = new HashMap<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = NativeCall.state(arena);
            for (int errno = 1; errno <= LAST_ERRNO; errno++) {
                long text = strerror.call(state, errno);
                table.putIfAbsent(
                        MemorySegment.ofAddress(text).reinterpret(LONGEST).getString(0), errno);
            }
        } catch (LinuxException e) {
            throw new IllegalStateException("strerror", e);
        }
        return Map.copyOf(table);
    }
}
