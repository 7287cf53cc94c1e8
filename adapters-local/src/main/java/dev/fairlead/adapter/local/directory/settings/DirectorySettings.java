package dev.fairlead.adapter.local.directory.settings;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.FolderPath;
import dev.fairlead.application.port.out.ConnectionScope;
import java.nio.file.Path;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * Holds what the {@code directory} store reads of a connection's file; the driver type's row names the block.
 *
 * @param base {@code controllerBasePath}: the folder as this process sees it
 * @param mode {@code dirPermissionsMode}: mode bits of a volume's root
 * @param user {@code dirPermissionsUser}: owner of a volume's root
 * @param group {@code dirPermissionsGroup}: group of a volume's root
 */
@Value.Builder
public record DirectorySettings(Path base, Optional<Integer> mode, Optional<Integer> user, Optional<Integer> group) {
    /** Reads {@code controllerBasePath} for whoever of a connection asks first, so that its problems are told once. */
    public static Path base(ConnectionScope scope, ConfigNode block) {
        return scope.shared(Base.class, () -> new Base(FolderPath.read(block, "controllerBasePath")), _ -> {})
                .get()
                .folder();
    }

    private record Base(Path folder) {}

    public static DirectorySettings read(ConnectionScope scope, ConfigNode block) {
        block.ignore("shareBasePath", "shareHost"); // these are the exporter's
        SnapshotMethod.read(block.child("snapshots"));
        return new DirectorySettingsBuilder()
                .base(base(scope, block))
                .mode(PermissionBits.read(block, "dirPermissionsMode"))
                .user(Ownership.user(block, "dirPermissionsUser"))
                .group(Ownership.group(block, "dirPermissionsGroup"))
                .build();
    }
}
