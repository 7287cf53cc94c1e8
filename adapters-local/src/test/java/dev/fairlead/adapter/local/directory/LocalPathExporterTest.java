package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.tree.TreeDelete;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.contract.export.ExporterReplacementContract;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalPathExporterTest implements ExporterReplacementContract {
    @TempDir(factory = InMemory.class)
    Path base = Path.of("/nowhere");

    private String another = "";

    @Override
    public Exporter exporter() {
        var config = DirectoryFixture.mapping(Map.of(
                "local-hostpath",
                DirectoryFixture.mapping(
                        Map.of("controllerBasePath", base.toString(), "shareBasePath", "/on/the/node/"))));
        return LocalPathExporter.open(
                DirectoryFixture.scope("test"), ConfigNode.root(config, new Problems("test.yaml")));
    }

    @Override
    public Birth birth(String name) {
        return new DirectoryFixture(base).open().plan(TestVolumes.empty(name), new NativeId(name));
    }

    @Override
    public StoredVolume volume(Birth birth, Map<String, String> notes) {
        return new DirectoryFixture(base)
                .open()
                .create(birth.noting(notes), TestWork.patient())
                .volume();
    }

    @Override
    public void remove(StoredVolume volume) {
        new DirectoryFixture(base).open().delete(volume.id(), VolumeStore.OnDependents.REFUSE, TestWork.patient());
    }

    @Override
    public void takeAway() {
        rename(base.resolve("v"), base.resolve("away"));
    }

    @Override
    public void bringBack() {
        rename(base.resolve("away"), base.resolve("v"));
    }

    /** A folder is known by its path alone. */
    @Override
    public boolean knowsTheStorage() {
        return false;
    }

    @Override
    public void putAnother(Optional<StoredVolume> alike) {
        Stream.concat(alike.map(volume -> volume.id().value()).stream(), Stream.of("pvc-other"))
                .forEach(this::makeAnothers);
        another = Dump.of(base.resolve("v"));
    }

    private void makeAnothers(String name) {
        Path folder = base.resolve("v").resolve(name);
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("data"), "another's");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void takeAnotherUntouched() {
        assertThat(Dump.of(base.resolve("v"))).isEqualTo(another);
        try {
            TreeDelete.delete(base.resolve("v"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void rename(Path from, Path to) {
        try {
            Files.move(from, to);
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
        var plan = exporter().plan(birth("pvc-a"));

        assertThat(plan.attachment()).contains(new Attachment.HostPath("/on/the/node/v/pvc-a"));
    }

    @Test
    void a_volume_that_is_gone_is_not_exported() {
        StoredVolume volume = volume(birth("pvc-a"), Map.of());
        remove(volume);

        Failing.with(Failure.VolumeNotFound.class, () -> exporter().export(volume, TestWork.patient()));
    }
}
