package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.base.Alarm;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.SeenBases;
import dev.fairlead.adapter.local.directory.settings.SeenBasesSettings;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.ConfigValue;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.ConfigValue.Scalar;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.store.Removals;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/** Opens stores on a base folder as a process does; what is for the background is done at once. */
public final class DirectoryFixture {
    private final Path base;
    private final DirectoryStores stores;
    private final DirectoryStoreFactory factory;
    private final String baseFolder;

    public DirectoryFixture(Path base) {
        this(base, Runnable::run);
    }

    public DirectoryFixture(Path base, Executor background) {
        this(base, background, "create");
    }

    /** The same with another {@code fairlead.baseFolder}. */
    public DirectoryFixture(Path base, String baseFolder) {
        this(base, Runnable::run, baseFolder);
    }

    private DirectoryFixture(Path base, Executor background, String baseFolder) {
        this(base, background, baseFolder, SteppingClock.by(Duration.ofSeconds(1)));
    }

    /** The same with a clock that the test sets. */
    DirectoryFixture(Path base, InstantSource clock) {
        this(base, Runnable::run, "create", clock);
    }

    /** The same with an alarm that the test rings. */
    public DirectoryFixture(Path base, InstantSource clock, Alarm alarm) {
        this(base, Runnable::run, "create", clock, alarm);
    }

    /** The same with threads of its own. */
    public DirectoryFixture(Path base, Executor background, InstantSource clock, Alarm alarm) {
        this(base, background, "create", clock, alarm);
    }

    private DirectoryFixture(Path base, Executor background, String baseFolder, InstantSource clock) {
        this(base, background, baseFolder, clock, (_, _) -> Alarm.Call.NONE);
    }

    private DirectoryFixture(Path base, Executor background, String baseFolder, InstantSource clock, Alarm alarm) {
        this(base, background, baseFolder, clock, alarm, SeenBasesSettings.NONE);
    }

    private DirectoryFixture(
            Path base,
            Executor background,
            String baseFolder,
            InstantSource clock,
            Alarm alarm,
            SeenBasesSettings settings) {
        this.base = base;
        this.baseFolder = baseFolder;
        this.stores = new DirectoryStores(
                clock, clock, background, (_, what, _, _) -> TestWork.named(what), alarm, new SeenBases(settings));
        this.factory = new DirectoryStoreFactory(stores);
    }

    /** A process that keeps what it has seen of the base for the next one, which is another fixture. */
    static DirectoryFixture keeping(Path seen, Path base, String baseFolder) {
        return new DirectoryFixture(
                base,
                Runnable::run,
                baseFolder,
                SteppingClock.by(Duration.ofSeconds(1)),
                (_, _) -> Alarm.Call.NONE,
                new SeenBasesSettings(Optional.of(seen)));
    }

    Path base() {
        return base;
    }

    public Removals removals() {
        return stores;
    }

    /** Makes the base folder as an administrator prepares it. */
    void prepare() {
        try {
            Files.createDirectories(base.resolve("v"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes the base folder a mount point with nothing mounted on it. */
    void empty() {
        try {
            Files.createDirectories(base);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes the bare mount point; fails where anything was made in it. */
    void removeEmpty() {
        assertThat(names(base)).as("made in the bare mount point").isEmpty();
        try {
            Files.delete(base);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public VolumeStore open() {
        return open(Map.of());
    }

    public VolumeStore open(Map<String, String> more) {
        return open("test", more);
    }

    public VolumeStore open(String connection, Map<String, String> more) {
        return open(scope(connection), more);
    }

    /** As a process of an installation of these CSI names does. */
    VolumeStore openAs(String installation) {
        return open(
                new ConnectionScope(new ConnectionName("test"), "local-hostpath", Optional.empty(), installation),
                Map.of());
    }

    private VolumeStore open(ConnectionScope scope, Map<String, String> more) {
        Problems problems = new Problems("test.yaml");
        VolumeStore store = factory.open(scope, ConfigNode.root(config(more), problems));
        assertThat(problems.all()).isEmpty();
        return store;
    }

    static ConnectionScope scope(String connection) {
        return new ConnectionScope(
                new ConnectionName(connection), "local-hostpath", Optional.empty(), "dev.fairlead.test");
    }

    Mapping config(Map<String, String> more) {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("shareBasePath", base.toString());
        keys.put("controllerBasePath", base.toString());
        keys.putAll(more);
        return mapping(Map.of("local-hostpath", mapping(keys), "fairlead", mapping(Map.of("baseFolder", baseFolder))));
    }

    static Mapping mapping(Map<String, ?> entries) {
        Map<String, ConfigValue> values = new LinkedHashMap<>();
        entries.forEach((key, value) -> values.put(
                key, value instanceof ConfigValue v ? v : new Scalar(value.toString(), Scalar.Type.STRING, 1)));
        return new Mapping(values, 1);
    }

    /** Fails where anything is left but the folders themselves and the mark of their owner. */
    void verifyEmpty() {
        for (Path folder : new BaseFolderLayout(base).folders()) {
            if (Files.isDirectory(folder) && !folder.equals(new BaseFolderLayout(base).state())) {
                assertThat(names(folder)).as("in %s", folder).isEmpty();
            }
        }
    }

    public static List<String> names(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(entry -> String.valueOf(entry.getFileName()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
