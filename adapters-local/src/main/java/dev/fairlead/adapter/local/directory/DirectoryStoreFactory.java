package dev.fairlead.adapter.local.directory;

import dev.fairlead.adapter.local.directory.base.Alarm;
import dev.fairlead.adapter.local.directory.base.BaseFolder;
import dev.fairlead.adapter.local.directory.base.BaseFolderContext;
import dev.fairlead.adapter.local.directory.base.BaseFolderGuard;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.CreationsInProgress;
import dev.fairlead.adapter.local.directory.base.FolderSync;
import dev.fairlead.adapter.local.directory.base.OwnerMark;
import dev.fairlead.adapter.local.directory.base.SeenBases;
import dev.fairlead.adapter.local.directory.base.Trash;
import dev.fairlead.adapter.local.directory.folder.RootAttributes;
import dev.fairlead.adapter.local.directory.settings.DirectorySettings;
import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.store.CopyTurns;
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

/** Opens stores of folders; the whole process has one, since all stores must know what is being made. */
final class DirectoryStoreFactory implements StoreFactory {
    private static final StoreTraits TRAITS =
            new StoreTraits(Set.of(VolumeMedium.Kind.FILESYSTEM), Set.of(Role.SNAPSHOTS), Set.of("driver"));

    private final InstantSource clock;
    private final Executor background;
    private final WorkFactory works;
    private final Alarm alarm;
    private final CreationsInProgress creations = new CreationsInProgress();
    private final SeenBases seen;

    DirectoryStoreFactory(InstantSource clock, Executor background, WorkFactory works, Alarm alarm, SeenBases seen) {
        this.clock = clock;
        this.background = background;
        this.works = works;
        this.alarm = alarm;
        this.seen = seen;
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
        BaseFolderLayout layout = new BaseFolderLayout(settings.base());
        DirectoryFailures failures = new DirectoryFailures(scope.name());
        BaseFolderGuard base =
                new BaseFolderGuard(layout, new OwnerMark(layout, scope), BaseFolder.read(config), seen, failures);
        BaseFolderContext context = new BaseFolderContext(
                base,
                new Trash(base, background, works, clock, alarm),
                creations,
                new FolderSync(),
                new CopyTurns(scope),
                failures);
        return new DirectoryVolumeStore(
                context, RootAttributes.of(settings), new DirectorySnapshotStore(context, clock));
    }
}
