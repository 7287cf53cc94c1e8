package dev.fairlead.adapter.kernel.nvmet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.contract.export.AccessControlContract;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.InMemoryVolumeStore;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Subsystems of devices whose store has nothing to do with ZFS. */
class OtherStoreTest implements AccessControlContract {
    @TempDir
    private Path folder;

    private VolumeStore store = new InMemoryVolumeStore(InMemoryStorage.named("memory"));

    @BeforeEach
    void storage() {
        store = new InMemoryVolumeStore(InMemoryStorage.named("memory")
                .of(Set.of(VolumeMedium.Kind.BLOCK_DEVICE))
                .in(folder.resolve("dev/memory").toString()));
    }

    private NvmetFixture bench() {
        return new NvmetFixture(folder);
    }

    @Override
    public Exporter exporter() {
        return bench().exporter();
    }

    @Override
    public Exporter spoiled() {
        return bench().spoiled();
    }

    @Override
    public Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
        return bench().letIn(volume);
    }

    @Override
    public boolean hasReaders() {
        return false;
    }

    @Override
    public int exports() {
        return bench().exports();
    }

    @Override
    public Birth birth(String name) {
        return store.plan(TestVolumes.capable(name, TestVolumes.BLOCK), TestVolumes.id(name));
    }

    @Override
    public StoredVolume volume(Birth birth, Map<String, String> notes) {
        appear(birth.id().value());
        return store.create(birth.noting(notes), TestWork.patient()).volume();
    }

    private void appear(String device) {
        try {
            Files.createDirectories(folder.resolve("dev/memory"));
            Files.writeString(folder.resolve("dev/memory").resolve(device), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void remove(StoredVolume volume) {
        store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient());
        try {
            Files.delete(Path.of(volume.medium().path()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_volume_lives_by_the_store_and_by_the_target() {
        appear("pvc-1");
        var command = new CreateVolume.Command(
                new CsiName("pvc-1"),
                TestVolumes.atLeast(TestVolumes.SIZE),
                List.of(TestVolumes.MOUNT),
                OneConnectionFixture.ON_NAS,
                Source.NONE,
                AccessibilityRequirement.NONE,
                Map.of());
        try (OneConnectionFixture fixture = new OneConnectionFixture("memory-nvmet", store, exporter())) {
            VolumeView view = fixture.useCases().createVolume().create(command, TestWork.patient());

            assertThat(view.context()).containsEntry("nqn", NvmetFixture.BASE + ":pvc-1");
            assertThat(exports()).isPositive();

            fixture.useCases().deleteVolume().delete(view.handle(), TestWork.patient());
        }
    }
}
