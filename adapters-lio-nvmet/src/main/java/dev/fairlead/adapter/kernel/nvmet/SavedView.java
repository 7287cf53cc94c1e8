package dev.fairlead.adapter.kernel.nvmet;

import dev.fairlead.domain.digest.Digests;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Holds the saved configuration, as it was when last seen or written.
 *
 * @param checksum the checksum of the file's bytes, computed as the script does
 */
record SavedView(String checksum, SavedConfig config) {
    private static final String ABSENT = "absent";

    /** The view before anything was seen or saved; if a saved file exists, the script then prints it. */
    static final SavedView NOTHING = new SavedView(ABSENT, SavedConfig.empty());

    private static final String STALE = "stale\t";

    /** Returns the view that the script prints if the caller's was out of date; empty if it was not. */
    static Optional<SavedView> shown(String output) {
        if (!output.startsWith(STALE)) {
            return Optional.empty();
        }
        int line = output.indexOf('\n');
        String checksum = output.substring(STALE.length(), line);
        String content = output.substring(line + 1);
        if (checksum.equals(ABSENT)) {
            return Optional.of(NOTHING);
        }
        if (!checksum.equals(checksumOf(content))) {
            throw new IllegalArgumentException("has bytes that are no UTF-8, or came in part");
        }
        return Optional.of(new SavedView(
                checksum,
                SavedConfig.read(content)
                        .orElseThrow(() -> new IllegalArgumentException("is not JSON that nvmetcli has saved"))));
    }

    /** Returns a view of a file that is not understood, by which a script changes anything but that file. */
    static SavedView unread(String output) {
        return new SavedView(output.substring(STALE.length(), output.indexOf('\n')), SavedConfig.empty());
    }

    /** Returns the view after this configuration is saved; this view if the configuration is the same. */
    SavedView after(SavedConfig next) {
        return next.equals(config) ? this : new SavedView(checksumOf(next.text()), next);
    }

    private static String checksumOf(String text) {
        return HexFormat.of().formatHex(Digests.sha256(text));
    }
}
