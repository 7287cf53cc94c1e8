package dev.fairlead.adapter.zfs.store.volume;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CsiName;
import java.util.regex.Pattern;

/**
 * Refuses a name that would make the output of {@code zfs get} ambiguous. That prints tabs and line breaks as they are,
 * and a line with tabs begins a row: what else is on the host would become unreadable, for all volumes.
 */
public final class AmbiguousName {
    private static final Pattern ROW = Pattern.compile("\\n[^\\n]*\\t");

    private AmbiguousName() {}

    public static void refuse(CsiName name) {
        if (ROW.matcher(name.value()).find()) {
            throw new StorageException(new Failure.InvalidRequest(
                    "name",
                    "holds a line break and after it a tab, which zfs prints like a row of its own (expected:"
                            + " not both)"));
        }
    }
}
