package dev.fairlead.testkit.contract.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.AbsenceSubject;
import dev.fairlead.testkit.fake.TestVolumes;
import org.junit.jupiter.api.Test;

/**
 * Tests a store whose storage has been replaced by another one: no call answers from that one, and nothing is changed
 * there.
 */
public interface VolumeReplacementContract extends AbsenceSubject {
    /** Puts another storage in the place of this one, while this one is away. */
    void putAnother();

    /** Takes it away again; fails if anything was changed there. */
    void takeAnotherUntouched();

    @Test
    default void another_storage_in_its_place_is_refused_and_left_alone() {
        try (VolumeStore store = store()) {
            StoredVolume volume = make(store, TestVolumes.empty("pvc-a"));
            StoredSnapshot snapshot = take(store, "snap-1", volume);

            takeAway();
            putAnother();
            try {
                new OutOfReach(this, store, volume, snapshot).verifyRefused();
            } finally {
                takeAnotherUntouched();
                bringBack();
            }

            assertThat(volumes(store)).containsExactly(volume);
            assertThat(snapshots(store)).containsExactly(snapshot);
        }
    }
}
