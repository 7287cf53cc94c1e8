package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.contract.export.ExporterContract;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.InMemoryVolumeStore;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Paths of folders whose store lays them out in a way of its own. */
class OtherStoreTest implements ExporterContract {
    @TempDir(factory = InMemory.class)
    Path base = Path.of("/nowhere");

    private VolumeStore store(Path folder) {
        return new InMemoryVolumeStore(InMemoryStorage.named("memory").in(folder.toString()));
    }

    @Override
    public Exporter exporter() {
        var config = DirectoryFixture.mapping(Map.of(
                "local-hostpath",
                DirectoryFixture.mapping(
                        Map.of("controllerBasePath", base.toString(), "shareBasePath", "/on/the/node"))));
        return LocalPathExporter.open(
                DirectoryFixture.scope("test"), ConfigNode.root(config, new Problems("test.yaml")));
    }

    @Override
    public Birth birth(String name) {
        return store(base.resolve("deep/down")).plan(TestVolumes.empty(name), TestVolumes.id(name));
    }

    @Override
    public StoredVolume volume(Birth birth, Map<String, String> notes) {
        try {
            Files.createDirectories(Path.of(birth.medium().path()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return store(base.resolve("deep/down"))
                .create(birth.noting(notes), TestWork.patient())
                .volume();
    }

    @Override
    public void remove(StoredVolume volume) {
        store(base.resolve("deep/down")).delete(volume.id(), OnDependents.REFUSE, TestWork.patient());
        try {
            Files.deleteIfExists(Path.of(volume.medium().path()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public int exports() {
        return 0;
    }

    @Test
    void the_path_is_the_one_that_the_node_sees() {
        assertThat(exporter().plan(birth("pvc-a")).attachment())
                .contains(new Attachment.HostPath("/on/the/node/deep/down/pvc-a"));
    }

    @Test
    void a_folder_outside_of_the_base_is_refused(@TempDir Path elsewhere) {
        Birth birth = store(elsewhere).plan(TestVolumes.empty("pvc-a"), TestVolumes.id("pvc-a"));
        StoredVolume volume = volume(birth, Map.of());

        assertThat(exporter().plan(birth).attachment()).isEmpty();
        Failing.with(Failure.BackendRejected.class, () -> exporter().export(volume, TestWork.patient()));
    }
}
