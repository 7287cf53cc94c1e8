package dev.fairlead.adapter.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.volume.VolumeStoreContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

class TemplateVolumeStoreTest implements VolumeStoreContract {
    @TempDir
    Path base = Path.of("/nowhere");

    @Override
    public VolumeStore store() {
        return new TemplateVolumeStore(new ConnectionName("test"), new TemplateSettings(base));
    }

    @Override
    public void write(StoredVolume volume, String file, String content) {
        try {
            Files.writeString(Path.of(volume.medium().path(), file), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<String> read(StoredVolume volume, String file) {
        try {
            Path path = Path.of(volume.medium().path(), file);
            return Files.exists(path) ? Optional.of(Files.readString(path)) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void verifyEmpty() {
        try (Stream<Path> all = Files.walk(base)) {
            assertThat(all).containsExactly(base);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
