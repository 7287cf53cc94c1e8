package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.config.Problem;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pool whose folder is in a volume of another pool, which was laid out around it later. */
class PoolInVolumeTest {
    private static final NativeId ID = new NativeId("pvc-1");

    @TempDir
    Path folder;

    private Path pool = Path.of("/nowhere");
    private final PoolFixture process = new PoolFixture("create");

    @BeforeEach
    void find() throws IOException {
        pool = Files.createDirectories(folder.resolve("v/pvc-outer")).resolve("pool");
    }

    private void surround() throws IOException {
        Files.createFile(Files.createDirectory(folder.resolve(".fairlead")).resolve("owner"));
    }

    private static void make(VolumeStore store, NativeId id) {
        CreateRequest request = TestVolumes.sized(id.value(), Capacity.ofBytes(1 << 20));
        store.create(store.plan(request, id), TestWork.patient());
    }

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.PoolInVolume.class));
    }

    @Test
    void what_it_has_is_served_and_nothing_more_is_made() throws IOException {
        try (VolumeStore store = process.open(PoolFixture.pool("legacy", pool, "directory"))) {
            make(store, ID);
            surround();

            refused(() -> make(store, new NativeId("pvc-2")));
            refused(() -> store.expand(ID, TestVolumes.atLeast(Capacity.ofBytes(2 << 20)), TestWork.patient()));
            refused(() -> store.room(Map.of(), TestWork.patient()));
            assertThat(store.find(ID, TestWork.patient())).isPresent();
            assertThat(store.list(PageRequest.all(), TestWork.patient()).items())
                    .hasSize(1);
        }
        List<Problem> told = process.problems(PoolFixture.pool("legacy", pool, "directory"));
        assertThat(told).extracting(Problem::isError).containsOnly(false);
        assertThat(told.toString()).contains("FL-CON-011", "at " + folder);
        try (VolumeStore store = process.openTold(PoolFixture.pool("legacy", pool, "directory"))) {
            store.delete(ID, OnDependents.REFUSE, TestWork.patient());
            assertThat(store.find(ID, TestWork.patient())).isEmpty();
        }
    }

    @Test
    void a_new_one_beside_one_with_volumes_refuses_no_connection() throws IOException {
        surround();
        Path beside = Files.createDirectory(folder.resolve("beside"));
        try (VolumeStore store = process.open(PoolFixture.pool("legacy", beside, "directory"))) {
            make(store, ID);
        }

        List<Problem> told = process.problems(
                PoolFixture.pool("legacy", beside, "directory"), PoolFixture.pool("new", pool, "directory"));

        assertThat(told).noneMatch(Problem::isError);
        assertThat(told.toString()).contains("pool 'new'", "FL-CON-011");
    }

    @Test
    void a_new_one_is_refused() throws IOException {
        surround();

        List<Problem> told = process.problems(PoolFixture.pool("legacy", pool, "directory"));

        assertThat(told)
                .anyMatch(problem -> problem.isError() && problem.toString().contains("FL-CON-011"));
    }
}
