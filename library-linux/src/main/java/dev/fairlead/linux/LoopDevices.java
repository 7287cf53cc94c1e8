package dev.fairlead.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    private static final long LOOP_GET_STATUS64 = 0x4C05;
    private static final long LOOP_SET_CAPACITY = 0x4C07;
    private static final long LOOP_CONFIGURE = 0x4C0A;
    private static final long LOOP_CTL_GET_FREE = 0x4C82;

    /** The size of {@code struct loop_config}, which begins with a descriptor and a block size. */
    private static final int CONFIG_BYTES = 304;

    /** The size of {@code struct loop_info64}, which begins with the number of the file's device and its inode. */
    private static final int INFO_BYTES = 232;

    private static final int INFO = 8;
    private static final int FILE_NAME = INFO + 56;
    private static final int FILE_NAME_BYTES = 63;

    /** The number of times that a free device is asked for, since another program may take it first. */
    private static final int ATTEMPTS = 32;

    private static final NativeCall IOCTL = NativeCall.ofInt("ioctl", 3, Linker.Option.firstVariadicArg(2));
    private static final NativeCall OPENAT = NativeCall.ofInt("openat", 4, Linker.Option.firstVariadicArg(3));
    private static final NativeCall CLOSE = NativeCall.ofInt("close", 1);

    private final Path devices;
    private final Path blocks;

    /**
     * @param devices where the device nodes are
     * @param blocks where the kernel has a folder for each block device
     */
    LoopDevices(Path devices, Path blocks) {
        this.devices = devices;
        this.blocks = blocks;
    }

    /** Returns the loop devices of this machine. */
    public static LoopDevices ofThisMachine() {
        return new LoopDevices(Path.of("/dev"), Path.of("/sys/block"));
    }

    /** Returns the device that shows a file; empty if the file has none, or does not exist. */
    public Optional<Path> of(Path file) throws IOException {
        try (FileCalls calls = new FileCalls()) {
            return of(calls.stat(file), file);
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Optional<Path> of(FileStat stat, Path file) throws IOException {
        for (Path device : bound()) {
            if (shows(device, stat, file)) {
                return Optional.of(device);
            }
        }
        return Optional.empty();
    }

    private List<Path> bound() throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(blocks, "loop*")) {
            for (Path block : all) {
                if (Files.isDirectory(block.resolve("loop"))) {
                    found.add(devices.resolve(String.valueOf(block.getFileName())));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        found.sort(null);
        return found;
    }

    private boolean shows(Path device, FileStat stat, Path file) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = arena.allocate(INFO_BYTES, 8);
            try {
                control(device, O_RDONLY, LOOP_GET_STATUS64, info.address());
            } catch (LinuxException e) {
                return switch (e.errno()) {
                    case Errno.ENXIO -> false; // it was let go of meanwhile
                    case Errno.ENOENT, Errno.EACCES, Errno.EPERM -> isNamed(device, file);
                    default -> throw e;
                };
            }
            return info.get(ValueLayout.JAVA_LONG, 0) == stat.filesystem()
                    && info.get(ValueLayout.JAVA_LONG, 8) == stat.inode();
        }
    }

    /** Returns whether a device that may not be opened here has this file, by the name that the kernel shows. */
    private boolean isNamed(Path device, Path file) throws IOException {
        Path shown = blocks.resolve(String.valueOf(device.getFileName())).resolve("loop/backing_file");
        try {
            return Files.readString(shown).strip().equals(file.toString());
        } catch (NoSuchFileException e) {
            return false; // it was let go of meanwhile
        }
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
            long opened = OPENAT.call(
                    state,
                    AT_FDCWD,
                    NativeCall.text(arena, file.toString()),
                    O_RDWR | OpenFlags.O_NOFOLLOW | O_CLOEXEC,
                    0);
            try {
                FileStat stat = calls.stat((int) opened);
                if (!stat.is(FileStat.Type.FILE)) {
                    throw new LinuxException("open " + file, Errno.EINVAL);
                }
                Optional<Path> there = of(stat, Path.of(shown));
                return there.isPresent() ? there.get() : configured(arena, shown, opened);
            } finally {
                CLOSE.call(state, opened);
            }
        }
    }

    private Path configured(Arena arena, String shown, long opened) throws IOException {
        MemorySegment config = arena.allocate(CONFIG_BYTES, 8);
        config.set(ValueLayout.JAVA_INT, 0, (int) opened);
        byte[] name = shown.getBytes(StandardCharsets.UTF_8);
        MemorySegment.copy(name, 0, config, ValueLayout.JAVA_BYTE, FILE_NAME, Math.min(name.length, FILE_NAME_BYTES));
        for (int attempt = 1; ; attempt++) {
            long number = control(devices.resolve("loop-control"), O_RDWR, LOOP_CTL_GET_FREE, 0);
            Path device = devices.resolve("loop" + number);
            try {
                control(device, O_RDWR, LOOP_CONFIGURE, config.address());
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
        Optional<Path> device = of(file);
        if (device.isPresent()) {
            control(device.get(), O_RDONLY, LOOP_CLR_FD, 0);
        }
    }

    /** Makes the device of a file as large as the file is now. */
    public void resize(Path file) throws IOException {
        Optional<Path> device = of(file);
        if (device.isPresent()) {
            control(device.get(), O_RDONLY, LOOP_SET_CAPACITY, 0);
        }
    }

    private static long control(Path device, int mode, long request, long argument) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = NativeCall.state(arena);
            long opened = OPENAT.call(
                    state,
                    AT_FDCWD,
                    NativeCall.text(arena, device.toString()),
                    mode | OpenFlags.O_NOFOLLOW | O_CLOEXEC,
                    0);
            try {
                return IOCTL.call(state, opened, request, argument);
            } finally {
                CLOSE.call(state, opened);
            }
        }
    }
}
