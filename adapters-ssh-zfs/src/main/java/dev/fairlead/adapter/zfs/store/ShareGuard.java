package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.Births;
import dev.fairlead.adapter.zfs.host.Outcome;
import dev.fairlead.adapter.zfs.host.Sharing;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.Property;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps a filesystem from being born as the share of another one, whose clients would find it in that one's place. */
final class ShareGuard {
    private static final String MOUNTPOINT = "mountpoint";

    private final ZfsHost host;
    private final Births births;

    ShareGuard(ZfsConnection connection) {
        this.host = connection.host();
        this.births = connection.births();
    }

    /** @param properties those that the dataset will be born with; nothing is to be looked at where none shares it */
    Steps steps(DatasetName name, Map<String, String> properties) {
        return isShared(properties)
                ? sharing().unclaimed(name, given(properties).or(() -> births.expectedMountpoint(name)))
                : new Steps();
    }

    /**
     * The steps in the place of those that failed, where what they have found is the dataset's own share: one that an
     * earlier call has left, of a path that was not known.
     *
     * @throws dev.fairlead.domain.failure.StorageException where it is another's
     */
    Steps again(Outcome failed, DatasetName name, Map<String, String> properties, Work work) {
        String path =
                sharing().otherPath(failed).orElseThrow(() -> host.failure("looking for the share of " + name, failed));
        DatasetName parent = name.parent().orElseThrow();
        var found = host.each(List.of(parent, name), List.of(MOUNTPOINT), work);
        mountpoint(found.get(parent.value())).ifPresent(where -> births.mounted(parent, where));
        Optional<String> own = mountpoint(found.get(name.value()));
        if (!own.or(() -> given(properties))
                .or(() -> births.expectedMountpoint(name))
                .equals(Optional.of(path))) {
            String taken = sharing().taken(name, path);
            throw own.isPresent() ? host.notNow(taken) : host.rejected(taken);
        }
        return sharing().unclaimed(name, Optional.of(path));
    }

    private static Optional<String> mountpoint(@Nullable Map<String, Property> rows) {
        return Optional.ofNullable(rows).map(each -> each.get(MOUNTPOINT)).map(Property::value);
    }

    /** Prints what the host shares, where a property shares the dataset at all. */
    Steps look(DatasetName name, Map<String, String> properties) {
        return sharing().look(name, given(properties));
    }

    private boolean isShared(Map<String, String> properties) {
        return sharing().keys().stream().anyMatch(properties::containsKey);
    }

    private static Optional<String> given(Map<String, String> properties) {
        return Optional.ofNullable(properties.get(MOUNTPOINT));
    }

    private Sharing sharing() {
        return births.sharing();
    }
}
