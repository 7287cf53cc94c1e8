package dev.fairlead.adapter.local.pool.identity;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.pool.hostpath.HostpathFolders;
import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.LinuxException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Tells whether a folder is in a volume, or in what a pool or base folder keeps beside its volumes: whoever uses that
 * volume could change what is made there, and its deletion would delete it. Links are followed.
 *
 * @param devices where the kernel has a folder for each block device by its number
 */
public record PlaceInVolume(Path devices) {
    /** Asks the kernel of this machine. */
    public static final PlaceInVolume OF_KERNEL = new PlaceInVolume(Path.of("/sys/dev/block"));

    /** The beginning of the names of folders in which the kubelet mounts a pod's volumes, of CSI drivers and others. */
    private static final String OF_PODS = "kubernetes.io~";

    /** The folder in which it mounts parts of them. */
    private static final String OF_PARTS = "volume-subpaths";

    /** The folders in which it stages them. */
    private static final Path STAGED = Path.of("kubernetes.io", "csi");

    private static final String IMAGE = "disk.img";
    private static final String DELETED = " (deleted)";

    /** Returns what a folder is in, or would be in if it were made; empty if that is no volume. */
    public Optional<String> of(Path wanted) throws IOException {
        Path nearest = wanted;
        while (!Files.isDirectory(nearest) && nearest.getParent() != null) {
            nearest = nearest.getParent();
        }
        return of(nearest, wanted);
    }

    /**
     * Returns the same.
     *
     * @param folder one that exists, or the nearest one above it that does
     * @param wanted the folder that is asked about, which may not exist yet
     */
    public Optional<String> of(Path folder, Path wanted) throws IOException {
        Path real = folder.toRealPath().resolve(folder.relativize(wanted)).normalize();
        Optional<String> mounted = mounted(real);
        if (mounted.isPresent()) {
            return mounted;
        }
        for (Path at = real; at.getParent() != null; at = at.getParent()) {
            if (isKept(at, at.getParent())) {
                return Optional.of("in " + at + ", which a pool or base folder at " + at.getParent() + " keeps");
            }
        }
        return image(folder);
    }

    private static Optional<String> mounted(Path real) {
        for (int i = 0; i < real.getNameCount(); i++) {
            String name = real.getName(i).toString();
            if (name.startsWith(OF_PODS)
                    || name.equals(OF_PARTS)
                    || real.subpath(i, real.getNameCount()).startsWith(STAGED)) {
                return Optional.of("in a volume that Kubernetes has mounted for a pod, at " + real);
            }
        }
        return Optional.empty();
    }

    private static boolean isKept(Path folder, Path base) {
        BaseFolderLayout layout = new BaseFolderLayout(base);
        if (!Files.isRegularFile(layout.owner(), LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        BaseFolderLayout guests = new HostpathFolders(layout).layout();
        String name = String.valueOf(folder.getFileName());
        return folder.equals(layout.volumes().folder())
                || folder.equals(layout.snapshots().folder())
                || folder.equals(layout.state())
                || (guests.volumes().accepts(name)
                        && Files.isDirectory(guests.volumes().records()));
    }

    /** Returns the image that a folder is in, which a loop device shows, wherever that is mounted. */
    private Optional<String> image(Path folder) throws IOException {
        Optional<Path> file = shown(folder);
        Optional<Path> volume = file.map(Path::getParent);
        Optional<String> kept =
                volume.map(Path::getParent).map(Path::getFileName).map(Path::toString);
        return file.filter(it -> it.endsWith(IMAGE))
                .filter(_ -> kept.filter(name -> name.equals("v") || name.equals("s"))
                        .isPresent())
                .map(it -> "in the image " + it + " of a volume or snapshot, which is mounted there");
    }

    /** Returns the file of the loop device that a folder is on. */
    private Optional<Path> shown(Path folder) throws IOException {
        try (FileCalls calls = new FileCalls()) {
            String number = calls.stat(folder.toRealPath()).filesystemDevice();
            Path backing = devices.resolve(number).resolve("loop/backing_file");
            if (!Files.isReadable(backing)) {
                return Optional.empty();
            }
            String text = Files.readString(backing, StandardCharsets.ISO_8859_1).strip();
            return Optional.of(
                    Path.of(text.endsWith(DELETED) ? text.substring(0, text.length() - DELETED.length()) : text));
        } catch (LinuxException e) {
            throw new IOException("looking at " + folder + ": " + e.getMessage(), e);
        }
    }
}
