package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.Mounts;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.linux.BtrfsCalls;
import dev.fairlead.linux.BtrfsQuotas;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What pods, operators and odd sizes do to a pool on btrfs. */
class BtrfsAttackTest {
    private static final long MIB = 1 << 20;

    @RegisterExtension
    private static final BtrfsDisk DISK = new BtrfsDisk("600M");

    private Path pool = Path.of("/nowhere");

    @BeforeEach
    void prepare() throws IOException {
        pool = DISK.place();
        Files.createDirectory(pool.resolve("v"));
    }

    private VolumeStore open() {
        return new PoolFixture("prepared").open(PoolFixture.pool("legacy", pool, "btrfs"));
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request) {
        return store.create(store.plan(request, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }

    private static StoredVolume make(VolumeStore store, String name, long bytes) {
        return make(store, TestVolumes.sized(name, Capacity.ofBytes(bytes)));
    }

    private static Path folder(StoredVolume volume) {
        return Path.of(volume.medium().path());
    }

    private static long limit(StoredVolume volume) throws IOException {
        return BtrfsQuotas.in(folder(volume))
                .map(BtrfsQuotas.QuotaUse::limit)
                .orElseThrow()
                .orElse(0);
    }

    private static void fill(Path folder) {
        assertThatThrownBy(() -> {
                    try (OutputStream out = Files.newOutputStream(folder.resolve("data"))) {
                        for (int i = 0; i < 4000; i++) {
                            out.write(new byte[1 << 16]);
                        }
                    }
                })
                .hasMessageContaining("quota");
    }

    @Test
    void a_volume_of_one_byte_is_made_and_deleted() {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, "pvc-a", 1);
            assertThat(one.capacity().orElseThrow().bytes()).isGreaterThanOrEqualTo(1);
            store.delete(one.id(), OnDependents.REFUSE, TestWork.patient());
            assertThat(folder(one)).doesNotExist();
        }
    }

    @Test
    void a_full_volume_is_copied_grown_and_deleted() {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            fill(folder(one));
            StoredVolume clone = make(store, TestVolumes.fromVolume("pvc-b", one.id()));
            StoredSnapshot snapshot =
                    store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap-1", one), 100, TestWork.patient());
            StoredVolume restored = make(store, TestVolumes.fromSnapshot("pvc-c", snapshot.id()));
            store.expand(one.id(), TestVolumes.atLeast(Capacity.ofBytes(20 * MIB)), TestWork.patient());
            for (StoredVolume volume : new StoredVolume[] {one, clone, restored}) {
                store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient());
            }
            assertThat(pool.resolve("v")).isEmptyDirectory();
            assertThat(pool.resolve(".fairlead/trash")).isEmptyDirectory();
        }
    }

    @Test
    void a_volume_that_its_pod_made_read_only_grows_and_its_clone_can_be_written() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            BtrfsCalls.setReadOnly(folder(one), true);
            store.expand(one.id(), TestVolumes.atLeast(Capacity.ofBytes(20 * MIB)), TestWork.patient());
            assertThat(limit(one)).isEqualTo(20 * MIB);
            StoredVolume clone = make(store, TestVolumes.fromVolume("pvc-b", one.id()));
            Files.writeString(folder(clone).resolve("file"), "written");
        }
    }

    @Test
    void deleting_reaches_nothing_outside_by_links_and_everything_inside_however_nested_and_protected()
            throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume victim = make(store, TestVolumes.empty("pvc-v"));
            Files.writeString(folder(victim).resolve("precious"), "kept");
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            Path at = folder(one);
            Files.createSymbolicLink(at.resolve("up"), Path.of(".."));
            Files.createSymbolicLink(at.resolve("neighbour"), Path.of("../pvc-v"));
            assertThatThrownBy(() ->
                            Files.createLink(at.resolve("hard"), folder(victim).resolve("precious")))
                    .isInstanceOf(IOException.class);
            Path inside = at;
            for (int i = 0; i < 4; i++) {
                BtrfsCalls.makeSubvolume(inside, "deeper");
                inside = inside.resolve("deeper");
                Files.createSymbolicLink(inside.resolve("neighbour"), folder(victim));
                Files.writeString(inside.resolve("file"), "x");
            }
            BtrfsCalls.snapshot(at, at, "copy");
            BtrfsCalls.setReadOnly(inside, true);
            BtrfsCalls.setReadOnly(at.resolve("copy"), true);
            BtrfsCalls.setReadOnly(at, true);

            store.delete(one.id(), OnDependents.REFUSE, TestWork.patient());
            assertThat(pool.resolve(".fairlead/trash")).isEmptyDirectory();
            assertThat(folder(victim).resolve("precious")).hasContent("kept");
        }
    }

    /** Counting a large disk anew takes hours, in which what is written counts from zero. */
    @Test
    void a_limit_is_set_again_before_everything_was_counted_anew() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            assertThat(Mounts.run("btrfs", "quota", "disable", pool.toString())).isTrue();
            BtrfsCalls.enableQuotas(pool);
            store.room(Map.of(), TestWork.patient());
            assertThat(limit(one)).isEqualTo(16 * MIB);
        }
    }

    @Test
    void a_limit_below_what_the_record_says_is_raised_again() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            BtrfsCalls.limit(folder(one), 8 * MIB);
            BtrfsCalls.sync(pool);
            store.room(Map.of(), TestWork.patient());
            assertThat(limit(one)).isEqualTo(16 * MIB);
        }
    }
}
