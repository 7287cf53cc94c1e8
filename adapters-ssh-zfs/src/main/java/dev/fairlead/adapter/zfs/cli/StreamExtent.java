package dev.fairlead.adapter.zfs.cli;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what {@code zfs send -nvP} says about the stream that it would write.
 *
 * @param snapshot the snapshot that would be sent; with a token, the one that ZFS found for it
 * @param done the bytes that the receiver has, by its token; zero without a token
 * @param left the estimated bytes of the stream, at least one
 */
public record StreamExtent(String snapshot, long done, long left) {
    private static final Pattern STREAM = Pattern.compile("(?m)^full\t([^\t\n]+)\t[0-9]+$");
    private static final Pattern SIZE = Pattern.compile("(?m)^size\t([0-9]{1,20})$");
    private static final Pattern DONE = Pattern.compile("(?m)^\\s+bytes = 0x([0-9a-f]{1,15})$");

    /** Returns the values in the output; empty if it is not what {@code zfs} prints. */
    public static Optional<StreamExtent> read(String output) {
        Matcher stream = STREAM.matcher(output);
        Matcher size = SIZE.matcher(output);
        Matcher done = DONE.matcher(output);
        if (!stream.find() || !size.find()) {
            return Optional.empty();
        }
        return Optional.of(new StreamExtent(
                stream.group(1), done.find() ? Long.parseLong(done.group(1), 16) : 0, left(size.group(1))));
    }

    /**
     * Returns the bytes left, at least one: near the end more may have come than ZFS estimated, and it prints the
     * negative rest as an unsigned number.
     */
    private static long left(String digits) {
        return Math.max(1, new BigInteger(digits).longValue());
    }
}
