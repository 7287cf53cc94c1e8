package dev.fairlead.testkit.contract.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.AbsenceSubject;
import dev.fairlead.testkit.fake.TestVolumes;
import org.junit.jupiter.api.Test;

/**
 * Tests a store whose storage is gone as a whole: nothing is reported as missing or deleted, nothing is made, and once
 * it is back all is there as before, for the same process and for the next.
 */
public interface VolumeAbsenceContract extends AbsenceSubject {
    @Test
    default void storage_that_is_away_is_out_of_reach_and_comes_back_as_it_was() {
        try (VolumeStore store = store()) {
            StoredVolume volume = make(store, TestVolumes.empty("pvc-a"));
            write(volume, "data", "precious");
            StoredSnapshot snapshot = take(store, "snap-1", volume);

            takeAway();
            try {
                new OutOfReach(this, store, volume, snapshot).verifyRetried();
            } finally {
                bringBack();
            }

            assertThat(volumes(store)).containsExactly(volume);
            assertThat(snapshots(store)).containsExactly(snapshot);
            assertThat(read(volume, "data")).contains("precious");
        }
    }

    @Test
    default void a_process_that_starts_while_the_storage_is_away_goes_on_once_it_is_back() {
        StoredVolume volume;
        StoredSnapshot snapshot;
        try (VolumeStore store = store()) {
            volume = make(store, TestVolumes.empty("pvc-a"));
            snapshot = take(store, "snap-1", volume);
        }

        takeAway();
        try (VolumeStore store = store()) {
            try {
                new OutOfReach(this, store, volume, snapshot).verifyRetried();
            } finally {
                bringBack();
            }

            assertThat(volumes(store)).containsExactly(volume);
            assertThat(snapshots(store)).containsExactly(snapshot);
            assertThat(make(store, TestVolumes.fromSnapshot("pvc-b", snapshot.id()))
                            .content())
                    .isEqualTo(TestVolumes.fromSnapshot("pvc-b", snapshot.id()).content());
        }
    }
}
