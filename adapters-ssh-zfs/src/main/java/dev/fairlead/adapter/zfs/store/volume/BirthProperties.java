package dev.fairlead.adapter.zfs.store.volume;

import dev.fairlead.adapter.zfs.cli.Rows;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.volume.BirthMarks;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Chooses the properties with which a dataset is made, those that share it among them. All of them are given in the
 * command that makes the dataset, so that a volume never exists without its marks.
 */
public final class BirthProperties {
    private final BirthMarks all;

    public BirthProperties(ZfsConnection connection) {
        this.all = new BirthMarks(connection.settings());
    }

    /** Refuses values that ZFS would not keep, before anything is made. */
    public void checkValues(Birth birth) {
        Rows.requireUnambiguous(birth.request().name());
        created(birth).forEach((key, value) -> {
            if (value.getBytes(StandardCharsets.UTF_8).length > OwnProperties.MAX_VALUE_BYTES
                    || value.indexOf('\0') >= 0) {
                throw new StorageException(new Failure.InvalidRequest(
                        "parameters",
                        "give the property " + key + " a value that ZFS does not keep (expected: at most "
                                + OwnProperties.MAX_VALUE_BYTES + " bytes)"));
            }
        });
    }

    /** Returns the properties of a dataset that is made empty. */
    public Map<String, String> created(Birth birth) {
        return all.created(birth, ShareAtBirth.properties(birth));
    }

    /** Returns the properties of a dataset that is made with content, as a clone or from a stream. */
    public Map<String, String> cloned(Birth birth) {
        return all.cloned(birth, ShareAtBirth.properties(birth));
    }

    /** Returns the properties of any dataset, whatever its content, without those of the connection's file. */
    public Map<String, String> marks(Birth birth) {
        return all.marks(birth, ShareAtBirth.properties(birth));
    }
}
