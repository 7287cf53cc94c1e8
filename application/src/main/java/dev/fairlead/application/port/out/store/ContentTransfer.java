package dev.fairlead.application.port.out.store;

import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.out.store.VolumeStore.Creation;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/**
 * The role of a store whose content can be carried over to another connection, and had from there, as a stream that can
 * be taken up again where it was cut. The two ends never talk to each other; what passes between them passes through
 * the caller.
 */
public interface ContentTransfer {
    /** What its streams are; two stores of the same format understand each other. */
    Format format();

    /** The end that the content comes from. */
    Departure departure();

    /** The end where a volume is made of it. */
    Arrival arrival();

    /**
     * @param name of the stream, such as {@code zfs-send}
     * @param medium what it is a stream of: a filesystem is never received as a block device
     */
    record Format(String name, VolumeMedium.Kind medium) {}

    /**
     * The end that the content comes from. A transfer is known here by a ticket: letters and digits that no other
     * transfer has.
     */
    interface Departure {
        /**
         * From here on the content stays as it is, and what it belongs to is not deleted, until it is let go of. What
         * is kept already is kept still.
         *
         * @throws dev.fairlead.domain.failure.StorageException {@code SnapshotNotFound} or {@code VolumeNotFound} where
         *     there is none
         */
        void keep(Content content, String ticket, Work work);

        /**
         * How much there is to be sent, of all or of what is left.
         *
         * @param mark where the other end stands, in its own words, which are checked: they never lead to other content
         * @return empty where the mark leads nowhere: what the other end has is not of this content
         */
        Optional<Extent> extent(Content content, String ticket, Optional<String> mark, Work work);

        /** Writes the content, or what is left of it, and answers when all of it is written. */
        void send(Content content, String ticket, Optional<String> mark, OutputStream to, Work work);

        /** Ends {@link #keep}, and takes away what was made for it; what is not kept is let go of already. */
        void letGo(Content content, String ticket, Work work);
    }

    /** The end where a volume is made. Until it is finished there is no such volume for anybody else. */
    interface Arrival {
        /** What an earlier call has begun under this id, if it did. */
        Optional<Begun> begun(NativeId id, Work work);

        /**
         * Takes a stream in. One that ends too early leaves behind what came, so that it can be taken up from there.
         *
         * @throws dev.fairlead.domain.failure.StorageException also where the stream ended too early
         */
        void receive(Birth birth, InputStream from, Work work);

        /** Makes the volume of what has come whole, and answers what it reads back. */
        Creation finish(Birth birth, Work work);

        /** Takes away what an earlier call has begun, never a whole volume. What is absent is done. */
        void clear(NativeId id, Work work);
    }

    /**
     * @param done bytes that the other end has
     * @param left bytes that it has not, about
     */
    record Extent(long done, long left) {}

    /**
     * A volume that is on its way.
     *
     * @param content where it comes from, by the handle that was given when it began
     * @param mark how far it has come; empty where nothing can be taken up
     * @param complete whether all of it is there
     * @param size what it was to have when it began, as far as that is known; its source may be gone by now
     */
    record Begun(Content.Transferred content, Optional<String> mark, boolean complete, Optional<Capacity> size) {}
}
