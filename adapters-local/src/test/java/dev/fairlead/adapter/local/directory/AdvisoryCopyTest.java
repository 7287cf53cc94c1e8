package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of volumes that may hold more than their sizes end as well. */
class AdvisoryCopyTest {
    private static final int MIB = 1 << 20;

    @TempDir(factory = InMemory.class)
    Path base;

    private DirectoryFixture process = new DirectoryFixture(Path.of("/nowhere"));

    @BeforeEach
    void process() {
        process = new DirectoryFixture(base);
    }

    private static StoredVolume make(VolumeStore store) {
        return store.create(
                        store.plan(TestVolumes.sized("pvc-a", Capacity.ofBytes(MIB)), new NativeId("pvc-a")),
                        TestWork.patient())
                .volume();
    }

    private static void take(VolumeStore store, StoredVolume volume, TestWork work) {
        store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap-1", volume), 100, work);
    }

    @Test
    void a_volume_that_holds_more_than_its_size_is_copied() throws IOException {
        try (VolumeStore store = process.open()) {
            StoredVolume volume = make(store);
            Files.write(base.resolve("v/pvc-a/data"), new byte[10 * MIB]);

            take(store, volume, TestWork.patient());

            assertThat(base.resolve("s/pvc-a-snap-1/data")).hasSize(10 * MIB);
        }
    }

    @Test
    void a_copy_that_takes_more_than_twice_what_its_source_had_ends() throws IOException {
        try (VolumeStore store = process.open()) {
            StoredVolume volume = make(store);
            Files.write(base.resolve("v/pvc-a/data"), new byte[4 * MIB]);
            FilledAhead pod = new FilledAhead(base.resolve("v/pvc-a"));
            TestWork work = TestWork.patient().endingWhen(() -> pod.goOn(base.resolve(".fairlead/partial")));

            assertThatThrownBy(() -> take(store, volume, work)).hasMessageContaining("the copy took more than");

            assertThat(pod.written()).isBetween(7, 14);
            assertThat(base.resolve("s")).isEmptyDirectory();
            assertThat(base.resolve(".fairlead/partial")).isEmptyDirectory();
            assertThatThrownBy(() -> take(store, volume, TestWork.patient()))
                    .hasMessageContaining("the next copy begins after");

            store.expand(volume.id(), TestVolumes.atLeast(Capacity.ofBytes(2 * MIB)), TestWork.patient());
            take(store, volume, TestWork.patient());
            assertThat(base.resolve("s/pvc-a-snap-1/sparse")).exists();
        }
    }

    /** Names take no room in a file system in memory. */
    @Test
    void a_volume_whose_names_take_more_than_its_size_is_copied(@TempDir Path disk) throws IOException {
        try (VolumeStore store = new DirectoryFixture(disk).open()) {
            StoredVolume volume = make(store);
            Path folder = Files.createDirectories(disk.resolve("v/pvc-a/names"));
            Path file = Files.createFile(folder.resolve("file"));
            for (int i = 0; i < 20_000; i++) {
                Files.createLink(folder.resolve(i + "-" + "x".repeat(200)), file);
            }

            take(store, volume, TestWork.patient());

            assertThat(disk.resolve("s/pvc-a-snap-1/names").toFile().list()).hasSize(20_001);
        }
    }

    /** A sparse file of any length costs its pod nothing. */
    @Test
    void the_lengths_of_files_are_no_size_of_a_volume_that_has_none() throws IOException {
        Path folder = Files.createDirectories(base.resolve("v/pvc-a"));
        Files.createDirectories(base.resolve("s"));
        Files.write(folder.resolve("data"), new byte[4 * MIB]);
        for (String name : List.of("first", "second")) {
            try (RandomAccessFile huge =
                    new RandomAccessFile(folder.resolve(name).toFile(), "rw")) {
                huge.setLength(Long.MAX_VALUE / 2 + 1);
            }
        }
        FilledAhead pod = new FilledAhead(folder);
        try (VolumeStore store = process.open()) {
            StoredVolume volume =
                    store.find(new NativeId("pvc-a"), TestWork.patient()).orElseThrow();
            Path copies = base.resolve(".fairlead/partial");
            TestWork work = TestWork.patient().endingWhen(() -> Files.exists(copies) && pod.goOn(copies));

            assertThatThrownBy(() -> take(store, volume, work)).hasMessageContaining("the copy took more than");

            assertThat(pod.written()).isBetween(7, 14);
            assertThatThrownBy(() -> take(store, volume, TestWork.patient()))
                    .hasMessageContaining("the next copy begins after");
        }
    }
}
