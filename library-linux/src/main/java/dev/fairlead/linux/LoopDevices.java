package dev.fairlead.linux;

import dev.fairlead.linux.flags.OpenFlags;
import dev.fairlead.linux.loop.AttachedLoops;
import dev.fairlead.linux.loop.LoopFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Makes block devices of files, by the kernel's loop devices (loop(4)), and finds the device of a file by the file's
 * number and not by its name, which differs between mount namespaces. Call from platform threads.
 */
public final class LoopDevices {
    private static final int AT_FDCWD = -100;
    private static final int O_RDONLY = 0;
    private static final int O_RDWR = 2;
    private static final int O_CLOEXEC = 0x80000;

    private static final long LOOP_CLR_FD = 0x4C01;
    private static final long LOOP_SET_STATUS64 = 0x4C04;
    private static final long LOOP_GET_STATUS64 = 0x4C05;
    private static final long LOOP_SET_CAPACITY = 0x4C07;
    private static final long LOOP_CONFIGURE = 0x4C0A;
    private static final long LOOP_CTL_GET_FREE = 0x4C82;

    /** The size of {@code struct loop_config}, which begins with a descriptor and a block size. */
    private static final int CONFIG_BYTES = 304;

    /**
     * The size of {@code struct loop_info64}, which begins with the number of the file's device and its inode, followed
     * by two others, its offset and its limit of size.
     */
    private static final int INFO_BYTES = 232;

    private static final int OFFSET = 24;
    private static final int LIMIT = 32;
    private static final int FLAGS = 52;
    private static final int READ_ONLY = 1;
    private static final int AUTOCLEAR = 4;

    private static final int CONFIG_INFO = 8;
    private static final int FILE_NAME = CONFIG_INFO + 56;

    /** The number of times that a free device is asked for, since another program may take it first. */
    private static final int ATTEMPTS = 32;

    private static final NativeCall IOCTL = NativeCall.ofInt("ioctl", 3, Linker.Option.firstVariadicArg(2));
    private static final NativeCall OPENAT = NativeCall.ofInt("openat", 4, Linker.Option.firstVariadicArg(3));
    private static final NativeCall CLOSE = NativeCall.ofInt("close", 1);

    private final Path devices;
    private final AttachedLoops attached;

    /**
     * @param devices where the device nodes are
     * @param blocks where the kernel has a folder for each block device
     * @param name the last name of all files that are asked for; empty if they have any
     */
    LoopDevices(Path devices, Path blocks, String name) {
        this.devices = devices;
        this.attached = new AttachedLoops(blocks, name);
    }

    /** Returns the loop devices of this machine. */
    public static LoopDevices ofThisMachine() {
        return ofThisMachine("");
    }

    /**
     * Returns the loop devices of this machine for files of one name. No other device is asked anything, since a device
     * asks its file's storage, which may be away.
     */
    public static LoopDevices ofThisMachine(String name) {
        return new LoopDevices(Path.of("/dev"), Path.of("/sys/block"), name);
    }

    /**
     * Returns the device that shows a file; empty if the file has none, or does not exist. Throws if that cannot be
     * told, as where the device nodes of the machine are not to be seen.
     */
    public Optional<Path> of(Path file) throws IOException {
        Optional<LoopFile> number = file(file);
        return number.isEmpty() ? Optional.empty() : on(number.get(), file.toString(), (_, device, _) -> device);
    }

    /** Returns the device that shows a file, whatever path leads to it now; fails as the other method does. */
    public Optional<Path> of(LoopFile file) throws IOException {
        return on(file, "file " + file, (_, device, _) -> device);
    }

    /** Returns the device of a file if it was attached under this name. */
    public Optional<Path> of(LoopFile file, String shown) throws IOException {
        return on(file, shown, (_, device, info) -> Optional.of(device).filter(_ -> hasName(info, device, shown)))
                .flatMap(named -> named);
    }

    /** Returns whether a device has the name that {@link #attach} gave it; of one that is cut also the end counts. */
    private boolean hasName(MemorySegment info, Path device, String shown) {
        byte[] name = LoopFile.kept(shown);
        MemorySegment kept = info.asSlice(FILE_NAME - CONFIG_INFO);
        return Arrays.equals(name, kept.asSlice(0, name.length).toArray(ValueLayout.JAVA_BYTE))
                && kept.get(ValueLayout.JAVA_BYTE, name.length) == 0
                && (name.length < LoopFile.NAME_BYTES || attached.endsAs(device, Path.of(shown)));
    }

    /** Returns the numbers of the file at a path; empty if there is none. */
    public Optional<LoopFile> file(Path file) throws IOException {
        try (FileCalls calls = new FileCalls()) {
            return Optional.of(numbers(calls.stat(file)));
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static LoopFile numbers(FileStat stat) {
        return new LoopFile(stat.filesystem(), stat.inode());
    }

    /** Does something with an open device that shows a file. */
    @FunctionalInterface
    private interface Action<T> {
        T run(long opened, Path device, MemorySegment info) throws IOException;
    }

    /**
     * Runs an action on the device that shows a file; returns empty if it has none. It looks at each device and acts on
     * it by one descriptor: by then its number could be another file's.
     *
     * @param name of the file, for messages
     */
    private <T> Optional<T> on(LoopFile file, String name, Action<T> action) throws IOException {
        for (String loop : attached.names()) {
            Path device = devices.resolve(loop);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment state = NativeCall.state(arena);
                MemorySegment info = arena.allocate(INFO_BYTES, 8);
                long opened;
                try {
                    opened = open(arena, state, device, O_RDONLY);
                } catch (LinuxException e) {
                    if (!attached.has(loop)) {
                        continue; // it was let go of meanwhile
                    }
                    throw unknown(device, name, e);
                }
                try {
                    if (isShown(state, opened, info, file, device, name)) {
                        return Optional.of(action.run(opened, device, info));
                    }
                } finally {
                    CLOSE.call(state, opened);
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isShown(
            MemorySegment state, long opened, MemorySegment info, LoopFile file, Path device, String name)
            throws IOException {
        try {
            IOCTL.call(state, opened, LOOP_GET_STATUS64, info.address());
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENXIO) {
                return false; // it was let go of meanwhile
            }
            throw unknown(device, name, e);
        }
        return info.get(ValueLayout.JAVA_LONG, 0) == file.filesystem()
                && info.get(ValueLayout.JAVA_LONG, 8) == file.inode();
    }

    /** Returns an exception without a cause, whose error number would be taken for the file's. */
    private static IOException unknown(Path device, String file, LinuxException e) {
        return new IOException("whether " + device + " shows " + file + " cannot be told (" + e.getMessage()
                + "); this process needs /dev of the machine and may have to be privileged");
    }

    /**
     * Returns the device that shows a file, which is made if there is none. Two callers at once may make two; whoever
     * can be called so has to lock the file before.
     *
     * @param shown the name that the kernel shows for it, which it cuts after 63 bytes
     */
    public Path attach(Path file, String shown) throws IOException {
        try (Arena arena = Arena.ofConfined();
                FileCalls calls = new FileCalls()) {
            MemorySegment state = NativeCall.state(arena);
            long opened = open(arena, state, file, O_RDWR);
            try {
                FileStat stat = calls.stat((int) opened);
                if (!stat.is(FileStat.Type.FILE)) {
                    throw new LinuxException("open " + file, Errno.EINVAL);
                }
                Optional<Path> there = on(numbers(stat), shown, LoopDevices::kept);
                return there.isPresent() ? there.get() : configured(arena, shown, opened);
            } finally {
                CLOSE.call(state, opened);
            }
        }
    }

    /**
     * Keeps a device for a further user: one that was to go once it is closed stays. It must show all of its file, and
     * not read-only, as none does that was made here.
     */
    private static Path kept(long opened, Path device, MemorySegment info) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = NativeCall.state(arena);
            int flags = info.get(ValueLayout.JAVA_INT, FLAGS);
            boolean part = info.get(ValueLayout.JAVA_LONG, OFFSET) != 0 || info.get(ValueLayout.JAVA_LONG, LIMIT) != 0;
            if (part || (flags & READ_ONLY) != 0) {
                throw new IOException(device + " shows " + (part ? "a part of the file" : "the file read-only")
                        + ", and another program made it; end what uses it, and remove it by losetup -d " + device);
            }
            if ((flags & AUTOCLEAR) == 0) {
                return device;
            }
            info.set(ValueLayout.JAVA_INT, FLAGS, flags & ~AUTOCLEAR);
            IOCTL.call(state, opened, LOOP_SET_STATUS64, info.address());
            long filesystem = info.get(ValueLayout.JAVA_LONG, 0);
            long inode = info.get(ValueLayout.JAVA_LONG, 8);
            IOCTL.call(state, opened, LOOP_GET_STATUS64, info.address());
            if ((info.get(ValueLayout.JAVA_INT, FLAGS) & AUTOCLEAR) != 0
                    || info.get(ValueLayout.JAVA_LONG, 0) != filesystem
                    || info.get(ValueLayout.JAVA_LONG, 8) != inode) {
                throw new IOException(device + " is let go of once whatever has it open closes it; try again");
            }
            return device;
        }
    }

    private Path configured(Arena arena, String shown, long opened) throws IOException {
        MemorySegment config = arena.allocate(CONFIG_BYTES, 8);
        config.set(ValueLayout.JAVA_INT, 0, (int) opened);
        byte[] text = LoopFile.kept(shown);
        MemorySegment.copy(text, 0, config, ValueLayout.JAVA_BYTE, FILE_NAME, text.length);
        for (int attempt = 1; ; attempt++) {
            long number = control(devices.resolve("loop-control"), LOOP_CTL_GET_FREE, 0);
            Path device = devices.resolve("loop" + number);
            try {
                control(device, LOOP_CONFIGURE, config.address());
                return device;
            } catch (LinuxException e) {
                if (e.errno() != Errno.EBUSY || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /**
     * Lets go of a file. A device that is still mounted goes once it is not, which the kernel sees to. Does nothing for
     * a file without a device.
     */
    public void detach(Path file) throws IOException {
        act(file, LOOP_CLR_FD);
    }

    /** Lets go of a file as the other method does, whatever path leads to it now. */
    public void detach(LoopFile file) throws IOException {
        act(file, "file " + file, LOOP_CLR_FD);
    }

    /** Makes the device of a file as large as the file is now. */
    public void resize(Path file) throws IOException {
        act(file, LOOP_SET_CAPACITY);
    }

    private void act(Path file, long request) throws IOException {
        Optional<LoopFile> number = file(file);
        if (number.isPresent()) {
            act(number.get(), file.toString(), request);
        }
    }

    private void act(LoopFile file, String name, long request) throws IOException {
        var _ = on(file, name, (opened, device, _) -> {
            try (Arena arena = Arena.ofConfined()) {
                IOCTL.call(NativeCall.state(arena), opened, request, 0);
                return device;
            }
        });
    }

    private static long control(Path device, long request, long argument) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = NativeCall.state(arena);
            long opened = open(arena, state, device, O_RDWR);
            try {
                return IOCTL.call(state, opened, request, argument);
            } finally {
                CLOSE.call(state, opened);
            }
        }
    }

    private static long open(Arena arena, MemorySegment state, Path file, int mode) throws LinuxException {
        return OPENAT.call(
                state, AT_FDCWD, NativeCall.text(arena, file.toString()), mode | OpenFlags.O_NOFOLLOW | O_CLOEXEC, 0);
    }
}
