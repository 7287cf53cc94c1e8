package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.Promises;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.adapter.local.directory.record.SnapshotRecord;
import dev.fairlead.adapter.local.directory.record.VolumeRecord;
import dev.fairlead.adapter.local.pool.hostpath.HostpathFolders;
import dev.fairlead.adapter.local.pool.room.Sums;
import dev.fairlead.adapter.local.pool.room.Sums.Share;
import dev.fairlead.domain.capacity.Capacity;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds up what is promised to volumes that kubevirt's hostpath-provisioner made, and to snapshots of them.
 *
 * <p>That program noted no sizes, so a volume counts with what was noted since, and else with nothing. What they occupy
 * is not known either, nor then what Fairlead's own folders do: those count as empty, so that no byte is promised
 * twice.
 */
final class GuestRecords {
    private final BaseFolderLayout layout;

    GuestRecords(BaseFolderLayout own) {
        this.layout = new HostpathFolders(own).layout();
    }

    /** Returns the sums of all that is in the pool. */
    Sums addedTo(Sums own) throws IOException {
        Map<String, Share> all = new HashMap<>(own.single());
        long promised = own.promised();
        RecordedFolders volumes = layout.volumes();
        for (String id : noted(volumes.records())) {
            if (volumes.accepts(id) && volumes.isFolder(id)) {
                long bytes = Records.read(volumes.record(id))
                        .flatMap(fields -> new VolumeRecord(fields).capacity())
                        .orElse(Capacity.ZERO)
                        .bytes();
                all.put(SharedRoom.ofGuest(id), new Share(bytes, 0));
                promised += bytes;
            }
        }
        for (String id : layout.snapshots().ids()) {
            long bytes = Records.read(layout.snapshots().record(id))
                    .flatMap(SnapshotRecord::of)
                    .map(SnapshotRecord::size)
                    .orElse(Capacity.ZERO)
                    .bytes();
            all.put(SharedRoom.ofGuest(Promises.ofSnapshot(id)), new Share(bytes, 0));
            promised += bytes;
        }
        return new Sums(all, promised, volumes.hasAny() ? 0 : own.used());
    }

    /** Returns the ids of which something is noted: of many volumes few, since that program notes nothing. */
    private static List<String> noted(Path records) throws IOException {
        List<String> ids = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(records, "*.json")) {
            files.forEach(file -> ids.add(String.valueOf(file.getFileName()).replaceFirst("\\.json$", "")));
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return ids;
    }
}
