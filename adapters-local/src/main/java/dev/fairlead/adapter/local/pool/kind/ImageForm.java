package dev.fairlead.adapter.local.pool.kind;

import dev.fairlead.adapter.local.directory.form.FolderForm;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.LinuxException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Describes folders that hold one sparse file, which nodes attach as a block device. The file's length is the volume's
 * size, so that nothing can be written past it.
 */
final class ImageForm implements FolderForm {
    /** The name of every image, below the folder of its volume. */
    static final String NAME = "disk.img";

    /** The unit of sizes, which file systems and devices of any block size divide. */
    private static final long UNIT = 4096;

    private final ImageUse use;
    private final Path scratch;

    /** @param scratch the folder of the pool for what is being made */
    ImageForm(ImageUse use, Path scratch) {
        this.use = use;
        this.scratch = scratch;
    }

    static Path image(Path folder) {
        return folder.resolve(NAME);
    }

    @Override
    public Set<VolumeMedium.Kind> media() {
        return Set.of(VolumeMedium.Kind.BLOCK_DEVICE);
    }

    @Override
    public VolumeMedium medium(Path folder) {
        return new VolumeMedium.BlockDevice(image(folder).toString());
    }

    @Override
    public Capacity size(CapacityRange range) {
        long chosen = Math.max(1, range.choose().bytes());
        long up = chosen > Long.MAX_VALUE - UNIT ? chosen - chosen % UNIT : (chosen + UNIT - 1) / UNIT * UNIT;
        Capacity size = Capacity.ofBytes(up);
        Capacity down = Capacity.ofBytes(up - UNIT);
        if (!range.exceededBy(size)) {
            return size;
        }
        if (down.bytes() > 0 && range.fits(down)) {
            return down;
        }
        throw new StorageException(new Failure.CapacityOutOfRange(
                "capacity_range: no multiple of " + UNIT + " bytes, which sizes of images are, is within it"));
    }

    @Override
    public void complete(Path folder, Capacity size, Work work) throws IOException {
        Path image = image(folder);
        if (length(image).filter(now -> now >= size.bytes()).isPresent()) {
            return;
        }
        work.effect(new Effect("size", image.toString()), () -> {
            if (length(image).isEmpty()) {
                Files.createFile(
                        image, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            }
            try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
                if (file.length() < size.bytes()) {
                    file.setLength(size.bytes());
                }
                file.getFD().sync();
            }
        });
    }

    @Override
    public String missing(Path folder, Capacity size) throws IOException {
        Optional<Long> length = length(image(folder));
        if (length.isEmpty()) {
            return "its image";
        }
        return length.get() < size.bytes() ? "an image of " + size + ", it has " + length.get() : "";
    }

    /** Returns the length of an image; empty if there is none. Anything else in its place is refused. */
    private static Optional<Long> length(Path image) throws IOException {
        try {
            BasicFileAttributes found =
                    Files.readAttributes(image, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!found.isRegularFile()) {
                throw new StorageException(new Failure.NotOurs("the image " + image, "no regular file"));
            }
            return Optional.of(found.size());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    @Override
    public String use(Path folder) throws IOException {
        return use.device(image(folder))
                .map(device -> "the loop device " + device + ", which a pod has or has left behind")
                .orElse("");
    }

    @Override
    public void checkCopy(Path folder) throws IOException {
        Optional<Path> device = use.device(image(folder));
        if (device.isPresent() && !use.sharesBlocks(scratch)) {
            throw inUse(folder, "the loop device " + device.get());
        }
    }

    @Override
    public Capacity copySize(Path folder, Capacity size) throws IOException {
        try (FileCalls calls = new FileCalls()) {
            return Capacity.ofBytes(calls.stat(image(folder)).allocated());
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return Capacity.ZERO; // it is not copied then
            }
            throw e;
        }
    }

    @Override
    public Capacity mostCopied(Path folder, Capacity size, Capacity now) throws IOException {
        return use.device(image(folder)).isPresent() ? size : now; // one that changes otherwise is not copied
    }

    /** Returns what the image is now, by its number, size and times; throws if the folder holds none. */
    @Override
    public String version(Path folder) throws IOException {
        Path image = image(folder);
        if (length(image).isEmpty()) {
            throw new StorageException(new Failure.NotOurs("the folder " + folder, "no image " + NAME + " in it"));
        }
        Map<String, Object> found =
                Files.readAttributes(image, "unix:ino,size,lastModifiedTime,ctime", LinkOption.NOFOLLOW_LINKS);
        return found.get("ino") + " " + found.get("size") + " " + found.get("lastModifiedTime") + " "
                + found.get("ctime");
    }

    /** Throws if a pod has the image now, or it was changed: a pod may have begun, and even ended, meanwhile. */
    @Override
    public void checkCopied(Path folder, String version) throws IOException {
        Optional<Path> device = use.device(image(folder));
        if (device.isPresent()) {
            throw inUse(folder, "the loop device " + device.get() + ", since while it was copied");
        }
        if (!version(folder).equals(version)) {
            throw inUse(folder, "whoever changed it while it was copied");
        }
    }

    private static StorageException inUse(Path folder, String user) {
        return new StorageException(new Failure.InUse(
                "the image " + image(folder),
                user,
                "it was not copied at one instant, since its file system, or this file of it, cannot share blocks, and"
                        + " such a copy takes a while in which pods write; stop its pods, or keep the pool on XFS with"
                        + " reflink=1 or on btrfs"));
    }

    @Override
    public boolean enforcesSize() {
        return true;
    }
}
