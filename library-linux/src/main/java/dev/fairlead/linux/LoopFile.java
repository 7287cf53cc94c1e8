package dev.fairlead.linux;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names the file behind a loop device by the number of its file system and its own, which are the same whatever path
 * leads to it, as long as the device has it.
 */
public record LoopFile(long filesystem, long inode) {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,20}):([0-9]{1,20})");

    static LoopFile of(FileStat stat) {
        return new LoopFile(stat.filesystem(), stat.inode());
    }

    /** Reads what {@link #toString} writes; empty for any other text. */
    public static Optional<LoopFile> read(String text) {
        Matcher form = FORM.matcher(text);
        try {
            return form.matches()
                    ? Optional.of(
                            new LoopFile(Long.parseUnsignedLong(form.group(1)), Long.parseUnsignedLong(form.group(2))))
                    : Optional.empty();
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return Long.toUnsignedString(filesystem) + ":" + Long.toUnsignedString(inode);
    }
}
