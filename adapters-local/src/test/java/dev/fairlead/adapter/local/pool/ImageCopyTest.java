package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.form.FolderForm;
import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.adapter.local.pool.kind.FoundKind;
import dev.fairlead.adapter.local.pool.kind.ImageUse;
import dev.fairlead.adapter.local.pool.kind.PoolKind;
import dev.fairlead.adapter.local.pool.kind.Projects;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of images take a while where no blocks are shared; a pod may begin to write meanwhile. */
class ImageCopyTest {
    @TempDir(factory = InMemory.class)
    Path folder;

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectories(folder.resolve("v"));
    }

    /** Has a device from the second time on that somebody asks: a pod has begun during the copy. */
    private static ImageUse beginning() {
        AtomicInteger asked = new AtomicInteger();
        return new ImageUse() {
            @Override
            public Optional<Path> device(Path image) {
                return asked.getAndIncrement() == 0 ? Optional.empty() : Optional.of(Path.of("/dev/loop7"));
            }

            @Override
            public boolean sharesBlocks(Path scratch) {
                return false;
            }
        };
    }

    private VolumeStore open(ImageUse use) {
        return new PoolFixture("prepared", use, new SystemDisk(List.of()))
                .open(PoolFixture.pool("legacy", folder, "image"));
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request) {
        return store.create(store.plan(request, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }

    private static void inUse(ThrowingRunnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.InUse.class));
    }

    @FunctionalInterface
    private interface ThrowingRunnable {
        void run() throws Exception;
    }

    @Test
    void a_snapshot_is_not_kept_if_a_pod_began_while_it_was_copied() {
        try (VolumeStore store = open(beginning())) {
            StoredVolume volume = make(store, TestVolumes.empty("pvc-a"));
            PoolContent.write(volume, "data", "precious");

            inUse(() -> store.snapshots()
                    .orElseThrow()
                    .take(TestVolumes.snapshot("snap-1", volume), 100, TestWork.patient()));

            assertThat(folder.resolve("s")).isEmptyDirectory();
            assertThat(folder.resolve(".fairlead/partial")).isEmptyDirectory();
        }
    }

    @Test
    void a_clone_is_not_kept_if_a_pod_began_while_it_was_copied() {
        try (VolumeStore store = open(beginning())) {
            StoredVolume volume = make(store, TestVolumes.empty("pvc-a"));
            PoolContent.write(volume, "data", "precious");

            inUse(() -> make(store, TestVolumes.fromVolume("pvc-b", volume.id())));

            assertThat(store.find(new NativeId("pvc-b"), TestWork.patient())).isEmpty();
            assertThat(folder.resolve(".fairlead/partial")).isEmptyDirectory();
        }
    }

    @Test
    void an_image_that_was_written_meanwhile_was_not_copied_at_one_instant() throws Exception {
        try (VolumeStore store = open(new PoolFixture.NoDevices())) {
            StoredVolume volume = make(store, TestVolumes.empty("pvc-a"));
            PoolContent.write(volume, "data", "precious");
            Path place = folder.resolve("v/pvc-a");
            FolderForm form = new FoundKind(
                            Optional.of(PoolKind.IMAGE),
                            new BaseFolderLayout(folder),
                            new DirectoryFailures(new ConnectionName("test")),
                            Projects.OF_KERNEL,
                            PlayedDatasets.NONE)
                    .form(new PoolFixture.NoDevices());
            String before = form.version(place);

            assertThatCode(() -> form.checkCopied(place, before)).doesNotThrowAnyException();
            Thread.sleep(20); // the kernel's clock for files ticks that often
            PoolContent.write(volume, "data", "changed!");
            inUse(() -> form.checkCopied(place, before));
        }
    }

    @Test
    void a_folder_without_an_image_is_not_copied() {
        try (VolumeStore store = open(new PoolFixture.NoDevices())) {
            StoredVolume volume = make(store, TestVolumes.empty("pvc-a"));
            assertThat(Path.of(volume.medium().path()).toFile().delete()).isTrue();

            assertThatThrownBy(() -> store.snapshots()
                            .orElseThrow()
                            .take(TestVolumes.snapshot("snap-1", volume), 100, TestWork.patient()))
                    .isInstanceOfSatisfying(
                            StorageException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.NotOurs.class));
        }
    }
}
