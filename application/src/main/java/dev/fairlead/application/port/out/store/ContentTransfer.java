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
 * Transfers content to another connection, and from one, as a stream that can be resumed after an interruption. A store
 * that can do that returns this role. The two ends never talk to each other; the stream passes through the caller.
 */
public interface ContentTransfer {
    /** Returns the format of its streams; a transfer needs two stores of the same format. */
    Format format();

    /** Returns the end that sends the content. */
    Sender sender();

    /** Returns the end that makes a volume of the content. */
    Receiver receiver();

    /**
     * @param name of the stream, such as {@code zfs-send}
     * @param medium the kind of medium in the stream: a filesystem is never received as a block device
     */
    record Format(String name, VolumeMedium.Kind medium) {}

    /**
     * Sends content from a source. A transfer is known here by its ticket: letters and digits that no other transfer
     * has.
     */
    interface Sender {
        /**
         * Keeps the content unchanged, and its volume or snapshot from being deleted, until {@link #letGo}. Does
         * nothing if the content is kept already.
         *
         * @throws dev.fairlead.domain.failure.StorageException {@code SnapshotNotFound} or {@code VolumeNotFound} if
         *     the source does not exist
         */
        void keep(Content content, String ticket, Work work);

        /**
         * Returns how many bytes there are to send, of the whole content or of the rest after a mark.
         *
         * @param mark the position of the other end, in a form that the other end made; it is checked, and never leads
         *     to other content
         * @return empty if the mark is unusable: what the other end has is not of this content
         */
        Optional<Extent> extent(Content content, String ticket, Optional<String> mark, Work work);

        /** Writes the content, or the rest after the mark, and returns when all of it is written. */
        void send(Content content, String ticket, Optional<String> mark, OutputStream to, Work work);

        /** Ends {@link #keep}, and removes what was made for it; does nothing if the content is not kept. */
        void letGo(Content content, String ticket, Work work);
    }

    /** Makes a volume of a stream. Until {@link #finish}, nobody else sees the volume. */
    interface Receiver {
        /** Returns the unfinished volume that an earlier call has begun under this id, if any. */
        Optional<Begun> begun(NativeId id, Work work);

        /**
         * Receives a stream. If it ends too early, what came is kept, so that the stream can be resumed from there.
         *
         * @throws dev.fairlead.domain.failure.StorageException also if the stream ended too early
         */
        void receive(Birth birth, InputStream from, Work work);

        /** Makes the volume of content that has been received completely, and answers what it reads back. */
        Creation finish(Birth birth, Work work);

        /** Removes what an earlier call has begun, never a finished volume. Does nothing if there is nothing. */
        void clear(NativeId id, Work work);
    }

    /**
     * @param done bytes that the other end has
     * @param left bytes that it does not have, an estimate
     */
    record Extent(long done, long left) {}

    /**
     * Describes a volume whose content is being received.
     *
     * @param content the source, by the handle that was given when the transfer began
     * @param mark how far it has come; empty if the stream cannot be resumed
     * @param complete whether all of it is there
     * @param size the size that was wanted when the transfer began, if known; the source may be gone by now
     */
    record Begun(Content.Transferred content, Optional<String> mark, boolean complete, Optional<Capacity> size) {}
}
