package dev.fairlead.adapter.local.pool.dataset;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the dataset that a folder is on by the number of its device. By the folder's path a mount could be found that
 * is hidden below a later one, and the dataset would be another.
 */
final class MountedDataset {
    private static final int DEVICE = 2;
    private static final int TYPE = 1;
    private static final int SOURCE = 2;
    private static final int OCTAL = 8;

    /** The form in which the kernel shows a blank and the like. */
    private static final Pattern ESCAPED = Pattern.compile("\\\\([0-7]{3})");

    private MountedDataset() {}

    /**
     * Returns the dataset; empty if the folder is on no dataset or on a snapshot.
     *
     * @param mounts the mounts of this process, as in {@code /proc/self/mountinfo}
     */
    static Optional<String> of(Path folder, Path mounts) throws IOException {
        long device = ((Number) Files.getAttribute(folder, "unix:dev")).longValue();
        long major = (device >>> 8 & 0xfff) | (device >>> 32 & ~0xfffL);
        long minor = (device & 0xff) | (device >>> 12 & ~0xffL);
        String number = major + ":" + minor;
        return Files.readAllLines(mounts, StandardCharsets.ISO_8859_1).stream()
                .map(line -> List.of(line.split(" ", -1)))
                .filter(mount -> mount.size() > DEVICE && mount.get(DEVICE).equals(number))
                .reduce((_, last) -> last)
                .map(mount -> mount.subList(Math.max(0, mount.lastIndexOf("-")), mount.size()))
                .filter(system -> system.size() > SOURCE && system.get(TYPE).equals("zfs"))
                .map(system -> unescaped(system.get(SOURCE)))
                .filter(source -> source.indexOf('@') < 0);
    }

    private static String unescaped(String text) {
        return ESCAPED.matcher(text)
                .replaceAll(it -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(it.group(1), OCTAL))));
    }
}
