package dev.fairlead.adapter.local.directory;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.store.CopyTurns;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.WorkFactory;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/** Opens stores of folders; the whole process has one, since all stores must know what is being made. */
final class DirectoryStoreFactory implements StoreFactory {
    private final InstantSource clock;
    private final Executor background;
    private final WorkFactory works;
    private final Alarm alarm;
    private final Making making = new Making();
    private final SeenBases seen = new SeenBases();

    DirectoryStoreFactory(InstantSource clock, Executor background, WorkFactory works, Alarm alarm) {
        this.clock = clock;
        this.background = background;
        this.works = works;
        this.alarm = alarm;
    }

    @Override
    public VolumeStore open(ConnectionScope scope, ConfigNode config) {
        DirectorySettings settings = DirectorySettings.read(scope, DirectorySettings.block(scope.driverType(), config));
        Layout layout = new Layout(settings.base());
        DirectoryFailures failures = new DirectoryFailures(scope.name());
        TopFolder base = new TopFolder(layout, new Claim(layout, scope), BaseFolder.read(config), seen, failures);
        Grounds grounds = new Grounds(
                base,
                new Trash(base, background, works, clock, alarm),
                making,
                new ShelfSync(),
                new CopyTurns(scope.name()),
                failures);
        return new DirectoryVolumeStore(grounds, Dress.of(settings), new DirectorySnapshotStore(grounds, clock));
    }
}
