package dev.fairlead.bootstrap.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.kernel.lio.TargetModule;
import dev.fairlead.adapter.kernel.nvmet.NvmetModule;
import dev.fairlead.adapter.zfs.host.ZfsConnections;
import dev.fairlead.adapter.zfs.store.ZfsStoreModule;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.export.ExporterTraits;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.StoreTraits;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.bootstrap.config.Defaults;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.topology.TopologyPrefix;
import dev.fairlead.domain.volume.CapabilityRules;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.Appliance;
import dev.fairlead.testkit.fake.ApplianceExporter;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.InMemoryVolumeStore;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pairs of a store and an exporter of unlike modules, which a row of the table joins and nothing else. */
class CompositionTest {
    private static final String ISCSI = """
            driver: memory-iscsi
            iscsi:
              shareStrategy: targetCli
              targetPortal: 10.0.0.1
              shareStrategyTargetCli: {basename: iqn.2003-01.org.example.nas}
            """;
    private static final String NVMEOF = """
            driver: memory-nvmeof
            nvmeof:
              shareStrategy: nvmetCli
              transport: "tcp://10.0.0.1:4420"
              shareStrategyNvmetCli: {basename: nqn.2003-01.org.example.nas, ports: [1]}
            """;
    private static final String FILES = """
            driver: acme-files
            acme-files: {shareBasePath: "BASE", controllerBasePath: "BASE"}
            """;
    private static final String ACME = """
            driver: acme-nfs
            zfs: {datasetParentName: tank/v, cli: {paths: {zfs: "FOLDER/zfs"}}}
            sshConnection: {username: root}
            """;

    private static final String NQN = "nqn.2014-08.org.nvmexpress:uuid:00000000-0000-4000-8000-000000000001";
    private static final String NODE = "n=node-1/vu=00000000-0000-4000-8000-000000000001";

    @TempDir
    Path folder = Path.of("/nonexistent");

    private final Problems problems = new Problems("nas.yaml");
    private final InMemoryStorage memory = InMemoryStorage.named("memory")
            .of(Set.of(VolumeMedium.Kind.BLOCK_DEVICE))
            .in("/dev/memory");
    private final Appliance appliance = new Appliance();
    private final TargetHost host = new TargetHost();

    private Backend backend(String file) {
        var graph = DaggerFactoryComponent.create();
        Map<String, StoreFactory> stores = new HashMap<>(graph.stores());
        stores.put(
                "memory",
                StoreFactory.of(
                        new StoreTraits(Set.of(VolumeMedium.Kind.BLOCK_DEVICE), Set.of(), Set.of()),
                        (_, _) -> new InMemoryVolumeStore(memory)));
        Map<String, ExporterFactory> exporters = new HashMap<>(graph.exporters());
        exporters.put(
                "acme",
                ExporterFactory.of(
                        ExporterTraits.sharedFiles(Attachment.Nfs.class, CapabilityRules.files(Set.of("nfs")), false),
                        (_, _, _) -> new ApplianceExporter(appliance)));
        CommandRunnerFactory runner = (_, _) -> host;
        var hosts = new StorageHosts(Map.of("ssh", runner, "local", runner));
        exporters.put("targetcli", TargetModule.iscsi(hosts));
        exporters.put("nvmetcli", NvmetModule.nvmet(hosts));
        CommandRunnerFactory shell = (_, _) -> new ShellHost(folder);
        stores.put(
                "zfs-filesystem",
                ZfsStoreModule.filesystems(new ZfsConnections(new StorageHosts(Map.of("ssh", shell, "local", shell)))));
        DriverTypes types = DriverTypes.of(stores, exporters, AttacherComponent.attachable())
                .with("acme-nfs", "zfs-filesystem", "acme", "for a test")
                .with("acme-files", "directory", "acme", "for a test")
                .with("memory-iscsi", "memory", "targetcli", "for a test")
                .with("memory-nvmeof", "memory", "nvmetcli", "for a test");
        var locality = new Locality(TopologyPrefix.DEFAULT, false, Optional.empty());
        Backend backend = new BackendAssembler(types, stores, exporters, locality, "test", true)
                .assemble(OneConnectionFixture.NAS, file.getBytes(StandardCharsets.UTF_8), Defaults.NONE, problems)
                .orElseThrow(() -> new AssertionError(problems.all()))
                .backend();
        assertThat(problems.errors()).isEmpty(); // that no node attaches such volumes is warned of
        return backend;
    }

    private static Exporter.Plan plan(Backend backend) {
        return backend.exporter().plan(backend.store().plan(TestVolumes.empty("pvc-1"), TestVolumes.id("pvc-1")));
    }

    @Test
    void a_block_store_is_joined_with_lio_and_with_nvmet() {
        assertThat(plan(backend(ISCSI)).attachment())
                .hasValueSatisfying(
                        it -> assertThat(it).asString().contains("iqn.2003-01.org.example.nas:pvc-1", "10.0.0.1"));
        assertThat(plan(backend(NVMEOF)).attachment())
                .hasValueSatisfying(it -> assertThat(it).asString().contains("nqn.2003-01.org.example.nas:pvc-1"));
    }

    @Test
    void a_store_of_zfs_filesystems_is_joined_with_another_modules_exporter() {
        Exporter.Plan plan = plan(backend(ACME.replace("FOLDER", folder.toString())));

        assertThat(plan.attachment()).isEmpty(); // where the filesystem will be mounted is known once it is
        assertThat(plan.bornWith()).containsKey("appliance-share");
    }

    private static Optional<StoredVolume> stored(Backend backend) {
        return backend.store().find(TestVolumes.id("pvc-1"), TestWork.patient());
    }

    private static void publish(OneConnectionFixture fixture, VolumeView view) {
        var _ = fixture.useCases()
                .publishVolume()
                .publish(new PublishVolume.Command(view.handle(), NODE, TestVolumes.MOUNT, false), TestWork.patient());
    }

    private static void unpublish(OneConnectionFixture fixture, VolumeView view) {
        fixture.useCases().unpublishVolume().unpublish(view.handle(), Optional.of(NODE), TestWork.patient());
    }

    @Test
    void a_volume_of_a_block_store_lives_by_lio() {
        Backend backend = backend(ISCSI);
        try (OneConnectionFixture fixture = new OneConnectionFixture(backend)) {
            VolumeView view = fixture.create("pvc-1");

            assertThat(view.context()).containsEntry("iqn", "iqn.2003-01.org.example.nas:pvc-1");
            assertThat(host.shown()).containsOnlyKeys("/dev/memory/pvc-1");
            assertThat(stored(backend).flatMap(it -> backend.exporter().attachment(it, TestWork.patient())))
                    .containsInstanceOf(Attachment.Iscsi.class);

            fixture.useCases().deleteVolume().delete(view.handle(), TestWork.patient());

            assertThat(stored(backend)).isEmpty();
            assertThat(host.shown()).isEmpty();
        }
    }

    @Test
    void a_volume_of_a_block_store_lives_by_nvmet_for_the_nodes_that_it_is_published_to() {
        Backend backend = backend(NVMEOF + "fairlead: {publish: nodes}\n");
        try (OneConnectionFixture fixture = new OneConnectionFixture(backend)) {
            VolumeView view = fixture.create("pvc-1");
            assertThat(view.context()).containsEntry("nqn", "nqn.2003-01.org.example.nas:pvc-1");
            assertThat(host.shown()).isEqualTo(Map.of("/dev/memory/pvc-1", List.of()));
            assertThat(stored(backend).flatMap(it -> backend.exporter().attachment(it, TestWork.patient())))
                    .containsInstanceOf(Attachment.Nvmeof.class);

            publish(fixture, view);
            assertThat(host.shown()).isEqualTo(Map.of("/dev/memory/pvc-1", List.of(NQN)));
            unpublish(fixture, view);
            assertThat(host.shown()).isEqualTo(Map.of("/dev/memory/pvc-1", List.of()));

            fixture.useCases().deleteVolume().delete(view.handle(), TestWork.patient());

            assertThat(stored(backend)).isEmpty();
            assertThat(host.shown()).isEmpty();
        }
    }

    @Test
    void a_filesystem_of_zfs_lives_by_another_module_s_exporter() {
        Backend backend = backend(ACME.replace("FOLDER", folder.toString()));
        var pool = new ShellHost(folder);
        try (OneConnectionFixture fixture = new OneConnectionFixture(backend)) {
            VolumeView view = fixture.create("pvc-1");
            assertThat(view.context()).containsEntry("server", "appliance").containsEntry("share", "/tank/v/pvc-1");
            assertThat(pool.has("tank/v/pvc-1")).isTrue();
            assertThat(appliance.shares()).containsOnlyKeys("/tank/v/pvc-1");
            assertThat(stored(backend).flatMap(it -> backend.exporter().attachment(it, TestWork.patient())))
                    .containsInstanceOf(Attachment.Nfs.class);

            publish(fixture, view);
            unpublish(fixture, view);
            assertThat(appliance.shares()).containsOnlyKeys("/tank/v/pvc-1");

            fixture.useCases().deleteVolume().delete(view.handle(), TestWork.patient());

            assertThat(stored(backend)).isEmpty();
            assertThat(appliance.shares()).isEmpty();
            assertThat(pool.has("tank/v/pvc-1")).isFalse();
        }
    }

    @Test
    void a_folder_lives_by_another_module_s_exporter() throws IOException {
        Path base = Files.createDirectory(folder.resolve("base"));
        Backend backend = backend(FILES.replace("BASE", base.toString()));
        try (OneConnectionFixture fixture = new OneConnectionFixture(backend)) {
            VolumeView view = fixture.create("pvc-1");

            String share = view.context().getOrDefault("share", "");
            assertThat(Path.of(share)).isDirectory().startsWith(base);
            assertThat(appliance.shares()).containsOnlyKeys(share);
            assertThat(stored(backend).flatMap(it -> backend.exporter().attachment(it, TestWork.patient())))
                    .containsInstanceOf(Attachment.Nfs.class);

            fixture.useCases().deleteVolume().delete(view.handle(), TestWork.patient());

            assertThat(stored(backend)).isEmpty();
            assertThat(appliance.shares()).isEmpty();
            assertThat(Path.of(share)).doesNotExist();
        }
    }
}
