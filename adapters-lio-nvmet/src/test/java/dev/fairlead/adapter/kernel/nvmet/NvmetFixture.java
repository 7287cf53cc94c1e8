package dev.fairlead.adapter.kernel.nvmet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.adapter.kernel.OtherTarget;
import dev.fairlead.adapter.kernel.host.HostLock;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.StorageHost;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.out.store.NoteLook;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A folder that stands for a storage host: its configfs with a port, its devices, its saved configuration. */
final class NvmetFixture {
    static final String PARENT = "tank/v";
    static final String BASE = "nqn.2003-01.org.example.nas";

    /** A port and a subsystem of somebody else's, as they are saved. */
    static final String SAVED_OTHER = """
            {"hosts": [], "ports": [{"portid": 1, "addr": {"trtype": "tcp"}, "subsystems": ["other"]}],
             "subsystems": [{"nqn": "other", "namespaces": [{"nsid": 1, "device": {"path": "/dev/sdz"}}]}]}
            """;

    private final Path folder;
    private final LocalTarget host = new LocalTarget();

    NvmetFixture(Path folder) {
        this.folder = folder;
        write(port("1").resolve("addr_adrfam"), "ipv4\n");
        write(port("1").resolve("addr_traddr"), "10.0.0.1\n");
        write(port("1").resolve("addr_trsvcid"), "4420\n");
        write(port("1").resolve("addr_trtype"), "tcp\n");
        write(port("1").resolve("param_inline_data_size"), "16384\n");
        write(port("1").resolve("ana_groups/1/ana_state"), "optimized\n");
        mkdir(port("1").resolve("subsystems"));
        mkdir(port("1").resolve("referrals"));
        mkdir(root().resolve("subsystems"));
        mkdir(root().resolve("hosts"));
        mkdir(folder.resolve("module"));
        mkdir(folder.resolve("dev/" + PARENT));
        mkdir(folder.resolve("etc"));
    }

    LocalTarget host() {
        return host;
    }

    Path root() {
        return folder.resolve("nvmet");
    }

    Path port(String number) {
        return root().resolve("ports").resolve(number);
    }

    Path subsystem(String name) {
        return root().resolve("subsystems").resolve(BASE + ":" + name);
    }

    /** What a newer kernel tells of a host that is connected to a volume. */
    Path connection(String name, int number, String host) {
        Path connection = folder.resolve("debug/" + BASE + ":" + name + "/ctrl" + number);
        write(connection.resolve("hostnqn"), host); // without an end of the line, as the kernel has it
        write(connection.resolve("state"), "ready\n");
        return connection;
    }

    Path device(String name) {
        return folder.resolve("dev").resolve(PARENT).resolve(name);
    }

    Path config() {
        return folder.resolve("etc/config.json");
    }

    NvmetPlaces places() {
        return new NvmetPlaces(
                root().toString(),
                folder.resolve("module").toString(),
                folder.resolve("debug").toString(),
                new HostLock(folder.resolve("lock").toString(), Duration.ofSeconds(1)));
    }

    /** A whole connection file for this host. */
    Mapping file() {
        return ConfigTrees.of(Map.of(
                "driver",
                "zfs-generic-nvmeof",
                "nvmeof",
                Map.of(
                        "transports",
                        List.of("tcp://10.0.0.1:4420"),
                        "shareStrategy",
                        "nvmetCli",
                        "shareStrategyNvmetCli",
                        Map.of(
                                "configPath", config().toString(),
                                "basename", BASE,
                                "ports", List.of("1")))));
    }

    NvmetExporter exporter() {
        return exporter(file());
    }

    NvmetExporter exporter(Mapping file) {
        var problems = new Problems("c.yaml");
        ConfigNode node = ConfigNode.root(file, problems);
        NvmetExporter exporter = new NvmetExporter(
                new ConnectionName("nas"), shared(node), NvmeofSettings.read(node), places(), NoteLook.NONE);
        assertThat(problems.all()).isEmpty();
        return exporter;
    }

    private SharedClient<StorageHost> shared(ConfigNode file) {
        CommandRunnerFactory here = (_, _) -> host;
        var scope = new ConnectionScope(new ConnectionName("nas"), "zfs-generic-nvmeof", Optional.empty(), "test");
        return new StorageHosts(Map.of("ssh", here, "local", here)).open(scope, file);
    }

    Birth birth(String name) {
        return new Birth(
                new NativeId(name),
                TestVolumes.empty(name),
                TestVolumes.SIZE,
                new VolumeMedium.BlockDevice(device(name).toString()),
                Map.of());
    }

    StoredVolume volume(Birth birth, Map<String, String> notes) {
        write(device(birth.id().value()), "");
        return new StoredVolume(
                birth.id(),
                Optional.of(birth.request().name()),
                Optional.of(birth.capacity()),
                birth.medium(),
                birth.request().content(),
                notes);
    }

    StoredVolume volume(String name) {
        return volume(birth(name), Map.of("nvmeof-asset", name));
    }

    void remove(StoredVolume volume) {
        try {
            Files.delete(Path.of(volume.medium().path()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns an exporter of a file that was edited since, in a way that no host takes. */
    NvmetExporter spoiled() {
        String cli = "nvmeof.shareStrategyNvmetCli.";
        return exporter(ConfigTrees.with(
                ConfigTrees.with(file(), cli + "subsystem.attributes.colour", "red"), cli + "ports", List.of("9")));
    }

    /** The hosts that the kernel lets in by name. */
    List<String> allowed(StoredVolume volume) {
        return names(subsystem(volume.id().value()).resolve("allowed_hosts"));
    }

    /** The hosts that are let in by name, as the kernel has them and as it would after a restart; past the exporter. */
    Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
        Path subsystem = subsystem(volume.id().value());
        boolean shown = Files.exists(port("1").resolve("subsystems").resolve(subsystem.getFileName()));
        JsonObject saved = JsonParser.parseString(read(config())).getAsJsonObject();
        List<String> kept = saved.getAsJsonArray("subsystems").asList().stream()
                .map(JsonElement::getAsJsonObject)
                .filter(each -> each.get("nqn")
                        .getAsString()
                        .equals(subsystem.getFileName().toString()))
                .flatMap(each -> each.getAsJsonArray("allowed_hosts").asList().stream())
                .map(JsonElement::getAsString)
                .toList();
        List<String> allowed = names(subsystem.resolve("allowed_hosts"));
        assertThat(kept).containsExactlyInAnyOrderElementsOf(allowed);
        if (read(subsystem.resolve("attr_allow_any_host")).strip().equals("1")) {
            assertThat(allowed).isEmpty();
            assertThat(shown).isTrue();
            return Optional.empty();
        }
        assertThat(shown).isEqualTo(!allowed.isEmpty());
        assertThat(saved.getAsJsonArray("ports")
                        .toString()
                        .contains(subsystem.getFileName().toString()))
                .isEqualTo(shown);
        SortedMap<String, Boolean> hosts = new TreeMap<>();
        allowed.forEach(host -> hosts.put(host, false));
        return Optional.of(hosts);
    }

    /** What the host has of a volume: in the kernel, saved, and all the devices that there are. */
    String dump(String name) {
        String nqn = BASE + ":" + name;
        JsonObject all = JsonParser.parseString(read(config())).getAsJsonObject();
        List<String> saved = all.getAsJsonArray("subsystems").asList().stream()
                .map(JsonElement::toString)
                .filter(text -> text.contains(nqn))
                .toList();
        boolean shown = Files.exists(port("1").resolve("subsystems").resolve(nqn));
        return OtherTarget.dump(subsystem(name)) + saved + shown + OtherTarget.dump(folder.resolve("dev"));
    }

    void removeDevices() {
        OtherTarget.remove(folder.resolve("dev"));
    }

    private static List<String> names(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(path -> path.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the kernel shows and what it would show after a restart, whichever is more. */
    int exports() {
        int shown = children(root().resolve("subsystems"));
        int linked = children(port("1").resolve("subsystems"));
        int saved = Files.exists(config())
                ? (int) read(config())
                        .lines()
                        .filter(line -> line.contains("\"nsid\""))
                        .count()
                : 0;
        return Math.max(Math.max(shown, linked), saved);
    }

    static int children(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return (int) entries.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Moves one of the host's folders aside or back. */
    void move(String from, String to) {
        try {
            Files.move(folder.resolve(from), folder.resolve(to));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void mkdir(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void refused(Class<? extends Failure> kind, String words, Runnable call) {
        Failing.with(kind, call::run);
        assertThatThrownBy(call::run).hasMessageContaining(words);
    }

    void nothingIsMade(StoredVolume volume) {
        assertThat(subsystem(volume.id().value())).doesNotExist();
        assertThat(children(port("1").resolve("subsystems"))).isZero();
    }

    /** The kernel's part of an entry that somebody else has made. */
    void other() {
        write(root().resolve("subsystems/other/namespaces/1/device_path"), "/dev/sdz\n");
        write(root().resolve("subsystems/other/namespaces/1/enable"), "1\n");
    }
}
