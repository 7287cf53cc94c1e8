package dev.fairlead.adapter.kernel.nvmet;

import dev.fairlead.domain.digest.Digests;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The saved configuration as it was when it was last seen or written.
 *
 * @param checksum of the file's bytes, as the script makes it
 */
record SavedView(String checksum, SavedConfig config) {
    private static final String ABSENT = "absent";

    /** Before anything was seen or saved; where there is something, the script shows it. */
    static final SavedView NOTHING = new SavedView(ABSENT, SavedConfig.empty());

    private static final String STALE = "stale\t";

    /** What the script shows to a caller whose view is not the present one; empty where it was. */
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

    /** The view once this configuration is saved; this one where it is the same. */
    SavedView after(SavedConfig next) {
        return next.equals(config) ? this : new SavedView(checksumOf(next.text()), next);
    }

    private static String checksumOf(String text) {
        return HexFormat.of().formatHex(Digests.sha256(text));
    }
}
