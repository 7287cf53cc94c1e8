package dev.fairlead.adapter.local.pool.kind;

import dev.fairlead.adapter.local.directory.form.FolderForm;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.LinuxException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.SortedMap;

/**
 * Describes folders that are each a project of XFS or ext4, whose quotas keep their sizes and the numbers of their
 * files.
 *
 * <p>Whoever owns a file may put it into another project, outside of user namespaces; then it is not counted for the
 * volume any more.
 */
final class ProjectForm implements FolderForm {
    /** The space for which a volume may have a file, as for a new ext4. */
    private static final long BYTES_PER_INODE = 16 << 10;

    private static final long LEAST_INODES = 1024;

    private final String kind;
    private final Path place;
    private final ProjectNumbers numbers;

    /**
     * @param kind the word for the pool's file system
     * @param place a folder of the pool, which is no symbolic link
     */
    ProjectForm(String kind, Path place, ProjectNumbers numbers) {
        this.kind = kind;
        this.place = place;
        this.numbers = numbers;
    }

    @Override
    public Capacity size(CapacityRange range) {
        return SizeRules.of(kind).choose(range);
    }

    @Override
    public void make(Path folder, Work work) throws IOException {
        ProjectOccupancy.check(kind, place, numbers.projects());
        if (numbers.projects().of(place).inherited()) {
            throw new IOException(place + " is in a project itself, out of which no volume can be moved to its place;"
                    + " take the pool's folders out of it (chattr -R -P -p 0), or have the pool in another one");
        }
        FolderForm.super.make(folder, work);
        work.effect(new Effect("project", folder.toString()), () -> numbers.give(folder));
        if (numbers.own(folder).isEmpty()) {
            throw new IOException(folder + " was put into a project and is in none");
        }
    }

    @Override
    public SortedMap<String, String> fields(Path folder) throws IOException {
        return numbers.fields(folder);
    }

    @Override
    public void complete(Path folder, Capacity size, Work work) throws IOException {
        if (missing(folder, size).isEmpty()) {
            return;
        }
        long number = numbers.own(folder)
                .orElseThrow(() -> new StorageException(new Failure.NotOurs(
                        "the folder " + folder,
                        "not in the project" + recorded(folder) + ", which the sizes of a pool of kind " + kind
                                + " need")));
        work.effect(
                new Effect("size", folder.toString()),
                () -> numbers.projects().limit(folder, number, size.bytes(), inodes(size.bytes())));
    }

    private String recorded(Path folder) {
        try {
            OptionalLong recorded = numbers.recordedOf(folder);
            return recorded.isPresent() ? " " + recorded.getAsLong() + " that its record says" : " of its own";
        } catch (IOException _) {
            return " of its own";
        }
    }

    /** Returns how many files and folders a volume may have. */
    static long inodes(long bytes) {
        return Math.max(LEAST_INODES, bytes / BYTES_PER_INODE);
    }

    @Override
    public String missing(Path folder, Capacity size) throws IOException {
        try {
            ProjectOccupancy.check(kind, folder, numbers.projects());
            OptionalLong number = numbers.own(folder);
            if (number.isEmpty()) {
                return "its project";
            }
            return size.bytes() == 0 || numbers.use(folder, number.getAsLong()).limit() >= size.bytes()
                    ? ""
                    : "a quota of " + size;
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return "its folder";
            }
            throw e;
        }
    }

    @Override
    public Capacity copySize(Path folder, Capacity size) throws IOException {
        try {
            ProjectOccupancy.check(kind, folder, numbers.projects());
            OptionalLong number = numbers.own(folder);
            return number.isPresent()
                    ? Capacity.ofBytes(numbers.use(folder, number.getAsLong()).bytes())
                    : size;
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return Capacity.ZERO; // it is not copied then
            }
            throw e;
        }
    }

    @Override
    public long mostFiles(Path source, Capacity size) throws IOException {
        OptionalLong number = numbers.own(source);
        long there =
                number.isPresent() ? numbers.use(source, number.getAsLong()).inodes() : 0;
        return Math.max(inodes(size.bytes()), there);
    }

    @Override
    public boolean enforcesSize() {
        return true;
    }
}
