package dev.fairlead.application.port.out.node;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers what this node has attached, on a disk of the node and longer than this process lives. An entry is written
 * before the first effect of staging and removed after the last one of unstaging; so whatever a killed process left
 * behind has an entry.
 */
public interface StageJournal {
    /** Writes the entry of its handle, in place of the former one. It is on the disk when this returns. */
    void write(Entry entry, Work work);

    /**
     * Returns the entry of a volume.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code NodeFault} if there is one that cannot be read: it is
     *     never taken for none
     */
    Optional<Entry> of(String handle);

    /** Returns all entries that can be read; those that cannot are logged and left where they are. */
    List<Entry> all();

    /** Removes the entry of a volume; does nothing if there is none. */
    void remove(String handle, Work work);

    /**
     * Says what was attached for a volume. It holds no secret.
     *
     * @param block whether the volume is staged as a raw device
     * @param facts what {@link Attached.Device} told
     * @param filesystem the file system on the device, once it is known
     */
    record Entry(
            String handle,
            Path staging,
            Attachment attachment,
            boolean block,
            Map<String, String> facts,
            Optional<Content> filesystem) {
        public Entry {
            facts = Map.copyOf(facts);
        }

        public Entry with(Map<String, String> known) {
            return new Entry(handle, staging, attachment, block, known, filesystem);
        }

        public Entry with(Content content) {
            return new Entry(handle, staging, attachment, block, facts, Optional.of(content));
        }
    }

    /**
     * Says what file system is on a device.
     *
     * @param uuid empty if it is not known
     * @param finished false from before the file system is made until that has ended
     */
    record Content(String type, Optional<String> uuid, boolean finished) {}
}
