package dev.fairlead.testkit.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.StoreSubject;
import java.util.Optional;

/** Looks into the memory below a store that is under test. */
public interface InMemorySubject extends StoreSubject {
    InMemoryStorage storage();

    @Override
    default void write(StoredVolume volume, String file, String content) {
        storage().write(volume.id(), file, content);
    }

    @Override
    default Optional<String> read(StoredVolume volume, String file) {
        return Optional.ofNullable(storage().volume(volume.id()).files().get(file));
    }

    @Override
    default void verifyEmpty() {
        assertThat(storage().dump()).isEmpty();
    }
}
