package dev.fairlead.adapter.local.directory;

import dev.fairlead.adapter.local.directory.base.Alarm;
import dev.fairlead.adapter.local.directory.base.BaseFolder;
import dev.fairlead.adapter.local.directory.base.SeenBases;
import dev.fairlead.adapter.local.directory.folder.RootAttributes;
import dev.fairlead.adapter.local.directory.settings.DirectorySettings;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.StoreTraits;
import dev.fairlead.application.port.out.store.StoreTraits.Role;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.WorkFactory;
import dev.fairlead.domain.volume.VolumeMedium;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;

/** Opens the stores of a connection's one base folder. */
final class DirectoryStoreFactory implements StoreFactory {
    private static final StoreTraits TRAITS =
            new StoreTraits(Set.of(VolumeMedium.Kind.FILESYSTEM), Set.of(Role.SNAPSHOTS), Set.of("driver"));

    private final DirectoryStores stores;

    DirectoryStoreFactory(DirectoryStores stores) {
        this.stores = stores;
    }

    DirectoryStoreFactory(InstantSource clock, Executor background, WorkFactory works, Alarm alarm, SeenBases seen) {
        this(new DirectoryStores(clock, clock, background, works, alarm, seen));
    }

    @Override
    public StoreTraits traits() {
        return TRAITS;
    }

    @Override
    public Optional<Path> baseFolder(String block, ConfigNode config) {
        return config.child(block).string("controllerBasePath").map(Path::of);
    }

    @Override
    public VolumeStore open(ConnectionScope scope, ConfigNode config) {
        DirectorySettings settings = DirectorySettings.read(scope, config.child(scope.block()));
        return stores.open(scope, settings.base(), BaseFolder.read(config), RootAttributes.of(settings));
    }
}
