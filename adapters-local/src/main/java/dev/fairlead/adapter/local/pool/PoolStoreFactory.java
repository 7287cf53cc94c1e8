package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.DirectoryStores;
import dev.fairlead.adapter.local.directory.base.BaseFolder;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.OwnerMark;
import dev.fairlead.adapter.local.directory.folder.FolderForm;
import dev.fairlead.adapter.local.directory.folder.PlainFolder;
import dev.fairlead.adapter.local.directory.folder.RootAttributes;
import dev.fairlead.adapter.local.directory.settings.Ownership;
import dev.fairlead.adapter.local.directory.settings.PermissionBits;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.store.CopyTurns;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.StoreTraits;
import dev.fairlead.application.port.out.store.StoreTraits.Role;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.volume.VolumeMedium;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Opens the stores of a connection's pools. */
final class PoolStoreFactory implements StoreFactory {
    private static final StoreTraits TRAITS = new StoreTraits(
            Set.of(VolumeMedium.Kind.FILESYSTEM, VolumeMedium.Kind.BLOCK_DEVICE),
            Set.of(Role.SNAPSHOTS),
            Set.of("driver", OpenPools.POOL));

    private final DirectoryStores stores;
    private final ImageUse images;
    private final SystemDisk system;

    PoolStoreFactory(DirectoryStores stores, ImageUse images, SystemDisk system) {
        this.stores = stores;
        this.images = images;
        this.system = system;
    }

    @Override
    public StoreTraits traits() {
        return TRAITS;
    }

    @Override
    public List<Path> baseFolders(String block, ConfigNode config) {
        return PoolReader.paths(config.child(block));
    }

    @Override
    public VolumeStore open(ConnectionScope scope, ConfigNode config) {
        ConfigNode block = config.strictChild(scope.block());
        RootAttributes attributes = new RootAttributes(
                PermissionBits.read(block, "dirPermissionsMode"),
                Ownership.user(block, "dirPermissionsUser"),
                Ownership.group(block, "dirPermissionsGroup"));
        BaseFolder policy = BaseFolder.read(config);
        CopyTurns copies = new CopyTurns(scope);
        List<PoolSettings> pools = PoolReader.read(scope, config);
        pools.forEach(pool -> tell(block, pool));
        return new PooledVolumeStore(
                scope.name(),
                pools.stream()
                        .map(pool -> new OpenPool(pool, store(scope, copies, pool, pools, policy, attributes)))
                        .toList());
    }

    private VolumeStore store(
            ConnectionScope scope,
            CopyTurns copies,
            PoolSettings pool,
            List<PoolSettings> all,
            BaseFolder policy,
            RootAttributes attributes) {
        Path scratch = new BaseFolderLayout(pool.path()).partial();
        boolean image = pool.kind() == PoolKind.IMAGE;
        FolderForm form = image ? new ImageForm(images, scratch) : PlainFolder.FORM;
        return stores.open(
                scope,
                copies,
                pool.path(),
                new OwnerMark.Marks(
                        Map.of("pool", pool.name(), "kind", pool.kind().toString())),
                policy,
                image ? RootAttributes.AS_IT_IS : attributes,
                form,
                context -> new PoolRoom(pool, all, system, context, stores.clock()));
    }

    /** Tells what the operator should know of a pool before a volume is in it. */
    private void tell(ConfigNode block, PoolSettings pool) {
        if (Files.exists(pool.path()) && system.holds(pool.path())) {
            block.problems()
                    .warning(
                            block.pathOf("pools"),
                            block.lineOf("pools"),
                            "pool '" + pool.name() + "' at " + pool.path()
                                    + " lies on the operating system's file system, which a full pool stops"
                                    + (pool.sharesSystem() ? "" : "; no volume is made in it, since it says refuse"),
                            "mount a disk of its own there");
        }
    }
}
