package dev.fairlead.adapter.freenas.store;

import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.ParentLookup;
import dev.fairlead.adapter.freenas.store.settings.FreenasStoreSettings;
import dev.fairlead.application.port.out.store.VolumeStore.Room;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.volume.ParentChoice;
import java.util.Map;
import java.util.Optional;

/** Tells the room for new volumes below the parent that a class chooses. */
record ParentRoom(FreenasStoreSettings settings, DatasetCalls datasets, ParentLookup parents) {
    Room of(Map<String, String> parameters, Work work) {
        DatasetName parent = new ParentChoice(settings.layout().parents()).of(parameters);
        parents.requireOwnMarks(parent, work);
        // A parent that is made with its first volume has to have room, or no pod is placed that asks for that volume.
        Capacity available = parents.look(parent, work)
                .map(entry -> entry.text("available")
                        .filter(text -> text.matches("[0-9]{1,18}"))
                        .map(Long::valueOf))
                .orElseGet(() -> datasets.free(parent.pool(), work))
                .map(Capacity::ofBytes)
                .orElseThrow(() -> datasets.untrue("the room of " + parent + " reads back as no number"));
        // pool.dataset.create refuses a block device of more than 80 % of what its parent has
        Capacity largest = settings.kind() == VolumeMedium.Kind.FILESYSTEM
                ? available
                : Capacity.ofBytes(available.bytes() / 5 * 4);
        return new Room(available, Optional.of(largest));
    }
}
