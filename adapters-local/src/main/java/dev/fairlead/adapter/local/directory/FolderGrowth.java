package dev.fairlead.adapter.local.directory;

import dev.fairlead.adapter.local.directory.base.BaseFolderContext;
import dev.fairlead.adapter.local.directory.form.FolderForm;
import dev.fairlead.adapter.local.directory.record.VolumeRecord;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Makes volumes larger: first the volume, and then its record, so that no record claims what is not there. What it
 * grows by counts as promised until the record says so.
 */
record FolderGrowth(BaseFolderContext context, FolderForm form, Promises promises, VolumeRecords records) {
    /**
     * Makes a volume at least as large as the range requires, and returns the record that it has then.
     *
     * @param ours the result of {@link BaseFolderContext#visit}
     */
    VolumeRecord grow(String id, CapacityRange range, boolean ours, Work work) throws IOException {
        VolumeRecord record = records.read(id);
        Capacity atLeast = range.required().orElse(Capacity.ZERO);
        Optional<Capacity> enough = record.capacity().filter(now -> !now.isLessThan(atLeast));
        Capacity wanted = enough.isPresent() ? enough.get() : size(range);
        Path folder = context.layout().volumes().place(id);
        if (enough.isPresent()) {
            checkGrown(folder, wanted);
            return records.settle(id, record, record, ours, work);
        }
        var _ = form.version(folder); // what was made as another kind of volume is not made one of this kind
        return promises.admit(id, wanted, work, () -> {
            if (!form.missing(folder, wanted).isEmpty()) {
                context.prepare(context.visit(), work);
                form.complete(folder, wanted, work);
            }
            checkGrown(folder, wanted);
            return records.settle(id, record, record.with(wanted), ours, work);
        });
    }

    private void checkGrown(Path folder, Capacity wanted) throws IOException {
        String missing = form.missing(folder, wanted);
        if (!missing.isEmpty()) {
            throw context.failures().unavailable(folder + " is to have " + wanted + " and lacks " + missing);
        }
    }

    /** Returns the size for a range, which an empty one leaves at nothing. */
    private Capacity size(CapacityRange range) {
        return range.required().isEmpty() ? Capacity.ZERO : form.size(range);
    }
}
