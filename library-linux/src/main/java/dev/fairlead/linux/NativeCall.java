package dev.fairlead.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Calls one function of the C library and reads its errno.
 *
 * <p>A call pins a virtual thread to its carrier for as long as the kernel takes, so call from platform threads.
 *
 * <p>All parameters are handed over as {@code long}: an int, a long and a pointer each take one register in the calling
 * conventions of 64-bit Linux. So a call allocates nothing (a walk through a large tree makes millions of them), and
 * functions with equally many parameters share the code that calls them. A pointer is {@link MemorySegment#address},
 * and whoever gives it keeps the memory until the call has ended.
 *
 * @param name for messages
 * @param handle takes the room for errno and the parameters, and answers a long; being a record's, it is a constant to
 *     the compiler wherever the record is one
 */
record NativeCall(String name, MethodHandle handle) {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    /** The pointer that points nowhere. */
    static final long NULL = 0;

    /** Finds a function that returns an int, negative on error. */
    static NativeCall ofInt(String name, int parameters, Linker.Option... options) {
        return of(name, INT, parameters, options);
    }

    /** Finds a function that returns a pointer or a long, negative on error. */
    static NativeCall ofLong(String name, int parameters, Linker.Option... options) {
        return of(name, LONG, parameters, options);
    }

    /**
     * Returns a system call by its number, for those that the C library may be too old to name. Numbers from 424 on are
     * the same on every architecture.
     *
     * @param parameters how many the kernel takes, without the number
     */
    static NativeCall numbered(String name, long number, int parameters) {
        NativeCall syscall = ofLong("syscall", parameters + 1, Linker.Option.firstVariadicArg(1));
        return new NativeCall(name, MethodHandles.insertArguments(syscall.handle, 1, number));
    }

    @SuppressWarnings("restricted")
    private static NativeCall of(String name, ValueLayout answer, int parameters, Linker.Option... options) {
        Linker.Option[] all = Arrays.copyOf(options, options.length + 1);
        all[options.length] = Linker.Option.captureCallState("errno");
        MemoryLayout[] longs = new MemoryLayout[parameters];
        Arrays.fill(longs, LONG);
        MemorySegment symbol = LINKER.defaultLookup().findOrThrow(name);
        MethodHandle exact = LINKER.downcallHandle(symbol, FunctionDescriptor.of(answer, longs), all);
        MethodType type = exact.type().changeReturnType(long.class);
        return new NativeCall(name, exact.asType(type));
    }

    /** Allocates room for errno, to be done once for each use of an arena. */
    static MemorySegment state(Arena arena) {
        return arena.allocate(STATE);
    }

    static int errno(MemorySegment state) {
        return (int) ERRNO.get(state, 0L);
    }

    /**
     * Calls the function.
     *
     * @param state from {@link #state}
     * @return the function's answer, 0 or more
     * @throws LinuxException if the answer is negative
     */
    long call(MemorySegment state, long first) throws LinuxException {
        try {
            return checked(state, (long) handle.invokeExact(state, first));
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    long call(MemorySegment state, long first, long second) throws LinuxException {
        try {
            return checked(state, (long) handle.invokeExact(state, first, second));
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    long call(MemorySegment state, long first, long second, long third) throws LinuxException {
        try {
            return checked(state, (long) handle.invokeExact(state, first, second, third));
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    long call(MemorySegment state, long first, long second, long third, long fourth) throws LinuxException {
        try {
            return checked(state, (long) handle.invokeExact(state, first, second, third, fourth));
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    long call(MemorySegment state, long first, long second, long third, long fourth, long fifth) throws LinuxException {
        try {
            return checked(state, (long) handle.invokeExact(state, first, second, third, fourth, fifth));
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    long call(MemorySegment state, long first, long second, long third, long fourth, long fifth, long sixth)
            throws LinuxException {
        try {
            return checked(state, (long) handle.invokeExact(state, first, second, third, fourth, fifth, sixth));
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    private long checked(MemorySegment state, long answer) throws LinuxException {
        if (answer < 0) {
            throw new LinuxException(name, errno(state));
        }
        return answer;
    }

    private LinuxException failed(Throwable failure) {
        if (failure instanceof LinuxException answered) {
            return answered;
        }
        throw new IllegalStateException("calling " + name, failure);
    }

    static long text(Arena arena, String text) {
        return arena.allocateFrom(text).address();
    }
}
