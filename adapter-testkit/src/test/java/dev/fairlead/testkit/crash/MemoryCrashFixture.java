package dev.fairlead.testkit.crash;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.InMemoryVolumeStore;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A world of one in-memory storage, and scenarios in it. */
public final class MemoryCrashFixture implements CrashFixture<VolumeStore> {
    private final Function<InMemoryStorage, VolumeStore> opening;
    private InMemoryStorage storage = InMemoryStorage.named("memory");

    public MemoryCrashFixture(Function<InMemoryStorage, VolumeStore> opening) {
        this.opening = opening;
    }

    public static MemoryCrashFixture sound() {
        return new MemoryCrashFixture(InMemoryVolumeStore::new);
    }

    @Override
    public void reset() {
        storage = InMemoryStorage.named("memory");
    }

    @Override
    public VolumeStore open() {
        return opening.apply(storage);
    }

    @Override
    public void close(VolumeStore store) {
        store.close();
    }

    @Override
    public String dump() {
        return storage.dump();
    }

    public static final CrashScenario<VolumeStore> CREATE =
            CrashScenario.changing("create", _ -> {}, (store, work) -> make(store, TestVolumes.empty("pvc-a"), work));

    public static final CrashScenario<VolumeStore> DELETE =
            CrashScenario.changing("delete", MemoryCrashFixture::one, (store, work) -> {
                store.delete(TestVolumes.id("pvc-a"), OnDependents.REFUSE, work);
                return "done";
            });

    /** Every verb of a store. */
    public static List<CrashScenario<VolumeStore>> scenarios() {
        return List.of(
                CREATE,
                DELETE,
                CrashScenario.changing(
                        "clone",
                        MemoryCrashFixture::one,
                        (store, work) -> make(store, TestVolumes.fromVolume("pvc-b", TestVolumes.id("pvc-a")), work)),
                CrashScenario.changing(
                        "expand",
                        MemoryCrashFixture::one,
                        (store, work) -> store.expand(
                                TestVolumes.id("pvc-a"), TestVolumes.atLeast(Capacity.ofGibibytes(1)), work)),
                CrashScenario.changing("note", MemoryCrashFixture::one, (store, work) -> {
                    store.note(TestVolumes.id("pvc-a"), Map.of("a", "b"), work);
                    return "done";
                }),
                CrashScenario.changing(
                        "snapshot",
                        MemoryCrashFixture::one,
                        (store, work) -> store.snapshots()
                                .orElseThrow()
                                .take(
                                        TestVolumes.snapshot(
                                                "snap-1",
                                                store.find(TestVolumes.id("pvc-a"), work)
                                                        .orElseThrow()),
                                        100,
                                        work)
                                .id()));
    }

    private static void one(VolumeStore store) {
        make(store, TestVolumes.empty("pvc-a"), TestWork.patient());
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request, Work work) {
        return store.create(store.plan(request, TestVolumes.id(request.name().value())), work)
                .volume();
    }
}
