package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.zfs.fake.FakePool;
import dev.fairlead.adapter.zfs.host.ZfsConnections;
import dev.fairlead.adapter.zfs.store.ZfsStoreModule;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.contract.export.ExporterStoreSubject;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.Appliance;
import dev.fairlead.testkit.fake.ApplianceExporter;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Filesystems of a pool, made over SSH, and an appliance's own interface for their shares: each knows its half alone.
 */
class ApplianceOverZfsTest implements ExporterStoreSubject {
    private final FakePool pool = new FakePool("tank", "tank/v");
    private final Appliance appliance = new Appliance();
    private final VolumeStore store = opened();

    private VolumeStore opened() {
        CommandRunnerFactory here = (_, _) -> pool;
        return ZfsStoreModule.filesystems(new ZfsConnections(new StorageHosts(Map.of("ssh", here, "local", here))))
                .open(
                        new ConnectionScope(new ConnectionName("nas"), "acme-nfs", Optional.empty(), "test"),
                        ConfigNode.root(
                                ConfigTrees.of(Map.of("zfs", Map.of("datasetParentName", "tank/v"))),
                                new Problems("nas.yaml")));
    }

    private OneConnectionFixture process() {
        return new OneConnectionFixture("acme-nfs", opened(), exporter());
    }

    @Override
    public Exporter exporter() {
        return new ApplianceExporter(appliance);
    }

    @Override
    public VolumeStore store() {
        return store;
    }

    @Override
    public int exports() {
        return appliance.shares().size();
    }

    @Test
    void a_volume_is_made_by_the_one_and_shared_by_the_other() {
        try (OneConnectionFixture fixture = process()) {
            VolumeView view = fixture.create("pvc-1");

            assertThat(view.context()).containsEntry("server", "appliance").containsEntry("share", "/tank/v/pvc-1");
            assertThat(appliance.shares()).containsOnlyKeys("/tank/v/pvc-1");
            assertThat(pool.own("tank/v/pvc-1")).doesNotContainKey("appliance-share");
            assertThat(store.find(TestVolumes.id("pvc-1"), TestWork.patient())
                            .orElseThrow()
                            .notes())
                    .containsEntry(ApplianceExporter.NOTE, "1");

            fixture.useCases().deleteVolume().delete(view.handle(), TestWork.patient());
        }
        assertThat(pool.names()).doesNotContain("tank/v/pvc-1");
    }

    /** Neither the notes nor the dataset are there any more, and the process has never seen them. */
    @Test
    void the_share_of_a_dataset_that_is_gone_goes_by_its_place() {
        String handle;
        try (OneConnectionFixture fixture = process()) {
            handle = fixture.create("pvc-1").handle();
        }
        pool.remove("tank/v/pvc-1");

        try (OneConnectionFixture restarted = process()) {
            restarted.useCases().deleteVolume().delete(handle, TestWork.patient());
        }

        assertThat(appliance.shares()).isEmpty();
    }
}
