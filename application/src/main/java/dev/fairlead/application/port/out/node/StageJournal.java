package dev.fairlead.application.port.out.node;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

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

    /**
     * Returns everything that the journal holds. What cannot be read is told and left where it is, since it is never
     * taken for nothing.
     */
    Inventory inventory();

    /** Returns when the entry of a volume was written last, by this node's clock; empty if there is none. */
    Optional<Instant> written(String handle);

    /** Removes the entry of a volume; does nothing if there is none. */
    void remove(String handle, Work work);

    /**
     * Holds everything that is in the journal.
     *
     * @param unreadable each of these may be the entry of any volume, or of several
     */
    record Inventory(List<Entry> entries, List<Unreadable> unreadable) {
        public Inventory {
            entries = List.copyOf(entries);
            unreadable = List.copyOf(unreadable);
        }

        /** Returns something of each attachment of one kind, such as its target. */
        public <A extends Attachment, T> Set<T> ofEach(Class<A> kind, Function<A, T> what) {
            return entries.stream()
                    .map(Entry::attachment)
                    .filter(kind::isInstance)
                    .map(kind::cast)
                    .map(what)
                    .collect(Collectors.toUnmodifiableSet());
        }
    }

    /**
     * Names a part of the journal that cannot be read.
     *
     * @param place where it is, for an operator
     */
    record Unreadable(String place, String why) {}

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
            Optional<FilesystemState> filesystem) {
        public Entry {
            facts = Map.copyOf(facts);
        }

        public Entry with(Map<String, String> known) {
            return new Entry(handle, staging, attachment, block, known, filesystem);
        }

        public Entry with(FilesystemState content) {
            return new Entry(handle, staging, attachment, block, facts, Optional.of(content));
        }
    }

    /**
     * Says what file system is on a device.
     *
     * @param uuid empty if it is not known
     * @param cut how its making began, from before that until it has ended; empty if the file system is there
     */
    record FilesystemState(String type, Optional<String> uuid, Optional<CutFormat> cut) {
        /** Describes a file system that is there. */
        public static FilesystemState finished(String type, Optional<String> uuid) {
            return new FilesystemState(type, uuid, Optional.empty());
        }

        /** Describes a file system that is about to be made on a device that is proved empty. */
        public static FilesystemState begun(String type, Path device, String identity) {
            return new FilesystemState(
                    type, Optional.empty(), Optional.of(new CutFormat(device, identity, Optional.empty())));
        }

        /** Returns whether the file system is there. */
        public boolean finished() {
            return cut.isEmpty();
        }
    }

    /**
     * Says on which device the making of a file system began, of which no end is known.
     *
     * @param device the path that the device had, or its {@link Attacher#LINK}
     * @param identity of the device, which was proved empty; an empty text in entries of older versions
     * @param remains a digest of what was on the device when it was given back; empty as long as that has not happened
     */
    record CutFormat(Path device, String identity, Optional<String> remains) {}
}
