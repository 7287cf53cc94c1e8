package dev.fairlead.adapter.zfs.share;

import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.export.ExporterReplacementContract;
import java.util.Map;
import java.util.Optional;

/** Provides the datasets that the exporters of a pool export. */
interface ShareSubject extends ExporterReplacementContract {
    ShareFixture fixture();

    @Override
    default Birth birth(String name) {
        return ShareFixture.birth(name);
    }

    @Override
    default StoredVolume volume(Birth birth, Map<String, String> notes) {
        return fixture().volume(birth, notes);
    }

    @Override
    default void remove(StoredVolume volume) {
        fixture().remove(volume);
    }

    @Override
    default void takeAway() {
        fixture().pool().export();
    }

    @Override
    default void bringBack() {
        fixture().pool().importAgain();
    }

    @Override
    default void putAnother(Optional<StoredVolume> alike) {
        fixture().putAnother(alike);
    }

    @Override
    default void takeAnotherUntouched() {
        fixture().takeAnotherUntouched();
    }
}
