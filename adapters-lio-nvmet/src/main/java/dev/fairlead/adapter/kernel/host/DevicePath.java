package dev.fairlead.adapter.kernel.host;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.regex.Pattern;

/** Names a block device of the storage host by a path that shells, configfs and targetcli take as one word. */
public record DevicePath(String value) {
    private static final Pattern PLAIN = Pattern.compile("(/[A-Za-z0-9_+:-][A-Za-z0-9_.+:@=-]*)+");
    private static final int LONGEST = 1024;

    /** Refuses a medium whose path programs would take for something else. */
    public static DevicePath of(VolumeMedium medium, ConnectionName connection) {
        String path = medium.path();
        if (path.length() > LONGEST || !PLAIN.matcher(path).matches()) {
            throw new StorageException(new Failure.BackendRejected(
                    connection.value(),
                    Excerpt.of(path)
                            + " is no path of a device that a target can be made of (expected: names of letters,"
                            + " digits and _ . + : @ = -, each after a slash)"));
        }
        return new DevicePath(path);
    }

    @Override
    public String toString() {
        return value;
    }
}
