package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.DirectoryStores;
import dev.fairlead.adapter.local.directory.base.Alarm;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.SeenBases;
import dev.fairlead.adapter.local.directory.settings.SeenBasesSettings;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.ConfigValue;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.ConfigValue.Scalar;
import dev.fairlead.application.config.ConfigValue.Sequence;
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

    PoolFixture(String baseFolder) {
        this(baseFolder, new NoDevices(), new SystemDisk(List.of(), Optional::of)); // each folder is a disk of its own
    }

    PoolFixture(String baseFolder, ImageUse images, SystemDisk system) {
        this(baseFolder, images, system, SteppingClock.by(Duration.ofSeconds(1)));
    }

    PoolFixture(String baseFolder, ImageUse images, SystemDisk system, InstantSource clock) {
        this.baseFolder = baseFolder;
        this.factory = new PoolStoreFactory(
                new DirectoryStores(
                        clock,
                        Runnable::run,
                        (_, what, _, _) -> TestWork.named(what),
                        (_, _) -> Alarm.Call.NONE,
                        new SeenBases(SeenBasesSettings.NONE)),
                images,
                system);
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

    PoolStoreFactory factory() {
        return factory;
    }

    VolumeStore open(Mapping... pools) {
        Problems problems = new Problems("test.yaml");
        VolumeStore store = open(problems, pools);
        assertThat(problems.all()).isEmpty();
        return store;
    }

    /** The same with pools of which the operator is told something. */
    VolumeStore openTold(Mapping... pools) {
        Problems problems = new Problems("test.yaml");
        VolumeStore store = open(problems, pools);
        assertThat(problems.hasErrors()).isFalse();
        return store;
    }

    private VolumeStore open(Problems problems, Mapping... pools) {
        Mapping file = mapping(Map.of(
                "local-pool",
                mapping(Map.of("pools", list(pools))),
                "fairlead",
                mapping(Map.of("baseFolder", baseFolder))));
        return factory.open(
                new ConnectionScope(
                        new ConnectionName("test"), "local-pool", Optional.empty(), "dev.fairlead.test", true),
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
        for (Path folder : layout.folders()) {
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
