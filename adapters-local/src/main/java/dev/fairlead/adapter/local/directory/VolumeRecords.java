package dev.fairlead.adapter.local.directory;

import dev.fairlead.adapter.local.directory.base.BaseFolderContext;
import dev.fairlead.adapter.local.directory.base.FolderSync;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.adapter.local.directory.record.VolumeRecord;
import dev.fairlead.application.port.work.Work;
import java.io.IOException;
import java.nio.file.Path;

/** Reads and rewrites the records of a base folder's volumes. */
record VolumeRecords(BaseFolderContext context) {
    private RecordedFolders volumes() {
        return context.layout().volumes();
    }

    /** Returns the record of a volume; {@link VolumeRecord#NONE} if it has none. */
    VolumeRecord read(String id) throws IOException {
        return Records.read(volumes().record(id)).map(VolumeRecord::new).orElse(VolumeRecord.NONE);
    }

    /**
     * Makes a record durably what is wanted, and returns that; one that is so already is synced, since the call that
     * wrote it may have ended before that.
     *
     * @param ours the result of {@link BaseFolderContext#visit}
     */
    VolumeRecord settle(String id, VolumeRecord now, VolumeRecord wanted, boolean ours, Work work) throws IOException {
        if (!wanted.equals(now)) {
            rewrite(id, wanted, ours, work);
        } else if (ours) {
            FolderSync.sync(work, volumes().records());
        }
        return wanted;
    }

    /** @param ours the result of {@link BaseFolderContext#visit} */
    private void rewrite(String id, VolumeRecord wanted, boolean ours, Work work) throws IOException {
        context.prepare(ours, work);
        Path beside = context.beside(volumes(), id);
        Records.prepare(beside, wanted.fields(), work);
        Records.put(beside, volumes().record(id), work);
        FolderSync.sync(work, volumes().records());
        if (!read(id).equals(wanted)) {
            throw context.failures().unavailable(volumes().record(id) + " was written and reads back differently");
        }
    }
}
