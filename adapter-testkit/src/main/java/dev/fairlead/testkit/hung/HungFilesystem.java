package dev.fairlead.testkit.hung;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A mounted file system whose server is dead: the attributes of its root can be read, and every other call hangs in the
 * kernel until {@link #release}, as on a hard NFS mount.
 *
 * <p>If it is mounted over a folder that holds data, everything works until then and hangs from then on.
 */
public final class HungFilesystem implements AutoCloseable {
    private static final int INIT = 26;
    private static final int GETATTR = 3;
    private static final int FORGET = 2;
    private static final int BATCH_FORGET = 42;
    private static final int INTERRUPT = 36;
    private static final int STATX = 52;
    private static final int ENOSYS = 38;
    private static final long ROOT = 1;
    private static final int REQUEST_HEADER = 40;
    private static final int ANSWER_HEADER = 16;
    private static final int DIRECTORY = 0x41FF;

    private final Path path;
    private final FuseDevice device;
    private final AtomicInteger swallowed = new AtomicInteger();
    private final Semaphore hanging = new Semaphore(0);
    private final List<Long> unanswered = new CopyOnWriteArrayList<>();
    private boolean released;

    private HungFilesystem(Path path, FuseDevice device) {
        this.path = path;
        this.device = device;
    }

    /** Returns why this machine cannot have such a file system; empty if it can. */
    public static Optional<String> obstacle() {
        return Files.isReadable(Path.of("/dev/fuse")) && Files.isWritable(Path.of("/dev/fuse"))
                ? Optional.empty()
                : Optional.of("a file system that hangs needs root and /dev/fuse");
    }

    /** Mounts it over an existing directory. */
    public static HungFilesystem mountAt(Path directory) throws IOException {
        return mountAt(directory, "hung");
    }

    /** Mounts it over an existing directory, as what this source names. */
    public static HungFilesystem mountAt(Path directory, String source) throws IOException {
        Path path = directory.toRealPath();
        FuseDevice device = FuseDevice.open();
        try {
            device.mountAt(path, source);
        } catch (IOException e) {
            device.close();
            throw e;
        }
        HungFilesystem mounted = new HungFilesystem(path, device);
        Thread.ofPlatform().daemon().name("hung-filesystem").start(mounted::serve);
        return mounted;
    }

    /** Returns how many calls have got no answer so far. */
    public int swallowed() {
        return swallowed.get();
    }

    /** Waits until one more call hangs than were waited for before; returns false if none does in time. */
    public boolean awaitHang(Duration patience) throws InterruptedException {
        return hanging.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Unmounts it; every call that hangs fails now, and so does every later one through another mount of it. If it was
     * unmounted lazily by somebody else, the calls that keep it are answered, so that it ends.
     */
    public synchronized void release() throws IOException {
        if (!released && isMounted()) {
            FuseDevice.unmount(path);
        } else if (!released) {
            for (long request : unanswered) {
                try (Arena arena = Arena.ofConfined()) {
                    device.write(refusal(request, arena));
                }
            }
        }
        released = true;
    }

    private boolean isMounted() throws IOException {
        return Files.readString(Path.of("/proc/self/mountinfo")).contains(" " + path + " ");
    }

    @Override
    public void close() throws IOException {
        release();
    }

    /** Answers requests until the file system is unmounted, which makes reading fail. */
    private void serve() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = arena.allocate(64 * 1024, 8);
            while (true) {
                device.read(request);
                answer(request, arena);
            }
        } catch (IOException _) {
            closeDevice();
        }
    }

    private void closeDevice() {
        try {
            device.close();
        } catch (IOException e) {
            throw new IllegalStateException("the device was closed by somebody else", e);
        }
    }

    private void answer(MemorySegment request, Arena arena) throws IOException {
        int operation = request.get(JAVA_INT, 4);
        switch (operation) {
            case INIT -> device.write(greeting(request, arena));
            case FORGET, BATCH_FORGET, INTERRUPT -> {} // these expect no answer
            case GETATTR -> {
                if (request.get(JAVA_LONG, 16) == ROOT) {
                    device.write(root(request, arena));
                } else {
                    swallow(request);
                }
            }
            case STATX -> device.write(unknown(request, arena)); // the kernel asks by GETATTR from then on
            default -> swallow(request);
        }
    }

    private static MemorySegment unknown(MemorySegment request, Arena arena) {
        return refusal(request.get(JAVA_LONG, 8), arena);
    }

    private static MemorySegment refusal(long request, Arena arena) {
        MemorySegment answer = arena.allocate(ANSWER_HEADER, 8);
        answer.set(JAVA_INT, 0, ANSWER_HEADER);
        answer.set(JAVA_INT, 4, -ENOSYS);
        answer.set(JAVA_LONG, 8, request);
        return answer;
    }

    private void swallow(MemorySegment request) {
        unanswered.add(request.get(JAVA_LONG, 8));
        swallowed.incrementAndGet();
        hanging.release();
    }

    /**
     * Returns the structure fuse_init_out: protocol 7.31, or the kernel's if that is older, and no optional features.
     */
    private static MemorySegment greeting(MemorySegment request, Arena arena) {
        MemorySegment answer = header(request, 64, arena);
        answer.set(JAVA_INT, ANSWER_HEADER, 7);
        answer.set(JAVA_INT, ANSWER_HEADER + 4, Math.min(31, request.get(JAVA_INT, REQUEST_HEADER + 4)));
        answer.set(JAVA_INT, ANSWER_HEADER + 20, 4096); // max_write
        return answer;
    }

    /** Returns the structure fuse_attr_out of the root directory, valid for an hour. */
    private static MemorySegment root(MemorySegment request, Arena arena) {
        MemorySegment answer = header(request, 104, arena);
        answer.set(JAVA_LONG, ANSWER_HEADER, Duration.ofHours(1).toSeconds());
        long attributes = ANSWER_HEADER + 16L;
        answer.set(JAVA_LONG, attributes, ROOT);
        answer.set(JAVA_INT, attributes + 60, DIRECTORY);
        answer.set(JAVA_INT, attributes + 64, 2); // links
        answer.set(JAVA_INT, attributes + 80, 4096); // block size
        return answer;
    }

    private static MemorySegment header(MemorySegment request, int payload, Arena arena) {
        MemorySegment answer = arena.allocate(ANSWER_HEADER + payload, 8);
        answer.set(JAVA_INT, 0, ANSWER_HEADER + payload);
        answer.set(JAVA_LONG, 8, request.get(JAVA_LONG, 8));
        return answer;
    }
}
