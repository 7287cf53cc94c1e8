package dev.fairlead.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;

/** Looks up users and groups of this machine by name, as its name service knows them. */
public final class Accounts {
    private static final NativeCall GETPWNAM = NativeCall.ofLong("getpwnam", 1);
    private static final NativeCall GETGRNAM = NativeCall.ofLong("getgrnam", 1);

    /** The offset of the id in {@code struct passwd} and {@code struct group}: it follows two pointers. */
    private static final long ID = 16;

    private Accounts() {}

    public static OptionalInt user(String name) {
        return id(GETPWNAM, name);
    }

    public static OptionalInt group(String name) {
        return id(GETGRNAM, name);
    }

    /** Looks an id up, one at a time, since the C library keeps each answer in a single place. */
    @SuppressWarnings("restricted")
    private static synchronized OptionalInt id(NativeCall lookup, String name) {
        if (name.indexOf('\0') >= 0) {
            return OptionalInt.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            long answer = lookup.call(NativeCall.state(arena), NativeCall.text(arena, name));
            return answer == 0
                    ? OptionalInt.empty()
                    : OptionalInt.of(
                            MemorySegment.ofAddress(answer).reinterpret(ID + 4).get(NativeCall.INT, ID));
        } catch (LinuxException e) {
            return OptionalInt.empty();
        }
    }
}
