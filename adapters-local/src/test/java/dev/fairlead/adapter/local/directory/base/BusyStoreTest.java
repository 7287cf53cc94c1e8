package dev.fairlead.adapter.local.directory.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.DirectoryFixture;
import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store says that it is busy for as long as its trash is being emptied, so that nobody closes it meanwhile. */
class BusyStoreTest {
    private static final NativeId A = new NativeId("pvc-a");

    @TempDir(factory = InMemory.class)
    Path folder;

    @Test
    void what_was_deleted_is_removed_before_the_store_is_idle() {
        Path base = folder.resolve("base");
        Queue<Runnable> background = new ArrayDeque<>();
        VolumeStore store = new DirectoryFixture(base, background::add).open();
        store.create(store.plan(TestVolumes.empty("pvc-a"), A), TestWork.patient());
        background.forEach(Runnable::run);
        background.clear();

        boolean before = store.busy();
        store.delete(A, OnDependents.REFUSE, TestWork.patient());
        boolean meanwhile = store.busy();
        background.forEach(Runnable::run);

        assertThat(before).isFalse();
        assertThat(meanwhile).isTrue();
        assertThat(store.busy()).isFalse();
        assertThat(DirectoryFixture.names(new BaseFolderLayout(base).trash())).isEmpty();
    }
}
