package dev.fairlead.adapter.node.mount;

import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.linux.BtrfsCalls;
import dev.fairlead.linux.BtrfsQuotas;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.LinuxException;
import dev.fairlead.linux.MountCalls;
import dev.fairlead.linux.PathHandle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Asks a file system for its space, and for a moment again where the kernel says so. CIFS does, of a mount that is
 * well.
 *
 * @param most how long it may say so
 */
record SpaceQuestion(Call call, Duration most) {
    private static final Duration BETWEEN = Duration.ofMillis(50);

    /** Asks this kernel; the time is shorter than that after which a mount counts as silent. */
    static final SpaceQuestion OF_KERNEL = new SpaceQuestion(SpaceQuestion::once, Duration.ofSeconds(1));

    /** Asks once. */
    @FunctionalInterface
    interface Call {
        MountCalls.Space of(Path path) throws LinuxException;
    }

    private static MountCalls.Space once(Path path) throws LinuxException {
        try (PathHandle place = PathHandle.of(path)) {
            MountCalls.Space space = MountCalls.space(place);
            return BtrfsCalls.isBtrfs(place) ? ofSubvolume(path, space) : space;
        }
    }

    /** Returns the space of a subvolume that has a limit, of which {@code statvfs} knows nothing. */
    private static MountCalls.Space ofSubvolume(Path path, MountCalls.Space whole) throws LinuxException {
        Optional<BtrfsQuotas.QuotaUse> count =
                BtrfsQuotas.in(path).filter(it -> it.limit().isPresent());
        if (count.isEmpty()) {
            return whole;
        }
        long limit = count.get().limit().getAsLong();
        long free = Math.max(0, limit - count.get().referred()) / whole.unit();
        return new MountCalls.Space(
                whole.unit(),
                limit / whole.unit(),
                free,
                Math.min(free, whole.availableBlocks()),
                whole.inodes(),
                whole.freeInodes());
    }

    MountCalls.Space ask(Path path) throws LinuxException {
        long began = System.nanoTime();
        while (true) {
            try {
                return call.of(path);
            } catch (LinuxException e) {
                boolean over = System.nanoTime() - began > most.toNanos();
                if (e.errno() != Errno.EAGAIN || over || !pause()) {
                    throw e;
                }
            }
        }
    }

    /** Returns false if the thread was interrupted. */
    private static boolean pause() {
        try {
            Backoff.pause(BETWEEN);
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
