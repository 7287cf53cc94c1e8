package dev.fairlead.zfs.property;

import dev.fairlead.zfs.dataset.DatasetName;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tells whether all of a stream has been received. ZFS shows a dataset by its name, with the properties of {@code zfs
 * receive -o}, from the first byte of its stream on, and destroys it if the stream ends too early. Until all of it is
 * there its property {@link #INCONSISTENT} is 1; it is cleared in the same transaction that makes the received
 * snapshot.
 */
public final class StreamReceipt {
    /** A property that {@code zfs get all} does not print; every OpenZFS knows it by its name. */
    public static final String INCONSISTENT = "inconsistent";

    private static final String SO_FAR = "referenced";

    /** The properties to ask for, so that a receipt under way is seen. */
    public static final List<String> ASKED = List.of(INCONSISTENT, SO_FAR);

    private StreamReceipt() {}

    public static boolean isUnderWay(Map<String, Property> rows) {
        return Optional.ofNullable(rows.get(INCONSISTENT))
                .filter(property -> property.value().equals("1"))
                .isPresent();
    }

    /** Says that an earlier call was cut off from its copy, and that the storage goes on with it. */
    public static String underWay(DatasetName name, Map<String, Property> rows) {
        String far = Optional.ofNullable(rows.get(SO_FAR))
                .map(bytes -> " (" + bytes.value() + " bytes so far)")
                .orElse("");
        return name + " is still being received, as an earlier call has begun it" + far + "; ask again";
    }
}
