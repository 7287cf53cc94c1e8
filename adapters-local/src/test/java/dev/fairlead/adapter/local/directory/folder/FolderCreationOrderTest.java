package dev.fairlead.adapter.local.directory.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.DirectoryFixture;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Creation;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order of effects is what a power loss leaves things whole by. */
class FolderCreationOrderTest {
    private static final NativeId A = new NativeId("pvc-a");

    @TempDir
    Path base = Path.of("/nowhere");

    @BeforeEach
    void folders() {
        create(TestVolumes.empty("pvc-first"), TestWork.patient());
    }

    private VolumeStore store() {
        return new DirectoryFixture(base)
                .open(Map.of("dirPermissionsMode", "0700", "dirPermissionsUser", "0", "dirPermissionsGroup", "0"));
    }

    private Creation create(CreateRequest request, TestWork work) {
        VolumeStore store = store();
        return store.create(store.plan(request, new NativeId(request.name().value())), work);
    }

    private List<String> kinds(TestWork work) {
        return work.effects().stream().map(effect -> effect.kind()).toList();
    }

    @Test
    void an_empty_volume_is_made_aside_and_named_last() {
        TestWork work = TestWork.patient();

        create(TestVolumes.empty("pvc-a"), work);

        assertThat(kinds(work)).containsExactly("mkdir", "chown", "chmod", "write", "rename", "rename", "sync");
        assertThat(work.effects().get(4).target()).endsWith("/.fairlead/volumes/pvc-a.json");
        assertThat(work.effects().get(5).target()).endsWith("/v/pvc-a");
    }

    @Test
    void a_copy_is_synced_before_it_gets_its_name() {
        create(TestVolumes.empty("pvc-a"), TestWork.patient());
        TestWork work = TestWork.patient();

        create(TestVolumes.fromVolume("pvc-b", A), work);

        assertThat(kinds(work))
                .containsExactly("mkdir", "copy", "chown", "chmod", "syncfs", "write", "rename", "rename", "sync");
    }

    @Test
    void what_is_deleted_is_out_of_sight_before_its_record_goes() {
        create(TestVolumes.empty("pvc-a"), TestWork.patient());
        TestWork work = TestWork.patient();

        store().delete(A, OnDependents.REFUSE, work);

        assertThat(kinds(work)).containsExactly("trash", "unlink", "sync");
    }

    @Test
    void a_repeated_call_syncs_what_the_first_may_not_have_come_to() {
        create(TestVolumes.empty("pvc-a"), TestWork.patient());
        TestWork again = TestWork.patient();
        TestWork gone = TestWork.patient();

        Creation second = create(TestVolumes.empty("pvc-a"), again);
        store().delete(new NativeId("pvc-gone"), OnDependents.REFUSE, gone);

        assertThat(second.fresh()).isFalse();
        assertThat(kinds(again)).containsExactly("sync");
        assertThat(kinds(gone)).containsExactly("sync");
    }

    @Test
    void a_copy_that_outlives_its_caller_is_finished() {
        create(TestVolumes.empty("pvc-a"), TestWork.patient());
        AtomicInteger looks = new AtomicInteger();
        TestWork work = TestWork.patient().cancelledWhen(() -> looks.incrementAndGet() > 2);

        create(TestVolumes.fromVolume("pvc-b", A), work);

        assertThat(store().find(new NativeId("pvc-b"), TestWork.patient())).isPresent();
    }

    /** By another handle of the same snapshot, for example, or by another process. */
    @Test
    void a_copy_whose_source_is_deleted_meanwhile_is_not_taken_for_whole() throws IOException {
        create(TestVolumes.empty("pvc-a"), TestWork.patient());
        Path source = base.resolve("v/pvc-a");
        Files.writeString(source.resolve("data"), "precious");
        AtomicBoolean moved = new AtomicBoolean();
        TestWork work = TestWork.patient().endingWhen(() -> {
            if (isBegun() && moved.compareAndSet(false, true)) {
                move(source, base.resolve("away"));
            }
            return false;
        });

        assertThatThrownBy(() -> create(TestVolumes.fromVolume("pvc-b", A), work))
                .hasMessageContaining("was deleted or replaced while it was copied");

        assertThat(moved).isTrue();
        assertThat(base.resolve("v/pvc-b")).doesNotExist();
    }

    /** By democratic-csi beside it, for example, which is not ready with its own copy yet. */
    @Test
    void a_folder_that_another_process_makes_meanwhile_is_not_recorded_as_the_copy() throws IOException {
        create(TestVolumes.empty("pvc-a"), TestWork.patient());
        Files.writeString(base.resolve("v/pvc-a/data"), "precious");
        Path place = base.resolve("v/pvc-b");
        TestWork work = TestWork.patient().endingWhen(() -> {
            if (isBegun() && !Files.exists(place)) {
                makeWithPart(place);
            }
            return false;
        });

        assertThatThrownBy(() -> create(TestVolumes.fromVolume("pvc-b", A), work))
                .hasMessageContaining("pvc-b");

        assertThat(place.resolve("part")).exists();
        assertThat(base.resolve(".fairlead/volumes/pvc-b.json")).doesNotExist();
        assertThatThrownBy(() -> create(TestVolumes.fromVolume("pvc-b", A), TestWork.patient()))
                .hasMessageContaining("does not hold what its source holds");
    }

    private static void makeWithPart(Path folder) {
        try {
            Files.writeString(Files.createDirectory(folder).resolve("part"), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isBegun() {
        try (Stream<Path> making = Files.list(base.resolve(".fairlead/partial"))) {
            return making.anyMatch(each -> Files.exists(each.resolve("data")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
