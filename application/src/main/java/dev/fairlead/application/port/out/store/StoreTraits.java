package dev.fairlead.application.port.out.store;

import dev.fairlead.domain.volume.VolumeMedium;
import java.util.EnumSet;
import java.util.Set;

/**
 * Says what the stores of one factory can do, before any of them is opened.
 *
 * @param media the kinds of medium that they make
 * @param roles the roles that they return beside keeping volumes
 * @param parameters the StorageClass and VolumeSnapshotClass keys that they understand
 */
public record StoreTraits(Set<VolumeMedium.Kind> media, Set<Role> roles, Set<String> parameters) {
    public StoreTraits {
        media = Set.copyOf(media);
        roles = Set.copyOf(roles);
        parameters = Set.copyOf(parameters);
    }

    /** Lists what a store can do beside keeping volumes. */
    public enum Role {
        /** It has a {@link SnapshotStore}, and makes volumes with the content of a snapshot or of another volume. */
        SNAPSHOTS,
        /** Its {@link SnapshotStore} has {@link SnapshotGroups}. */
        GROUPS,
        /** It has a {@link VolumeModification}. */
        MODIFICATION,
        /** It has a {@link ContentTransfer}. */
        TRANSFER,
        /** It has a {@link ContentProbe}. */
        PROBE
    }

    /** Returns whether the stores have this role. */
    public boolean has(Role role) {
        return roles.contains(role);
    }

    /** Returns the roles of an opened store; they are those that its factory claims. */
    public static Set<Role> rolesOf(VolumeStore store) {
        Set<Role> roles = EnumSet.noneOf(Role.class);
        store.snapshots().ifPresent(snapshots -> {
            roles.add(Role.SNAPSHOTS);
            snapshots.groups().ifPresent(_ -> roles.add(Role.GROUPS));
        });
        store.modification().ifPresent(_ -> roles.add(Role.MODIFICATION));
        store.transfer().ifPresent(_ -> roles.add(Role.TRANSFER));
        store.contentProbe().ifPresent(_ -> roles.add(Role.PROBE));
        return roles;
    }
}
