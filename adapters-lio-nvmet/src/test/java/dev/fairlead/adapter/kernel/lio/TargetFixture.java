package dev.fairlead.adapter.kernel.lio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.StorageHost;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.out.store.NoteLook;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A host with LIO in a folder, volumes on it, and the exporter over it. */
final class TargetFixture {
    static final String BASE = "iqn.2003-01.org.example.nas";
    static final String IQN = BASE + ":pvc-1";
    static final String TPG = "lio/iscsi/" + IQN + "/tpgt_1/";
    static final Map<String, Object> OPEN = Map.of();
    static final Map<String, Object> CHAP = Map.of(
            "attributes",
            Map.of("authentication", 1, "generate_node_acls", true),
            "auth",
            Map.of(
                    "userid",
                    "alice",
                    "password",
                    "wonderland-1",
                    "mutual_userid",
                    "bob",
                    "mutual_password",
                    "builder-22"));
    private static final String PARENT = "tank/v";

    private final FakeLio lio;

    TargetFixture(FakeLio lio) {
        this.lio = lio;
    }

    static Map<String, Object> settings(Map<String, ?> tpg) {
        return Map.of(
                "iscsi",
                Map.of(
                        "shareStrategy",
                        "targetCli",
                        "targetPortal",
                        "10.0.0.1:3260",
                        "targetPortals",
                        List.of("10.0.0.2:3260"),
                        "shareStrategyTargetCli",
                        Map.of("basename", BASE, "tpg", tpg, "block", Map.of("attributes", Map.of("emulate_tpu", 1)))));
    }

    TargetcliExporter exporter(Map<String, ?> tpg) {
        return exporter(ConfigTrees.of(settings(tpg)));
    }

    TargetcliExporter exporter(Map<String, ?> tpg, NoteLook notes) {
        return exporter(ConfigTrees.of(settings(tpg)), notes);
    }

    /** By a file that asks for attributes which the kernel does not have. */
    TargetcliExporter spoiled() {
        String cli = "iscsi.shareStrategyTargetCli.";
        return exporter(ConfigTrees.with(
                ConfigTrees.with(ConfigTrees.of(settings(CHAP)), cli + "block.attributes.emulate_colour", 1),
                cli + "tpg.attributes.login_colour",
                1));
    }

    TargetcliExporter exporter(Mapping tree) {
        return exporter(tree, (id, _) -> List.of("record", PARENT + "/" + id));
    }

    private TargetcliExporter exporter(Mapping tree, NoteLook notes) {
        var problems = new Problems("c.yaml");
        ConfigNode file = ConfigNode.root(tree, problems);
        TargetSettings settings = TargetSettings.read(file);
        assertThat(problems.errors()).isEmpty();
        return new TargetcliExporter(new ConnectionName("nas"), shared(lio), settings, lio.host(), notes);
    }

    private static SharedClient<StorageHost> shared(CommandRunner runner) {
        CommandRunnerFactory here = (_, _) -> runner;
        var scope = new ConnectionScope(new ConnectionName("nas"), "zfs-generic-iscsi", Optional.empty(), "test");
        return new StorageHosts(Map.of("ssh", here, "local", here))
                .open(scope, ConfigNode.root(Mapping.EMPTY, new Problems("c.yaml")));
    }

    static void export(Exporter exporter, StoredVolume volume) {
        exporter.export(volume, TestWork.patient());
    }

    static void unexport(Exporter exporter, StoredVolume volume) {
        exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
    }

    Birth birth(String name) {
        return new Birth(
                new NativeId(name),
                TestVolumes.empty(name),
                TestVolumes.SIZE,
                new VolumeMedium.BlockDevice(device(name)),
                Map.of());
    }

    StoredVolume volume(Birth birth, Map<String, String> notes) {
        lio.write("dev/" + PARENT + "/" + birth.id(), "");
        return new StoredVolume(
                birth.id(),
                Optional.of(birth.request().name()),
                Optional.of(birth.capacity()),
                birth.medium(),
                birth.request().content(),
                notes);
    }

    StoredVolume volume(String name) {
        return volume(birth(name), Map.of("iscsi-asset", name));
    }

    String device(String name) {
        return lio.root().resolve("dev/" + PARENT + "/" + name).toString();
    }

    void remove(StoredVolume volume) {
        lio.remove("dev/" + PARENT + "/" + volume.id());
    }

    /** The initiators with a LUN of their own, and whether it is protected from them; past the exporter. */
    Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
        String tpg = "lio/iscsi/" + BASE + ":" + volume.id() + "/tpgt_1/";
        if (!lio.read(tpg + "attrib/generate_node_acls").equals("0\n")) {
            return Optional.empty();
        }
        SortedMap<String, Boolean> initiators = new TreeMap<>();
        for (String name : lio.names(tpg + "acls")) {
            String lun = tpg + "acls/" + name + "/lun_0";
            assertThat(lio.names(lun)).as("LUN of " + name).hasSize(2);
            initiators.put(name, lio.read(lun + "/write_protect").equals("1\n"));
        }
        return Optional.of(initiators);
    }

    /** Targets, backstores and saved ones alike: none of them may stay. */
    int exports() {
        long saved = lio.saved()
                .lines()
                .filter(line -> line.contains("\"name\"") || line.contains("iqn."))
                .count();
        return lio.targets().size() + lio.backstores().size() + (int) saved;
    }
}
