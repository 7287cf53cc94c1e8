package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.PathExporterContract;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PoolExporterTest extends PathExporterContract {
    @Override
    public Exporter exporter() {
        return new PoolExporter(
                new ConnectionName("test"),
                List.of(base()),
                VolumeMedium.Kind.BLOCK_DEVICE,
                new PlayedDatasets(base()));
    }

    @Override
    public VolumeStore store() {
        return new PoolFixture("create").open(PoolFixture.pool("legacy", base(), "image"));
    }

    @Override
    public String file() {
        return "disk.img";
    }

    @Test
    void the_path_is_that_of_the_image() {
        assertThat(exporter().plan(birth("pvc-a")).attachment())
                .contains(new Attachment.LocalPool(
                        base().resolve("v/pvc-a/disk.img").toString()));
    }

    @Test
    void a_folder_is_bound_as_any_folder_of_the_node() {
        try (VolumeStore folders = new PoolFixture("create").open(PoolFixture.pool("legacy", base(), "directory"))) {
            Birth birth = folders.plan(TestVolumes.empty("pvc-a"), new NativeId("pvc-a"));

            assertThat(exporter().plan(birth).attachment())
                    .contains(new Attachment.HostPath(base().resolve("v/pvc-a").toString()));
        }
    }

    @Test
    void a_place_outside_of_every_pool_is_not_exported() {
        StoredVolume outside = new StoredVolume(
                new NativeId("pvc-a"),
                Optional.empty(),
                Optional.empty(),
                new VolumeMedium.BlockDevice("/etc/disk.img"),
                TestVolumes.empty("pvc-a").content(),
                Map.of());

        Failing.with(Failure.BackendRejected.class, () -> exporter().export(outside, TestWork.patient()));
        assertThat(exporter().attachment(outside, TestWork.patient())).isEmpty();
    }
}
