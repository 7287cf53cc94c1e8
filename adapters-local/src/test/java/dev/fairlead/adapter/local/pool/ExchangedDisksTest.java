package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node is told before it attaches a volume of a pool in whose place another disk is. */
class ExchangedDisksTest {
    private static final NativeId FAST = new NativeId("fast/pvc-1");
    private static final NativeId SLOW = new NativeId("slow/pvc-1");

    @TempDir(factory = InMemory.class)
    Path folder = Path.of("/nowhere");

    private @Nullable VolumeStore opened;

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectories(folder.resolve("fast/v"));
        opened = open(new PoolFixture("create"));
        make(store(), "fast");
        make(store(), "slow");
    }

    @AfterEach
    void close() {
        store().close();
    }

    private VolumeStore store() {
        return Objects.requireNonNull(opened);
    }

    private VolumeStore open(PoolFixture fixture) {
        return fixture.open(
                PoolFixture.pool("fast", folder.resolve("fast"), "directory"),
                PoolFixture.pool("slow", folder.resolve("slow"), "directory"));
    }

    private static void make(VolumeStore store, String pool) {
        CreateRequest plain = TestVolumes.empty("pvc-1");
        CreateRequest its = new CreateRequest(
                plain.name(), plain.capacity(), plain.capabilities(), Map.of("storagePool", pool), Content.EMPTY);
        var _ = store.create(store.plan(its, new NativeId("pvc-1")), TestWork.patient());
    }

    private void move(String from, String to) throws IOException {
        Files.move(folder.resolve(from), folder.resolve(to));
    }

    private void check(NativeId id) {
        store().checkInPlace(id, TestWork.patient());
    }

    private void verifyTold(NativeId id, Class<? extends Failure> failure) {
        Failure told = Failing.failure(() -> check(id));
        assertThat(told).isInstanceOf(failure);
        assertThat(Failing.failure(() -> store().find(id, TestWork.patient()))).isEqualTo(told);
    }

    @Test
    void of_two_pools_that_were_exchanged_neither_is_the_volumes_own() throws IOException {
        check(FAST);
        move("fast", "other");
        move("slow", "fast");
        move("other", "slow");

        verifyTold(FAST, Failure.BackendRejected.class);
        verifyTold(SLOW, Failure.BackendRejected.class);

        move("fast", "other");
        move("slow", "fast");
        move("other", "slow");
        assertThatCode(() -> check(FAST)).doesNotThrowAnyException();
    }

    @Test
    void another_disk_of_the_same_pool_with_the_same_volume_is_not_the_one_that_was_there() throws IOException {
        move("fast", "first");
        try (VolumeStore other = open(new PoolFixture("create"))) {
            make(other, "fast");
        }

        verifyTold(FAST, Failure.BackendUnavailable.class);
        assertThatCode(() -> check(SLOW)).doesNotThrowAnyException();
    }

    @Test
    void the_bare_mount_point_is_not_the_pool() throws IOException {
        move("fast", "away");
        Files.createDirectories(folder.resolve("fast/v/pvc-1"));

        verifyTold(FAST, Failure.BackendUnavailable.class);
    }

    @Test
    void of_what_is_of_no_pool_or_not_there_nothing_is_told() {
        assertThatCode(() -> check(new NativeId("gone/pvc-1"))).doesNotThrowAnyException();
        assertThatCode(() -> check(new NativeId("fast/pvc-2"))).doesNotThrowAnyException();
    }

    /** Volumes of democratic-csi lie in a folder without a mark. */
    @Test
    void a_pool_without_a_mark_that_never_had_one_is_in_its_place() throws IOException {
        store().close();
        Files.createDirectories(folder.resolve("peer/v/pvc-1"));
        opened = new PoolFixture("existing").open(PoolFixture.pool("legacy", folder.resolve("peer"), "directory"));

        assertThatCode(() -> check(new NativeId("pvc-1"))).doesNotThrowAnyException();
    }
}
