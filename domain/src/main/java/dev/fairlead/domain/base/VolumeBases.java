package dev.fairlead.domain.base;

import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.VolumeHandle;
import java.util.Map;
import java.util.Optional;

/**
 * Tells in which base folders volumes of the nodes' own storage are, as far as a node can know without asking the
 * storage: by a volume's handle and context.
 *
 * @param installation the CSI names of this installation, with commas between them
 */
public record VolumeBases(String installation, HandleCodec codec) {
    /** The implementation for a process without an installation, which knows of no volume. */
    public static final VolumeBases NONE = new VolumeBases("", new HandleCodec.Bare());

    /** The pool whose volumes have ids that do not name their pool. */
    public static final String UNNAMED_POOL = "legacy";

    /** The folder below a base in which its own volumes are. */
    private static final String VOLUMES = "v";

    private static final String MADE_BY = "provisioner_driver";
    /** The type whose marks are compared. A base of local-hostpath may have been handed over to another connection. */
    private static final String POOLS = "local-pool";

    /**
     * Returns the base folder of a volume; empty for one that a person or another program made a PersistentVolume of:
     * its context does not name a type of storage that has base folders, or its handle is not that of its folder.
     *
     * @param path the path of its folder
     */
    public Optional<VolumeBase> of(String handle, Map<String, String> context, String path) {
        return POOLS.equals(context.get(MADE_BY)) && !installation.isEmpty()
                ? volume(handle).flatMap(it -> of(it, path))
                : Optional.empty();
    }

    private Optional<VolumeHandle> volume(String handle) {
        try {
            return codec.volume(handle);
        } catch (StorageException _) {
            return Optional.empty(); // a handle of a connection that can have no file here
        }
    }

    private Optional<VolumeBase> of(VolumeHandle volume, String path) {
        String id = volume.id().value();
        int slash = id.indexOf('/');
        String name = id.substring(slash + 1);
        if (name.contains("/") || !path.endsWith("/" + name)) {
            return Optional.empty();
        }
        // Another program's volumes are directly in the pool, and have bare names in pools of any name.
        boolean own = path.endsWith("/" + VOLUMES + "/" + name);
        Optional<String> unnamed = own ? Optional.of(UNNAMED_POOL) : Optional.empty();
        Optional<String> pool = slash >= 0 ? Optional.of(id.substring(0, slash)) : unnamed;
        return Optional.of(new VolumeBase(installation, volume.connection(), pool, own ? 1 : 0));
    }
}
