package dev.fairlead.adapter.freenas.store;

import dev.fairlead.adapter.freenas.client.ApiResult;
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
import java.util.stream.LongStream;

/**
 * Grows volumes. A box keeps a zvol from being shrunk, but not a quota from being lowered by a call that was planned
 * from an older size. So each growth leaves its size as a property's name, in the step that sets the quota; who reads
 * back a greater one than its own sets that.
 */
record VolumeGrowth(FreenasStoreSettings settings, DatasetCalls datasets) {
    /** The beginning of the name of the property that a growth leaves; its size in bytes follows. */
    static final String GROWN = "dev.fairlead:grown.";

    private static final int MOST_ROUNDS = 5;

    StoredVolume grow(DatasetEntry found, NativeId id, CapacityRange range, Work work) {
        VolumeProperties now = found.volume();
        DatasetName name = found.name();
        Capacity atLeast = range.required().orElse(Capacity.ZERO);
        var sizing = new Sizing(range);
        long bytes = (now.isBlockDevice()
                        ? sizing.inBlocks(now.blockSize().orElse(BlockSize.DEFAULT), atLeast)
                        : exactly(now, range, sizing.exactly(atLeast)))
                .bytes();
        DatasetEntry before = found;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            DatasetEntry entry = set(id, name, properties(before.volume(), bytes), former(before, bytes), work);
            VolumeProperties after = entry.volume();
            long most = grown(entry).max().orElse(0);
            long held = after.capacity().map(Capacity::bytes).orElse(0L);
            if (held >= Math.max(bytes, most)) {
                return after.volume(id);
            }
            if (most <= bytes) {
                throw untrue(name, bytes, after);
            }
            before = entry;
            bytes = most;
        }
        throw datasets.unavailable("the size of " + name + " is changed by others at the same time; ask again");
    }

    /** Returns the size of a filesystem: if it was made by other means, it may have a smaller quota than a box sets. */
    private Capacity exactly(VolumeProperties now, CapacityRange range, Capacity wanted) {
        return settings.zfs().quota() || now.hasQuota() ? VolumePlanning.quota(range, wanted) : wanted;
    }

    private StorageException untrue(DatasetName name, long bytes, VolumeProperties after) {
        return datasets.untrue("the size of " + name + " was set to " + bytes + " bytes, and reads back as "
                + after.capacity().map(Capacity::toString).orElse("nothing"));
    }

    /** Returns the properties that smaller growths have left: the greatest says enough. */
    private static List<String> former(DatasetEntry entry, long bytes) {
        long most = Math.max(bytes, grown(entry).max().orElse(0));
        return grown(entry)
                .filter(size -> size < most && size != bytes)
                .mapToObj(size -> GROWN + size)
                .toList();
    }

    private static LongStream grown(DatasetEntry entry) {
        return entry.rows().keySet().stream()
                .filter(key -> key.startsWith(GROWN))
                .map(key -> key.substring(GROWN.length()))
                .filter(text -> text.matches("[0-9]{1,18}"))
                .mapToLong(Long::parseLong);
    }

    private Map<String, String> properties(VolumeProperties now, long bytes) {
        String text = Long.toString(bytes);
        if (now.isBlockDevice()) {
            return Map.of("volsize", text);
        }
        Map<String, String> all = new LinkedHashMap<>();
        // A quota that the volume was made with still limits its users, whatever the connection says now.
        if (settings.zfs().quota() || now.hasQuota()) {
            all.put("refquota", text);
        } else {
            all.putAll(now.noting(Map.of(VolumeProperties.SIZE, text)));
        }
        if (settings.zfs().reservation()) {
            all.put("refreservation", text);
        }
        all.put(GROWN + text, "true");
        return all;
    }

    private DatasetEntry set(
            NativeId id, DatasetName name, Map<String, String> properties, List<String> former, Work work) {
        return switch (datasets.update(name, DatasetFields.removing(DatasetFields.updated(properties), former), work)) {
            case ApiResult.Done done -> datasets.answered(done, name, work);
            case ApiResult.Refused refused -> throw refusal(id, refused);
        };
    }

    private static StorageException refusal(NativeId id, ApiResult.Refused refused) {
        if (refused.isAbsent()) {
            return new StorageException(new Failure.VolumeNotFound(id.value()));
        }
        boolean full = refused.says("out of space")
                || refused.says("80% of your available space")
                || refused.says("greater than available space");
        return full
                ? new StorageException(
                        new Failure.OutOfSpace(refused.connection(), refused.what() + ": " + refused.text()))
                : refused.failure();
    }
}
