package dev.fairlead.adapter.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
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
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Targets of devices whose store knows neither ZFS nor targets: each device is a file below a folder. */
public abstract class OtherStoreContract implements AccessControlContract {
    @TempDir
    protected Path folder = Path.of("/nonexistent");

    protected VolumeStore store = new InMemoryVolumeStore(InMemoryStorage.named("memory"));

    /** Returns what a volume's context says of the target of this name. */
    protected abstract Map<String, String> target(String name);

    @BeforeEach
    public void storage() {
        store = new InMemoryVolumeStore(InMemoryStorage.named("memory")
                .of(Set.of(VolumeMedium.Kind.BLOCK_DEVICE))
                .in(folder.resolve("dev/memory").toString()));
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
    public void a_volume_lives_by_the_store_and_by_the_target() {
        appear("pvc-1");
        try (OneConnectionFixture fixture = new OneConnectionFixture("memory-target", store, exporter())) {
            VolumeView view = fixture.create("pvc-1");

            assertThat(view.context()).containsAllEntriesOf(target("pvc-1"));
            assertThat(exports()).isPositive();

            fixture.useCases().deleteVolume().delete(view.handle(), TestWork.patient());
        }
    }
}
