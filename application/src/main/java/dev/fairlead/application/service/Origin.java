package dev.fairlead.application.service;

import dev.fairlead.application.port.in.Source;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.work.Work;
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
 * Where the content of a new volume comes from.
 *
 * @param handle as the caller wrote it
 * @param lock held shared while the content is copied
 */
record Origin(String handle, ConnectionName connection, Content content, Key lock) {
    /** Empty for an empty volume; a handle that is not of the kind that it is given as was never ours. */
    static Optional<Origin> of(Source source, HandleCodec codec) {
        return switch (source) {
            case Source.None() -> Optional.empty();
            case Source.Snapshot(String text) -> {
                SnapshotHandle handle = codec.snapshot(text)
                        .orElseThrow(() -> new StorageException(new Failure.SnapshotNotFound(text)));
                yield Optional.of(
                        new Origin(text, handle.connection(), new Content.OfSnapshot(handle.id()), Key.snapshot(text)));
            }
            case Source.Volume(String text) -> {
                VolumeHandle handle =
                        codec.volume(text).orElseThrow(() -> new StorageException(new Failure.VolumeNotFound(text)));
                yield Optional.of(
                        new Origin(text, handle.connection(), new Content.OfVolume(handle.id()), Key.volume(text)));
            }
        };
    }

    /** Where content came from by what was kept of it; empty where that is no handle of ours any more. */
    static Optional<Origin> of(Content.Transferred content, HandleCodec codec) {
        String text = content.handle();
        return switch (content.kind()) {
            case SNAPSHOT -> codec.snapshot(text).flatMap(_ -> of(new Source.Snapshot(text), codec));
            case VOLUME -> codec.volume(text).flatMap(_ -> of(new Source.Volume(text), codec));
        };
    }

    /** The same content as another connection sees it. */
    Content.Transferred transferred() {
        return new Content.Transferred(
                content instanceof Content.OfSnapshot ? Content.Kind.SNAPSHOT : Content.Kind.VOLUME, handle);
    }

    /** What is there now; empty where it is gone. */
    Optional<Found> find(Backend backend, Work work) {
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

    StorageException notFound() {
        return new StorageException(
                content instanceof Content.OfSnapshot
                        ? new Failure.SnapshotNotFound(handle)
                        : new Failure.VolumeNotFound(handle));
    }

    /**
     * Content that exists.
     *
     * @param content by the store's own spelling of its id
     * @param size zero where it is not known
     */
    record Found(Content content, Capacity size) {
        /** The sizes that the caller accepts and that hold this content. */
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
