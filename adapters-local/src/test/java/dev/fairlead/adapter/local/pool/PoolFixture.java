package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.DirectoryStores;
import dev.fairlead.adapter.local.directory.LocalModule;
import dev.fairlead.adapter.local.directory.base.Alarm;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.SeenBases;
import dev.fairlead.adapter.local.directory.settings.LocalNodeSettings;
import dev.fairlead.adapter.local.directory.settings.SeenBasesSettings;
import dev.fairlead.adapter.local.pool.dataset.Datasets;
import dev.fairlead.adapter.local.pool.identity.DiskIdentities;
import dev.fairlead.adapter.local.pool.identity.DiskIdentity;
import dev.fairlead.adapter.local.pool.kind.DiskQuestion;
import dev.fairlead.adapter.local.pool.kind.ImageUse;
import dev.fairlead.adapter.local.pool.kind.Projects;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.ConfigValue;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.ConfigValue.Scalar;
import dev.fairlead.application.config.ConfigValue.Sequence;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Opens pools as a process does; what is for the background is done at once. */
final class PoolFixture {
    private final PoolStoreFactory factory;
    private final String baseFolder;
    private final PoolPlaces places;
    private final DiskIdentities identities;
    private final DiskQuestion question =
            new DiskQuestion(Thread.ofPlatform().daemon().factory(), Duration.ofSeconds(10));

    PoolFixture(String baseFolder) {
        this(baseFolder, new NoDevices(), new SystemDisk(List.of(), Optional::of)); // each folder is a disk of its own
    }

    PoolFixture(String baseFolder, ImageUse images, SystemDisk system) {
        this(baseFolder, images, system, SteppingClock.by(Duration.ofSeconds(11)));
    }

    PoolFixture(String baseFolder, ImageUse images, SystemDisk system, InstantSource clock) {
        this(baseFolder, images, system, clock, Projects.OF_KERNEL);
    }

    /** Stands for a machine whose file systems have projects as these say. */
    PoolFixture(String baseFolder, Projects projects) {
        this(
                baseFolder,
                new NoDevices(),
                new SystemDisk(List.of(), Optional::of),
                SteppingClock.by(Duration.ofSeconds(1)),
                projects);
    }

    /** Stands for a machine with these datasets. */
    PoolFixture(String baseFolder, Datasets datasets) {
        this(
                baseFolder,
                new NoDevices(),
                new SystemDisk(List.of(), Optional::of),
                SteppingClock.by(Duration.ofSeconds(11)),
                Projects.OF_KERNEL,
                datasets,
                (_, _) -> Alarm.Call.NONE,
                LocalNodeSettings.UNKNOWN,
                DiskIdentity.OF_FILESYSTEM);
    }

    /** Stands for a process on the node of this name, with a clock that the test sets. */
    static PoolFixture on(String node, InstantSource clock, Alarm alarm) {
        return on(node, "create", clock, alarm);
    }

    /** The same on a node that has mounted what a file says. */
    static PoolFixture mounted(String node, Path mounts) {
        return on(
                new LocalNodeSettings(Optional.of(node), mounts),
                "create",
                SteppingClock.by(Duration.ofSeconds(1)),
                (_, _) -> Alarm.Call.NONE);
    }

    /** The same on a node that shares pools with others, with a clock that runs. */
    static PoolFixture sharing(String baseFolder) {
        return on("node-1", baseFolder, SteppingClock.by(Duration.ofSeconds(1)), (_, _) -> Alarm.Call.NONE);
    }

    private static PoolFixture on(String node, String baseFolder, InstantSource clock, Alarm alarm) {
        return on(new LocalNodeSettings(Optional.of(node)), baseFolder, clock, alarm);
    }

    private static PoolFixture on(LocalNodeSettings node, String baseFolder, InstantSource clock, Alarm alarm) {
        return new PoolFixture(
                baseFolder,
                new NoDevices(),
                new SystemDisk(List.of(), Optional::of),
                clock,
                Projects.OF_KERNEL,
                PlayedDatasets.NONE,
                alarm,
                node,
                DiskIdentity.OF_FILESYSTEM);
    }

    private PoolFixture(String baseFolder, ImageUse images, SystemDisk system, InstantSource clock, Projects projects) {
        this(
                baseFolder,
                images,
                system,
                clock,
                projects,
                PlayedDatasets.NONE,
                (_, _) -> Alarm.Call.NONE,
                LocalNodeSettings.UNKNOWN,
                DiskIdentity.OF_FILESYSTEM);
    }

    private PoolFixture(
            String baseFolder,
            ImageUse images,
            SystemDisk system,
            InstantSource clock,
            Projects projects,
            Datasets datasets,
            Alarm alarm,
            LocalNodeSettings node,
            DiskIdentity identity) {
        this.baseFolder = baseFolder;
        this.identities = new DiskIdentities(question, identity, node.prefix(), clock);
        this.places = new PoolPlaces(system, clock, Runnable::run, Duration.ofSeconds(1));
        this.factory = factory(
                new DirectoryStores(
                        clock,
                        clock,
                        Runnable::run,
                        (_, what, _, _) -> TestWork.named(what),
                        alarm,
                        new SeenBases(SeenBasesSettings.NONE)),
                images,
                system,
                projects,
                datasets,
                node);
    }

    private PoolStoreFactory factory(
            DirectoryStores stores,
            ImageUse images,
            SystemDisk system,
            Projects projects,
            Datasets datasets,
            LocalNodeSettings node) {
        return new PoolStoreFactory(stores, images, system, question, projects, datasets, places, identities, node);
    }

    /** Stands for a process as it is started, on the node of this name and with a system's clock that the test sets. */
    PoolFixture(String node, InstantSource clock) {
        this("create", new LocalNodeSettings(Optional.of(node)), clock, SeenBasesSettings.NONE);
    }

    /** Stands for a process that keeps in a folder what it has seen of pools, for the next one. */
    static PoolFixture remembering(Path seen) {
        InstantSource clock = SteppingClock.by(Duration.ofSeconds(1));
        return new PoolFixture("existing", LocalNodeSettings.UNKNOWN, clock, new SeenBasesSettings(Optional.of(seen)));
    }

    private PoolFixture(String baseFolder, LocalNodeSettings its, InstantSource clock, SeenBasesSettings seen) {
        SystemDisk system = new SystemDisk(List.of(), Optional::of);
        this.baseFolder = baseFolder;
        this.identities = new DiskIdentities(question, DiskIdentity.OF_FILESYSTEM, its.prefix(), clock);
        this.places = new PoolPlaces(system, clock, Runnable::run, Duration.ofSeconds(1));
        this.factory = factory(
                LocalModule.directoryStores(
                        clock, Thread.ofPlatform().daemon().factory(), (_, what, _, _) -> TestWork.named(what), seen),
                new NoDevices(),
                system,
                Projects.OF_KERNEL,
                PlayedDatasets.NONE,
                its);
    }

    /** Stands for a machine whose disks have these identities. */
    PoolFixture(DiskIdentity identity) {
        this(
                "create",
                new NoDevices(),
                new SystemDisk(List.of(), Optional::of),
                SteppingClock.by(Duration.ofSeconds(1)),
                Projects.OF_KERNEL,
                PlayedDatasets.NONE,
                (_, _) -> Alarm.Call.NONE,
                LocalNodeSettings.UNKNOWN,
                identity);
    }

    DiskIdentities identities() {
        return identities;
    }

    /** Stands for a machine on which no image is attached. */
    static final class NoDevices implements ImageUse {
        @Override
        public Optional<Path> device(Path image) {
            return Optional.empty();
        }

        @Override
        public boolean sharesBlocks(Path scratch) {
            return false;
        }
    }

    /** Stands for a disk that does not answer from now on. */
    void hang(Path pool) {
        question.vain().add(pool);
    }

    PoolPlaces places() {
        return places;
    }

    PoolStoreFactory factory() {
        return factory;
    }

    VolumeStore open(Mapping... pools) {
        Problems problems = new Problems("test.yaml");
        VolumeStore store = open(problems, pools);
        assertThat(problems.all()).filteredOn(it -> !it.isNote()).isEmpty();
        return store;
    }

    /** The same with pools of which the operator is told something. */
    VolumeStore openTold(Mapping... pools) {
        Problems problems = new Problems("test.yaml");
        VolumeStore store = open(problems, pools);
        assertThat(problems.hasErrors()).isFalse();
        return store;
    }

    /** Returns what the operator is told of pools, but for notes. */
    List<Problem> problems(Mapping... pools) {
        Problems problems = new Problems("test.yaml");
        open(problems, pools).close();
        return problems.all().stream().filter(it -> !it.isNote()).toList();
    }

    /** Opens the pools of another connection. */
    VolumeStore openOther(String connection, Mapping... pools) {
        return open(connection, new Problems("other.yaml"), pools);
    }

    private VolumeStore open(Problems problems, Mapping... pools) {
        return open("test", problems, pools);
    }

    private VolumeStore open(String connection, Problems problems, Mapping... pools) {
        Mapping file = mapping(Map.of(
                "local-pool",
                mapping(Map.of("pools", list(pools))),
                "fairlead",
                mapping(Map.of("baseFolder", baseFolder))));
        return factory.open(
                new ConnectionScope(
                        new ConnectionName(connection), "local-pool", Optional.empty(), "dev.fairlead.test", true),
                ConfigNode.root(file, problems));
    }

    static Mapping pool(String name, Path path, String kind) {
        return pool(name, path, kind, Map.of());
    }

    static Mapping pool(String name, Path path, String kind, Map<String, ?> more) {
        Map<String, Object> keys = new LinkedHashMap<>();
        keys.put("name", name);
        keys.put("path", path);
        keys.put("kind", kind);
        keys.putAll(more);
        return mapping(keys);
    }

    /** Returns a pool that says its kind by one of the further keys only, if at all. */
    static Mapping unsaid(String name, Path path, Map<String, ?> more) {
        Map<String, Object> keys = new LinkedHashMap<>(more);
        keys.put("name", name);
        keys.put("path", path);
        return mapping(keys);
    }

    static Sequence list(Mapping... items) {
        return new Sequence(Arrays.<ConfigValue>asList(items), 1);
    }

    static Mapping mapping(Map<String, ?> entries) {
        Map<String, ConfigValue> values = new LinkedHashMap<>();
        entries.forEach((key, value) -> values.put(
                key, value instanceof ConfigValue v ? v : new Scalar(value.toString(), Scalar.Type.STRING, 1)));
        return new Mapping(values, 1);
    }

    /** Fails where anything is left in a pool but its folders themselves and the mark of their owner. */
    static void verifyEmpty(Path pool) {
        BaseFolderLayout layout = new BaseFolderLayout(pool);
        List<Path> all = new ArrayList<>(layout.folders());
        all.add(layout.groups().folder());
        for (Path folder : all) {
            if (Files.isDirectory(folder) && !folder.equals(layout.state())) {
                try (Stream<Path> entries = Files.list(folder)) {
                    assertThat(entries).as("in %s", folder).isEmpty();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
