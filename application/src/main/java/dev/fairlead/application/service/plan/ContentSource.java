package dev.fairlead.application.service.plan;

import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.KeyedLocks.LockKey;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.SnapshotHandle;
import dev.fairlead.domain.handle.VolumeHandle;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.Optional;

/**
 * Identifies the source of a new volume's content.
 *
 * @param handle as the caller wrote it
 * @param lock the lock that is held shared while the content is copied
 */
public record ContentSource(String handle, ConnectionName connection, Content content, LockKey lock) {
    /**
     * Returns the origin that a source names; empty for an empty volume. A handle that is not of the source's kind was
     * never Fairlead's, and is reported as not found.
     */
    public static Optional<ContentSource> of(Source source, HandleCodec codec) {
        return switch (source) {
            case Source.None() -> Optional.empty();
            case Source.Snapshot(String text) -> {
                SnapshotHandle handle = codec.snapshot(text)
                        .orElseThrow(() -> new StorageException(new Failure.SnapshotNotFound(text)));
                yield Optional.of(new ContentSource(
                        text, handle.connection(), new Content.OfSnapshot(handle.id()), LockKey.snapshot(text)));
            }
            case Source.Volume(String text) -> {
                VolumeHandle handle =
                        codec.volume(text).orElseThrow(() -> new StorageException(new Failure.VolumeNotFound(text)));
                yield Optional.of(new ContentSource(
                        text, handle.connection(), new Content.OfVolume(handle.id()), LockKey.volume(text)));
            }
        };
    }

    /** Returns the origin that a transfer has recorded; empty if that is not a handle of Fairlead's any more. */
    public static Optional<ContentSource> of(Content.Transferred content, HandleCodec codec) {
        String text = content.handle();
        return switch (content.kind()) {
            case SNAPSHOT -> codec.snapshot(text).flatMap(_ -> of(new Source.Snapshot(text), codec));
            case VOLUME -> codec.volume(text).flatMap(_ -> of(new Source.Volume(text), codec));
        };
    }

    /** Returns the same content as another connection records it, by its handle. */
    public Content.Transferred transferred() {
        return new Content.Transferred(
                content instanceof Content.OfSnapshot ? Content.Kind.SNAPSHOT : Content.Kind.VOLUME, handle);
    }

    /** Returns the content as it exists now; empty if it is gone. */
    public Optional<Found> find(Backend backend, Work work) {
        return switch (content) {
            case Content.Empty _, Content.Transferred _ -> Optional.empty();
            case Content.OfSnapshot(var id) ->
                backend.store()
                        .snapshots()
                        .flatMap((SnapshotStore snapshots) -> snapshots.find(id, work))
                        .map((StoredSnapshot it) -> new Found(new Content.OfSnapshot(it.id()), it.size()));
            case Content.OfVolume(var id) ->
                backend.store()
                        .find(id, work)
                        .map((StoredVolume it) -> new Found(
                                new Content.OfVolume(it.id()), it.capacity().orElse(Capacity.ZERO)));
        };
    }

    public StorageException notFound() {
        return new StorageException(
                content instanceof Content.OfSnapshot
                        ? new Failure.SnapshotNotFound(handle)
                        : new Failure.VolumeNotFound(handle));
    }

    /**
     * Describes content that exists.
     *
     * @param content with its id as the store spells it
     * @param size zero if it is not known
     */
    public record Found(Content content, Capacity size) {
        /**
         * Returns the sizes that the caller accepts and that hold this content; throws {@code CapacityOutOfRange} if
         * there are none.
         */
        CapacityRange within(CapacityRange asked) {
            if (size.equals(Capacity.ZERO)) {
                return asked;
            }
            if (asked.exceededBy(size)) {
                throw new StorageException(new Failure.CapacityOutOfRange("capacity_range.limit_bytes: "
                        + asked.limit().orElseThrow() + " (expected: at least the source's " + size + ")"));
            }
            Capacity least = asked.required().filter(size::isLessThan).orElse(size);
            return new CapacityRange(Optional.of(least), asked.limit());
        }
    }
}
