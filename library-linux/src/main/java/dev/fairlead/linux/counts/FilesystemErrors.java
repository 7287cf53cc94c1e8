package dev.fairlead.linux.counts;

import static java.util.stream.Collectors.joining;

import dev.fairlead.linux.BtrfsCalls;
import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.FileStat;
import dev.fairlead.linux.FilesystemUuid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Reads from sysfs the errors that a file system has counted: ext4 those that it found since it was checked last, btrfs
 * those of its devices. Others keep no such counts.
 *
 * <p>Call from platform threads.
 *
 * @param sysfs where it is mounted
 */
public record FilesystemErrors(Path sysfs) {
    public static final FilesystemErrors OF_KERNEL = new FilesystemErrors(Path.of("/sys"));

    private static final String NONE = "0";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]+");

    /**
     * Returns the errors that the file system of a folder has counted, in words; empty if there are none, or it counts
     * none.
     *
     * @throws IOException if it counts them, and they cannot be read
     */
    public Optional<String> of(Path folder) throws IOException {
        return BtrfsCalls.isBtrfs(folder) ? ofBtrfs(folder) : ofExt4(folder);
    }

    private Optional<String> ofExt4(Path folder) throws IOException {
        FileStat stat;
        try (FileCalls calls = new FileCalls()) {
            stat = calls.stat(folder);
        }
        Path blocks = sysfs.resolve("dev/block");
        if (!isThere(blocks)) {
            throw new IOException(blocks + " is not there: is no sysfs mounted at " + sysfs + "?");
        }
        Path block = blocks.resolve(stat.filesystemDevice());
        if (!isThere(block)) {
            return Optional.empty(); // it is on no block device, as a share or a tmpfs
        }
        Path facts = sysfs.resolve("fs/ext4")
                .resolve(String.valueOf(block.toRealPath().getFileName()));
        String count = isThere(facts) ? text(facts.resolve("errors_count"), NONE) : NONE;
        return count.equals(NONE)
                ? Optional.empty()
                : Optional.of(
                        "its ext4 has found " + count + " errors in itself since e2fsck checked it last, the last of"
                                + " them in " + function(facts));
    }

    /** Returns what is told of the last error: the image holds it, and so whoever made that may have written it. */
    private static String function(Path facts) throws IOException {
        String said = text(facts.resolve("last_error_func"), "");
        return NAME.matcher(said).matches() ? said : "?";
    }

    private Optional<String> ofBtrfs(Path folder) throws IOException {
        UUID id =
                FilesystemUuid.of(folder).orElseThrow(() -> new IOException(folder + " is on a btrfs without a UUID"));
        Path facts = sysfs.resolve("fs/btrfs").resolve(id.toString());
        List<String> found = new ArrayList<>();
        for (Path device : children(facts.resolve("devinfo"))) {
            ofDevice(device).ifPresent(it -> found.add("device " + device.getFileName() + " of its btrfs " + it));
        }
        return found.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", found));
    }

    /** Returns what is wrong with one device of a btrfs. */
    private static Optional<String> ofDevice(Path device) throws IOException {
        if (!text(device.resolve("missing"), NONE).equals(NONE)) {
            return Optional.of("is missing");
        }
        List<String> counts = text(device.resolve("error_stats"), "")
                .lines()
                .map(String::strip)
                .toList();
        for (String line : counts) {
            if (!line.matches("[a-z_]+ [0-9]+")) {
                throw new IOException(device + "/error_stats says " + line);
            }
        }
        String errors = counts.stream().filter(it -> !it.endsWith(" 0")).collect(joining(", "));
        return errors.isEmpty()
                ? Optional.empty()
                : Optional.of("has counted " + errors + " since btrfs device stats -z reset that last");
    }

    private static List<Path> children(Path folder) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            return sorted(entries);
        }
    }

    /** @throws IOException if the folder cannot be read to its end */
    static List<Path> sorted(DirectoryStream<Path> entries) throws IOException {
        List<Path> children = new ArrayList<>();
        try {
            entries.forEach(children::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        children.sort(null);
        return children;
    }

    /** Says whether a file is there; other than {@link Files#exists}, it takes no other failure for that it is not. */
    private static boolean isThere(Path file) throws IOException {
        try {
            Files.readAttributes(file, BasicFileAttributes.class);
            return true;
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    /** Returns what a file has, whichever bytes these are; another text if the kernel is older than the file. */
    private static String text(Path file, String missing) throws IOException {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1).strip();
        } catch (NoSuchFileException _) {
            return missing;
        }
    }
}
