package dev.fairlead.adapter.local.directory;

import dev.fairlead.adapter.local.directory.base.Alarm;
import dev.fairlead.adapter.local.directory.base.BaseFolder;
import dev.fairlead.adapter.local.directory.base.BaseFolderContext;
import dev.fairlead.adapter.local.directory.base.BaseFolderGuard;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.CreationsInProgress;
import dev.fairlead.adapter.local.directory.base.FolderSync;
import dev.fairlead.adapter.local.directory.base.NodeClaims;
import dev.fairlead.adapter.local.directory.base.OwnerMark;
import dev.fairlead.adapter.local.directory.base.SeenBases;
import dev.fairlead.adapter.local.directory.base.Trash;
import dev.fairlead.adapter.local.directory.folder.RootAttributes;
import dev.fairlead.adapter.local.directory.form.FolderForm;
import dev.fairlead.adapter.local.directory.tree.DeletionTurns;
import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.store.CopyTurns;
import dev.fairlead.application.port.out.store.Removals;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.WorkFactory;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens stores on base folders; all stores of a process share one, since they must know what is being made. */
public final class DirectoryStores implements Removals {
    /** The number of things that are deleted at once, whatever was left in how many bases. */
    private static final int TURNS = 4;

    private static final Logger LOG = LoggerFactory.getLogger(DirectoryStores.class);

    private final InstantSource clock;
    private final InstantSource elapsed;
    private final Executor background;
    private final WorkFactory works;
    private final Alarm alarm;
    private final SeenBases seen;
    private final CreationsInProgress creations = new CreationsInProgress();
    private final DeletionTurns turns = new DeletionTurns(TURNS);
    private final List<Open> open = new CopyOnWriteArrayList<>();
    private volatile boolean takesUp;

    /**
     * @param elapsed counts how long something takes, whatever the system's clock is set to meanwhile; that of the
     *     alarm
     * @param background runs what empties the trash
     */
    public DirectoryStores(
            InstantSource clock,
            InstantSource elapsed,
            Executor background,
            WorkFactory works,
            Alarm alarm,
            SeenBases seen) {
        this.clock = clock;
        this.elapsed = elapsed;
        this.background = background;
        this.works = works;
        this.alarm = alarm;
        this.seen = seen;
    }

    public InstantSource clock() {
        return clock;
    }

    /** Returns what the process and earlier ones have seen of folders whose storage may be away. */
    public SeenBases seen() {
        return seen;
    }

    /** Opens a store of plain folders without a limit for what it promises. */
    VolumeStore open(ConnectionScope scope, Path folder, BaseFolder policy, RootAttributes attributes) {
        return open(
                        scope,
                        new CopyTurns(scope),
                        new BaseFolderLayout(folder),
                        OwnerMark.Marks.NONE,
                        policy,
                        attributes,
                        FolderForm.PLAIN,
                        context -> new UnlimitedPromises(context.base()))
                .volumes();
    }

    /** Holds a store, and what takes snapshots of several of its volumes at one instant. */
    public record OpenedStore(VolumeStore volumes, FolderGroups groups) {}

    /**
     * Opens a store.
     *
     * @param copies shared by all base folders of the connection
     * @param marks what else the mark of the base folder's owner says
     * @param policy how the base folder begins
     * @param promises makes what knows the room of the base folder
     */
    public OpenedStore open(
            ConnectionScope scope,
            CopyTurns copies,
            BaseFolderLayout layout,
            OwnerMark.Marks marks,
            BaseFolder policy,
            RootAttributes attributes,
            FolderForm form,
            Function<BaseFolderContext, Promises> promises) {
        DirectoryFailures failures = new DirectoryFailures(scope.name());
        BaseFolderGuard base = new BaseFolderGuard(layout, new OwnerMark(layout, scope, marks), policy, seen, failures);
        Trash trash = new Trash(base, background, works, elapsed, alarm, turns, form);
        add(scope.name(), trash);
        BaseFolderContext context = new BaseFolderContext(
                base, trash, creations, claims(layout, failures), new FolderSync(), copies, failures);
        Promises room = promises.apply(context);
        DirectorySnapshotStore snapshots = new DirectorySnapshotStore(context, form, room, clock);
        return new OpenedStore(
                new DirectoryVolumeStore(context, attributes, form, room, snapshots, clock),
                new FolderGroups(context, form, room, snapshots));
    }

    /** Adds a base folder; what was closed is forgotten. */
    private void add(ConnectionName connection, Trash trash) {
        open.removeIf(it -> it.trash().isClosed());
        open.add(new Open(connection, trash));
        if (takesUp) {
            takeUp(connection, trash);
        }
    }

    /** Takes up what is left, in the background; of a base that is away the first call does. */
    private void takeUp(ConnectionName connection, Trash trash) {
        String base = trash.pending(connection).place();
        background.execute(() -> {
            try {
                trash.takeUp();
            } catch (IOException | StorageException e) {
                LOG.atInfo()
                        .addKeyValue("base", base)
                        .addKeyValue("why", e.getMessage())
                        .log("what is left in the trash is not looked at yet; the first call does");
            }
        });
    }

    /** Holds the trash of one base folder. */
    private record Open(ConnectionName connection, Trash trash) {}

    @Override
    public void takeUp() {
        takesUp = true;
        open.forEach(it -> takeUp(it.connection(), it.trash()));
    }

    @Override
    public List<Pending> now() {
        Map<String, Pending> found = new TreeMap<>();
        for (Open one : open) {
            if (!one.trash().isClosed()) {
                Pending its = one.trash().pending(one.connection());
                found.put(its.connection() + " " + its.place(), its);
            }
        }
        return List.copyOf(found.values());
    }

    private NodeClaims claims(BaseFolderLayout layout, DirectoryFailures failures) {
        return NodeClaims.of(layout, creations, elapsed, alarm, background, failures);
    }
}
