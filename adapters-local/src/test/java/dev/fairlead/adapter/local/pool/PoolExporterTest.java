package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.directory.tree.TreeDelete;
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
import dev.fairlead.testkit.contract.export.ExporterReplacementContract;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolExporterTest implements ExporterReplacementContract {
    @TempDir(factory = InMemory.class)
    Path pool = Path.of("/nowhere");

    private String another = "";

    @Override
    public Exporter exporter() {
        return new PoolExporter(new ConnectionName("test"), List.of(pool), VolumeMedium.Kind.BLOCK_DEVICE);
    }

    private VolumeStore store() {
        return new PoolFixture("create").open(PoolFixture.pool("legacy", pool, "image"));
    }

    @Override
    public Birth birth(String name) {
        return store().plan(TestVolumes.empty(name), new NativeId(name));
    }

    @Override
    public StoredVolume volume(Birth birth, Map<String, String> notes) {
        return store().create(birth.noting(notes), TestWork.patient()).volume();
    }

    @Override
    public void remove(StoredVolume volume) {
        store().delete(volume.id(), VolumeStore.OnDependents.REFUSE, TestWork.patient());
    }

    @Override
    public void takeAway() {
        rename("v", "away");
    }

    @Override
    public void bringBack() {
        rename("away", "v");
    }

    /** An image is known by its path alone. */
    @Override
    public boolean knowsTheStorage() {
        return false;
    }

    @Override
    public void putAnother(Optional<StoredVolume> alike) {
        Stream.concat(alike.map(volume -> volume.id().value()).stream(), Stream.of("pvc-other"))
                .forEach(this::makeAnothers);
        another = PoolDump.of(pool.resolve("v"));
    }

    private void makeAnothers(String name) {
        try {
            Path folder = Files.createDirectories(pool.resolve("v").resolve(name));
            Files.writeString(folder.resolve("disk.img"), "another's");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void takeAnotherUntouched() {
        assertThat(PoolDump.of(pool.resolve("v"))).isEqualTo(another);
        try {
            TreeDelete.delete(pool.resolve("v"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void rename(String from, String to) {
        try {
            Files.move(pool.resolve(from), pool.resolve(to));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public int exports() {
        return 0;
    }

    @Test
    void the_path_is_that_of_the_image() {
        assertThat(exporter().plan(birth("pvc-a")).attachment())
                .contains(new Attachment.LocalPool(
                        pool.resolve("v/pvc-a/disk.img").toString()));
    }

    @Test
    void a_folder_is_bound_as_any_folder_of_the_node() {
        try (VolumeStore folders = new PoolFixture("create").open(PoolFixture.pool("legacy", pool, "directory"))) {
            Birth birth = folders.plan(TestVolumes.empty("pvc-a"), new NativeId("pvc-a"));

            assertThat(exporter().plan(birth).attachment())
                    .contains(new Attachment.HostPath(pool.resolve("v/pvc-a").toString()));
        }
    }

    @Test
    void a_volume_that_is_gone_is_not_exported() {
        StoredVolume volume = volume(birth("pvc-a"), Map.of());
        remove(volume);

        Failing.with(Failure.VolumeNotFound.class, () -> exporter().export(volume, TestWork.patient()));
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
