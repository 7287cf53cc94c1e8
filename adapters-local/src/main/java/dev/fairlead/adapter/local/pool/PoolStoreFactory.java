package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.DirectoryStores;
import dev.fairlead.adapter.local.directory.DirectoryStores.OpenedStore;
import dev.fairlead.adapter.local.directory.base.BaseFolder;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.OwnerMark;
import dev.fairlead.adapter.local.directory.folder.RootAttributes;
import dev.fairlead.adapter.local.directory.form.FolderForm;
import dev.fairlead.adapter.local.directory.settings.LocalNodeSettings;
import dev.fairlead.adapter.local.directory.settings.Ownership;
import dev.fairlead.adapter.local.directory.settings.PermissionBits;
import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.adapter.local.pool.dataset.Datasets;
import dev.fairlead.adapter.local.pool.health.DiskFacts;
import dev.fairlead.adapter.local.pool.health.PoolLook;
import dev.fairlead.adapter.local.pool.health.PoolTurns;
import dev.fairlead.adapter.local.pool.hostpath.HostpathContent;
import dev.fairlead.adapter.local.pool.hostpath.HostpathFolders;
import dev.fairlead.adapter.local.pool.hostpath.HostpathSettings;
import dev.fairlead.adapter.local.pool.hostpath.HostpathSnapshotFolders;
import dev.fairlead.adapter.local.pool.hostpath.HostpathStore;
import dev.fairlead.adapter.local.pool.hostpath.SnapshotPlace;
import dev.fairlead.adapter.local.pool.identity.DiskIdentities;
import dev.fairlead.adapter.local.pool.identity.PlaceInVolume;
import dev.fairlead.adapter.local.pool.identity.PlacedPool;
import dev.fairlead.adapter.local.pool.kind.DiskQuestion;
import dev.fairlead.adapter.local.pool.kind.FoundKind;
import dev.fairlead.adapter.local.pool.kind.ImageUse;
import dev.fairlead.adapter.local.pool.kind.Projects;
import dev.fairlead.adapter.local.pool.kind.QuotaReason;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.store.CopyTurns;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.StoreTraits;
import dev.fairlead.application.port.out.store.StoreTraits.Role;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.base.BaseMark;
import dev.fairlead.domain.volume.VolumeMedium;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Opens the stores of a connection's pools. */
final class PoolStoreFactory implements StoreFactory {
    private static final StoreTraits TRAITS = new StoreTraits(
            Set.of(VolumeMedium.Kind.FILESYSTEM, VolumeMedium.Kind.BLOCK_DEVICE),
            Set.of(Role.SNAPSHOTS, Role.GROUPS),
            Set.of("driver", OpenPools.POOL));

    /** The form of a node's name, which is a single name of a folder. */
    private static final Pattern NODE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,252}");

    private final DirectoryStores stores;
    private final ImageUse images;
    private final SystemDisk system;
    private final DiskQuestion question;
    private final Projects projects;
    private final Datasets datasets;
    private final PoolPlaces places;
    private final DiskIdentities identities;
    private final LocalNodeSettings node;

    PoolStoreFactory(
            DirectoryStores stores,
            ImageUse images,
            SystemDisk system,
            DiskQuestion question,
            Projects projects,
            Datasets datasets,
            PoolPlaces places,
            DiskIdentities identities,
            LocalNodeSettings node) {
        this.identities = identities;
        this.node = node;
        this.projects = projects;
        this.datasets = datasets;
        this.places = places;
        this.question = question;
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
        pools.forEach(pool -> tell(block, pool, pools, kind(scope, pool)));
        checkNode(block, pools);
        places.opened(scope.name(), pools);
        List<OpenPool> all = new ArrayList<>();
        List<GuestPool> guests = new ArrayList<>();
        Opening opening = new Opening(scope, copies, pools, policy, attributes, new ArrayList<>());
        for (PoolSettings pool : pools) {
            SharedRoom room = new SharedRoom();
            Optional<PlacedPool> place = place(block, scope, pool);
            all.add(new OpenPool(pool, store(opening, pool, room), place));
            pool.hostpath().ifPresent(its -> guests.add(new GuestPool(pool, guest(opening, pool, its, room), place)));
        }
        places.health().opened(scope.name(), opening.looks());
        PoolTurns turns = PoolTurns.of(opening.failures(), question, scope.concurrency(), all.size());
        return new PooledVolumeStore(scope.name(), all, guests, turns);
    }

    /** Holds what all pools of a connection are opened with. */
    private record Opening(
            ConnectionScope scope,
            CopyTurns copies,
            List<PoolSettings> pools,
            BaseFolder policy,
            RootAttributes attributes,
            List<PoolLook> looks) {
        DirectoryFailures failures() {
            return new DirectoryFailures(scope.name());
        }
    }

    private FoundKind kind(ConnectionScope scope, PoolSettings pool) {
        return new FoundKind(
                pool.kind(),
                new BaseFolderLayout(pool.path()),
                new DirectoryFailures(scope.name()),
                projects,
                datasets);
    }

    private OpenedStore store(Opening opening, PoolSettings pool, SharedRoom room) {
        FoundKind kind = kind(opening.scope(), pool);
        BaseFolderLayout plain = layout(pool);
        BaseFolderLayout layout = pool.hostpath()
                .map(its -> plain.with(new HostpathContent(plain, theirs(opening, pool, its))))
                .orElse(plain);
        return stores.open(
                opening.scope(),
                opening.copies(),
                layout,
                marks(pool, kind),
                policy(opening, pool),
                opening.attributes(),
                kind.form(images),
                context -> {
                    opening.looks().add(new PoolLook(pool.name(), context.base(), kind, question, DiskFacts.OF_KERNEL));
                    return room.of(new PoolRoom(
                            pool,
                            () -> places.with(opening.scope().name(), opening.pools()),
                            system,
                            kind,
                            context,
                            stores.clock(),
                            question));
                });
    }

    /**
     * Returns the place of a pool that is where its disk is; the label has the pool's name, so there is one of each.
     */
    private Optional<PlacedPool> place(ConfigNode block, ConnectionScope scope, PoolSettings pool) {
        if (!pool.byDisk()) {
            return Optional.empty();
        }
        identities
                .other(scope.name(), pool.name())
                .ifPresent(other -> block.problems()
                        .error(
                                block.pathOf("pools"),
                                block.lineOf("pools"),
                                "has a pool '" + pool.name() + "' with topology: disk, as connection '" + other
                                        + "' has, and a node has one label for both",
                                "give each such pool of a node a name of its own"));
        return Optional.of(identities.opened(scope.name(), pool.name(), pool.path()));
    }

    /** Opens the store of what kubevirt's hostpath-provisioner made in a pool. */
    private HostpathStore guest(Opening opening, PoolSettings pool, HostpathSettings its, SharedRoom room) {
        HostpathFolders folders = new HostpathFolders(layout(pool));
        VolumeStore volumes = stores.open(
                        opening.scope(),
                        opening.copies(),
                        folders.layout(),
                        marks(pool, kind(opening.scope(), pool)),
                        policy(opening, pool),
                        RootAttributes.AS_IT_IS,
                        FolderForm.PLAIN,
                        _ -> room.forGuests())
                .volumes();
        return new HostpathStore(volumes, folders, theirs(opening, pool, its), opening.failures());
    }

    /** Returns the snapshots that kubevirt's hostpath-provisioner took in a pool. */
    private Optional<HostpathSnapshotFolders> theirs(Opening opening, PoolSettings pool, HostpathSettings its) {
        HostpathFolders folders = new HostpathFolders(layout(pool));
        return its.snapshots()
                .map(path -> new HostpathSnapshotFolders(
                        new SnapshotPlace(path, folders, stores.seen(), system::holds, opening.failures())));
    }

    private static OwnerMark.Marks marks(PoolSettings pool, FoundKind kind) {
        return new OwnerMark.Marks(() -> Map.of(
                BaseMark.POOL,
                pool.name(),
                FoundKind.KEY,
                kind.get().toString(),
                "shared",
                String.valueOf(pool.shared())));
    }

    private BaseFolderLayout layout(PoolSettings pool) {
        BaseFolderLayout layout = new BaseFolderLayout(pool.path());
        return pool.shared() ? layout.sharedBy(node) : layout;
    }

    /** Returns how a pool begins. The folder of a shared one is never made: it would be this node's alone. */
    private static BaseFolder policy(Opening opening, PoolSettings pool) {
        return pool.shared() && opening.policy() == BaseFolder.CREATE ? BaseFolder.EXISTING : opening.policy();
    }

    private void checkNode(ConfigNode block, List<PoolSettings> pools) {
        boolean shares = pools.stream().anyMatch(PoolSettings::shared);
        if (shares && node.name().filter(NODE.asMatchPredicate()).isEmpty()) {
            block.problems()
                    .error(
                            block.pathOf("pools"),
                            block.lineOf("pools"),
                            "has a pool with shared: true, and this process does not know the name of its node, by"
                                    + " which nodes keep apart what each of them makes",
                            "set the environment variable CSI_NODE_ID to the node's name");
        }
    }

    /** Tells what the operator should know of a pool before a volume is in it. */
    private void tell(ConfigNode block, PoolSettings pool, List<PoolSettings> all, FoundKind kind) {
        tellInVolume(block, pool, all);
        noQuota(kind, pool)
                .ifPresent(reason -> block.problems()
                        .warning(
                                block.pathOf("pools"),
                                block.lineOf("pools"),
                                "pool '" + pool.name() + "' at " + pool.path() + " " + reason.what(),
                                reason.remedy()));
        if (exists(pool) && system.holds(pool.path())) {
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

    /** Refuses a new connection with a pool that lies in a volume; one that has volumes in any pool serves them. */
    private void tellInVolume(ConfigNode block, PoolSettings pool, List<PoolSettings> all) {
        try {
            Optional<String> where = question.ask(pool.path(), () -> PlaceInVolume.OF_KERNEL.of(pool.path()));
            if (where.isEmpty()) {
                return;
            }
            String what = "pool '" + pool.name() + "' at " + pool.path() + " is " + where.get();
            String remedy = "give the pool a folder beside all volumes (FL-CON-011)";
            String path = block.pathOf("pools");
            int line = block.lineOf("pools");
            if (all.stream().anyMatch(this::isUsed)) {
                block.problems().warning(path, line, what + ", so nothing is made in it", remedy);
            } else {
                block.problems().error(path, line, what, remedy);
            }
        } catch (IOException _) {
            // a dead disk is told by the first call, which looks again
        }
    }

    /** Returns whether there is anything in a pool, of another program too, or may be: its disk does not answer. */
    private boolean isUsed(PoolSettings pool) {
        try {
            return question.ask(pool.path(), () -> {
                try (DirectoryStream<Path> all = Files.newDirectoryStream(pool.path())) {
                    return all.iterator().hasNext();
                } catch (NoSuchFileException | NotDirectoryException _) {
                    return false;
                }
            });
        } catch (IOException _) {
            return true;
        }
    }

    private Optional<QuotaReason> noQuota(FoundKind kind, PoolSettings pool) {
        try {
            return question.ask(pool.path(), kind::whyNoQuota);
        } catch (IOException _) {
            return Optional.empty(); // a dead disk is told by the first call
        }
    }

    private boolean exists(PoolSettings pool) {
        try {
            return question.ask(pool.path(), () -> Files.exists(pool.path()));
        } catch (IOException _) {
            return false;
        }
    }
}
