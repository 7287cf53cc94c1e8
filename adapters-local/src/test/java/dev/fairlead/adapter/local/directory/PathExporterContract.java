package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.tree.TreeDelete;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
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

/** What an exporter of paths below a base folder promises; what is at a path is known by that alone. */
public abstract class PathExporterContract implements ExporterReplacementContract {
    @TempDir(factory = InMemory.class)
    private Path base = Path.of("/nowhere");

    private String another = "";

    public Path base() {
        return base;
    }

    /** Opens a store on the base folder. */
    public abstract VolumeStore store();

    /** Returns the name of a file in the folder of a volume. */
    public abstract String file();

    @Override
    public Birth birth(String name) {
        return store().plan(TestVolumes.empty(name), new NativeId(name));
    }

    @Override
    public StoredVolume volume(Birth birth, Map<String, String> notes) {
        return store().create(birth.noting(notes), TestWork.patient()).volume();
    }

    @Override
    public void remove(StoredVolume volume) {
        store().delete(volume.id(), VolumeStore.OnDependents.REFUSE, TestWork.patient());
    }

    @Override
    public void takeAway() {
        rename("v", "away");
    }

    @Override
    public void bringBack() {
        rename("away", "v");
    }

    private void rename(String from, String to) {
        try {
            Files.move(base.resolve(from), base.resolve(to));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

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
        try {
            Path folder = Files.createDirectories(base.resolve("v").resolve(name));
            Files.writeString(folder.resolve(file()), "another's");
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

    @Override
    public int exports() {
        return 0;
    }

    @Test
    void a_volume_that_is_gone_is_not_exported() {
        StoredVolume volume = volume(birth("pvc-a"), Map.of());
        remove(volume);

        Failing.with(Failure.VolumeNotFound.class, () -> exporter().export(volume, TestWork.patient()));
    }
}
