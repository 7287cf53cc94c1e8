package dev.fairlead.linux.loop;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names the file behind a loop device by the number of its file system and its own, which are the same whatever path
 * leads to it, as long as the device has it.
 */
public record LoopFile(long filesystem, long inode) {
    /** The most bytes of a name that a device keeps. */
    public static final int NAME_BYTES = 63;

    private static final Pattern FORM = Pattern.compile("([0-9]{1,20}):([0-9]{1,20})");

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

    /** Returns what a device keeps of the name that its file is given, which it cuts. */
    public static byte[] kept(String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(text, Math.min(text.length, NAME_BYTES));
    }

    @Override
    public String toString() {
        return Long.toUnsignedString(filesystem) + ":" + Long.toUnsignedString(inode);
    }
}
