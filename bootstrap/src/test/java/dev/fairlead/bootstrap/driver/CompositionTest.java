package dev.fairlead.bootstrap.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.export.ExporterTraits;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.StoreTraits;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.bootstrap.config.Defaults;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.topology.TopologyPrefix;
import dev.fairlead.domain.volume.CapabilityRules;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.fake.Appliance;
import dev.fairlead.testkit.fake.ApplianceExporter;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.InMemoryVolumeStore;
import dev.fairlead.testkit.fake.TestVolumes;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

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
    private static final String ACME = """
            driver: acme-nfs
            zfs: {datasetParentName: tank/v}
            """;

    private final Problems problems = new Problems("c.yaml");

    private Backend backend(String file) {
        var graph = DaggerFactoryComponent.create();
        Map<String, StoreFactory> stores = new HashMap<>(graph.stores());
        stores.put(
                "memory",
                StoreFactory.of(
                        new StoreTraits(Set.of(VolumeMedium.Kind.BLOCK_DEVICE), Set.of(), Set.of()),
                        (_, _) -> new InMemoryVolumeStore(
                                InMemoryStorage.named("memory").of(Set.of(VolumeMedium.Kind.BLOCK_DEVICE)))));
        Map<String, ExporterFactory> exporters = new HashMap<>(graph.exporters());
        exporters.put(
                "acme",
                ExporterFactory.of(
                        ExporterTraits.sharedFiles(Attachment.Nfs.class, CapabilityRules.files(Set.of("nfs")), false),
                        (_, _, _) -> new ApplianceExporter(new Appliance())));
        DriverTypes types = DriverTypes.of(stores, exporters, AttacherComponent.attachable())
                .with("acme-nfs", "zfs-filesystem", "acme", "for a test")
                .with("memory-iscsi", "memory", "targetcli", "for a test")
                .with("memory-nvmeof", "memory", "nvmetcli", "for a test");
        var locality = new Locality(TopologyPrefix.DEFAULT, false, Optional.empty());
        Backend backend = new BackendAssembler(types, stores, exporters, locality, "test", true)
                .assemble(new ConnectionName("c"), file.getBytes(StandardCharsets.UTF_8), Defaults.NONE, problems)
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
        Exporter.Plan plan = plan(backend(ACME));

        assertThat(plan.attachment()).isEmpty(); // where the filesystem will be mounted is known once it is
        assertThat(plan.bornWith()).containsKey("appliance-share");
    }
}
