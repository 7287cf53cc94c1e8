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
import java.lang.invoke.VarHandle;

/**
 * One function of the C library, with errno.
 *
 * <p>A call pins the thread that makes it to its carrier for as long as the kernel takes: call from platform threads.
 */
final class NativeCall {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private final String name;
    private final MethodHandle handle;

    private NativeCall(String name, MethodHandle handle) {
        this.name = name;
        this.handle = handle;
    }

    /** A function that answers an int or a long, negative on error. */
    @SuppressWarnings("restricted")
    static NativeCall of(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        Linker.Option[] all = new Linker.Option[options.length + 1];
        System.arraycopy(options, 0, all, 1, options.length);
        all[0] = Linker.Option.captureCallState("errno");
        MemorySegment symbol = LINKER.defaultLookup().findOrThrow(name);
        return new NativeCall(name, LINKER.downcallHandle(symbol, descriptor, all));
    }

    /**
     * A system call by its number, for those that the C library may be too old to name. Numbers from 424 on are the
     * same on every architecture.
     *
     * @param parameters the kernel's parameters, without the number
     */
    @SuppressWarnings("restricted")
    static NativeCall numbered(String name, long number, MemoryLayout... parameters) {
        FunctionDescriptor descriptor = FunctionDescriptor.of(LONG, LONG).appendArgumentLayouts(parameters);
        NativeCall syscall = of("syscall", descriptor, Linker.Option.firstVariadicArg(1));
        return new NativeCall(name, MethodHandles.insertArguments(syscall.handle, 1, number));
    }

    /** Room for errno, to be allocated once for each use of an arena. */
    static MemorySegment state(Arena arena) {
        return arena.allocate(STATE);
    }

    static int errno(MemorySegment state) {
        return (int) ERRNO.get(state, 0L);
    }

    /**
     * Calls it.
     *
     * @param state from {@link #state}
     * @return the function's answer, 0 or more
     * @throws LinuxException when the answer is negative
     */
    long call(MemorySegment state, Object... arguments) throws LinuxException {
        Object[] all = new Object[arguments.length + 1];
        all[0] = state;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        long answer;
        try {
            answer = ((Number) handle.invokeWithArguments(all)).longValue();
        } catch (Throwable e) {
            throw new IllegalStateException("calling " + name, e);
        }
        if (answer < 0) {
            throw new LinuxException(name, errno(state));
        }
        return answer;
    }

    static MemorySegment text(Arena arena, String text) {
        return arena.allocateFrom(text);
    }

    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    static final java.lang.foreign.AddressLayout POINTER = ValueLayout.ADDRESS;
}
