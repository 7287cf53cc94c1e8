package dev.fairlead.adapter.freenas.store;

import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.late.CallNotes;
import dev.fairlead.adapter.freenas.store.create.VolumePlanning;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.adapter.freenas.store.settings.FreenasStoreSettings;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.zfs.dataset.BlockSize;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.volume.Sizing;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Grows volumes. A box keeps a zvol from being shrunk, but not a quota from being lowered by a call that was planned
 * from an older size, or comes late; so each growth is noted before it is sent.
 */
record VolumeGrowth(FreenasStoreSettings settings, CallNotes notes) {
    private static final String QUOTA = "refquota";
    private static final String RESERVATION = "refreservation";

    StoredVolume grow(DatasetEntry found, NativeId id, CapacityRange range, Work work) {
        DatasetName name = found.name();
        Capacity atLeast = range.required().orElse(Capacity.ZERO);
        var sizing = new Sizing(range);
        long bytes = (found.volume().isBlockDevice()
                        ? sizing.inBlocks(found.volume().blockSize().orElse(BlockSize.DEFAULT), atLeast)
                        : exactly(found.volume(), range, sizing.exactly(atLeast)))
                .bytes();
        CallNotes.CallNote noted =
                notes.note(name, work).orElseThrow(() -> new StorageException(new Failure.VolumeNotFound(id.value())));
        VolumeProperties now = noted.entry().volume();
        if (holds(noted.entry(), bytes)) {
            notes.withdraw(noted, work);
            return now.volume(id);
        }
        DatasetEntry after = set(id, noted, bytes, work);
        if (!holds(after, bytes)) {
            throw untrue(name, bytes, after.volume());
        }
        return after.volume().volume(id);
    }

    /**
     * Says whether a volume has this size, and reserves it if the connection reserves and the volume has a reservation:
     * a box may have set the one and refused the other.
     */
    boolean holds(DatasetEntry entry, long bytes) {
        long reserved = number(entry, RESERVATION);
        boolean lacksReservation =
                settings.zfs().reservation() && !entry.volume().isBlockDevice() && reserved > 0 && reserved < bytes;
        return held(entry.volume()) >= bytes && !lacksReservation;
    }

    private static long number(DatasetEntry entry, String key) {
        return entry.text(key)
                .filter(text -> text.matches("[0-9]{1,18}"))
                .map(Long::valueOf)
                .orElse(0L);
    }

    private static long held(VolumeProperties volume) {
        return volume.capacity().map(Capacity::bytes).orElse(0L);
    }

    /** Returns the size of a filesystem: if it was made by other means, it may have a smaller quota than a box sets. */
    private Capacity exactly(VolumeProperties now, CapacityRange range, Capacity wanted) {
        return settings.zfs().quota() || now.hasQuota() ? VolumePlanning.quota(range, wanted) : wanted;
    }

    private StorageException untrue(DatasetName name, long bytes, VolumeProperties after) {
        return notes.datasets()
                .untrue("the size of " + name + " was set to " + bytes + " bytes, and reads back as "
                        + after.capacity().map(Capacity::toString).orElse("nothing"));
    }

    private Map<String, String> properties(VolumeProperties now, long bytes) {
        String text = Long.toString(bytes);
        if (now.isBlockDevice()) {
            return Map.of("volsize", text);
        }
        Map<String, String> all = new LinkedHashMap<>();
        // A quota that the volume was made with still limits its users, whatever the connection says now.
        if (settings.zfs().quota() || now.hasQuota()) {
            all.put(QUOTA, text);
        } else {
            all.putAll(now.noting(Map.of(VolumeProperties.SIZE, text)));
        }
        if (settings.zfs().reservation()) {
            all.put(RESERVATION, text);
        }
        return all;
    }

    private DatasetEntry set(NativeId id, CallNotes.CallNote noted, long bytes, Work work) {
        DatasetEntry entry = noted.entry();
        return switch (notes.change(noted, DatasetFields.updated(properties(entry.volume(), bytes)), work)) {
            case ApiResult.Done done -> notes.datasets().answered(done, entry.name(), work);
            case ApiResult.Refused refused -> {
                if (!refused.isAbsent()) {
                    setBack(entry, work);
                    notes.withdraw(noted, work);
                }
                throw entry.isLocked() && !refused.isAbsent()
                        ? refused.failureOfLocked(entry.name().value())
                        : refusal(id, refused);
            }
        };
    }

    /** Sets back what a box has set of a call of which it refused another part. */
    private void setBack(DatasetEntry before, Work work) {
        if (!settings.zfs().reservation() || before.volume().isBlockDevice()) {
            return; // one property alone is set or not
        }
        DatasetCalls datasets = notes.datasets();
        DatasetEntry now = datasets.find(before.name(), work).orElse(before);
        Map<String, String> back = new LinkedHashMap<>();
        List.of(QUOTA, RESERVATION).stream()
                .filter(key -> number(now, key) != number(before, key))
                .forEach(key -> back.put(key, Long.toString(number(before, key))));
        String size = before.volume().allNotes().getOrDefault(VolumeProperties.SIZE, "");
        if (!size.equals(now.volume().allNotes().getOrDefault(VolumeProperties.SIZE, ""))) {
            back.putAll(now.volume().noting(Map.of(VolumeProperties.SIZE, size)));
        }
        if (back.isEmpty()) {
            return;
        }
        boolean isBack =
                datasets.update(before.name(), DatasetFields.updated(back), work) instanceof ApiResult.Done done
                        && held(datasets.answered(done, before.name(), work).volume()) == held(before.volume());
        if (!isBack) {
            throw datasets.unavailable("the box refused a part of the growth of " + before.name() + ", and "
                    + back.keySet() + " could not be set back");
        }
    }

    private static StorageException refusal(NativeId id, ApiResult.Refused refused) {
        return refused.isAbsent() ? new StorageException(new Failure.VolumeNotFound(id.value())) : refused.failure();
    }
}
