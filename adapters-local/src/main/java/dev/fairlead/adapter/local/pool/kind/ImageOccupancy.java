package dev.fairlead.adapter.local.pool.kind;

import dev.fairlead.linux.Errno;
import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.FileStat;
import dev.fairlead.linux.LinuxException;
import dev.fairlead.linux.counts.LoopUse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Knows what images occupy: the blocks of their files. */
final class ImageOccupancy implements Occupancy {
    private final FileCalls calls = new FileCalls();

    @Override
    public Optional<SpaceUse> of(Path folder) throws IOException {
        try {
            FileStat image = calls.stat(ImageForm.image(folder));
            return Optional.of(new SpaceUse(image.size(), image.allocated(), false, 0));
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR) {
                return Optional.of(SpaceUse.NOTHING);
            }
            throw e;
        }
    }

    /** Returns those that loop devices show: nothing else writes to an image that is in its place. */
    @Override
    public Optional<InUse> inUse() {
        return LoopUse.now().map(use -> new InUse(use.devices(), use.folders()));
    }

    @Override
    public void close() {
        calls.close();
    }
}
