package dev.fairlead.application.service.transfer;

import dev.fairlead.application.port.out.store.ContentTransfer;
import dev.fairlead.application.port.out.store.ContentTransfer.Begun;
import dev.fairlead.application.port.out.store.ContentTransfer.Extent;
import dev.fairlead.application.port.out.store.ContentTransfer.Receiver;
import dev.fairlead.application.port.out.store.ContentTransfer.Sender;
import dev.fairlead.application.port.out.store.VolumeStore.Creation;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.FailureCodes;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.plan.ContentSource;
import dev.fairlead.application.service.plan.PlannedVolume;
import dev.fairlead.domain.digest.Digests;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.VolumeHandle;
import dev.fairlead.domain.volume.NativeId;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Makes a volume of content on another connection, which is transferred through this process.
 *
 * <p>The content is kept at its source from the first call until all of it has been received, so that a repeated call
 * can resume an interrupted one. Everything needed for that is stored with the new volume and with its source. After a
 * final failure nothing of it is left at either of them.
 *
 * @param source the connection of the content, kept open during the transfer
 */
public record Transfer(
        ConnectionUse source, ContentSource contentSource, HandleCodec codec, KeyedLocks locks, Work work) {
    /**
     * Returns the ticket by which the storage knows a transfer.
     *
     * @param handle of the volume that is made
     */
    static String ticket(String handle) {
        return HexFormat.of().formatHex(Digests.sha256(handle)).substring(0, 24);
    }

    /** Refuses content that cannot be transferred between these connections; does not ask the storage. */
    public static void requireRoute(ConnectionUse source, ConnectionUse to, ContentSource contentSource) {
        Optional<ContentTransfer> from = source.backend().store().transfer();
        Optional<ContentTransfer> into = to.backend().store().transfer();
        String where = "the content source " + contentSource.handle() + " is on connection " + source.name();
        if (from.isEmpty() || into.isEmpty()) {
            String unable = (from.isEmpty() ? source : to).backend().driverType();
            throw new StorageException(new Failure.Unsupported(
                    where + ", and content of driver " + unable + " cannot be carried over to connection " + to.name(),
                    "use a class that allows " + source.name()));
        }
        ContentTransfer.Format there = from.get().format();
        ContentTransfer.Format here = into.get().format();
        if (!there.equals(here)) {
            throw new StorageException(new Failure.Unsupported(
                    where + " and is a " + words(there) + ", and connection " + to.name() + " makes volumes of a "
                            + words(here),
                    "use a class that allows " + source.name()
                            + ", or one of a connection that has volumes of the same kind"));
        }
    }

    private static String words(ContentTransfer.Format format) {
        return switch (format.medium()) {
            case FILESYSTEM -> "filesystem (" + format.name() + ")";
            case BLOCK_DEVICE -> "block device (" + format.name() + ")";
        };
    }

    /**
     * Makes the volume, or goes on where an earlier call stopped.
     *
     * @param planned whose request has the content by its handle
     */
    public Creation bring(PlannedVolume planned) {
        Receiver receiver = role(planned.use()).receiver();
        NativeId id = planned.birth().id();
        Optional<Begun> begun = receiver.begun(id, work);
        begun.filter(it -> !it.content().equals(planned.request().content())).ifPresent(it -> {
            throw new StorageException(new Failure.VolumeConflict(
                    handle(planned), "it is being made of " + it.content().handle() + "; delete it first"));
        });
        try {
            PlannedVolume whole = begun.filter(Begun::complete)
                    .map(it -> asBegun(planned, it))
                    .orElseGet(() -> carried(planned, receiver, begun));
            letGo(planned);
            return receiver.finish(whole.birth(), work.finishing());
        } catch (RuntimeException thrown) {
            throw FailureCodes.isFinal(thrown) ? cleared(planned, receiver, thrown) : thrown;
        }
    }

    /**
     * Returns the plan with at least the size that was requested when the transfer began, since the source may be gone
     * by now.
     */
    private static PlannedVolume asBegun(PlannedVolume planned, Begun begun) {
        return begun.size()
                .map(size -> planned.holding(
                        new ContentSource.Found(planned.request().content(), size)))
                .orElse(planned);
    }

    private PlannedVolume carried(PlannedVolume planned, Receiver receiver, Optional<Begun> begun) {
        Optional<String> mark = begun.flatMap(Begun::mark);
        Optional<Extent> left = mark.flatMap(_ -> extent(planned, mark));
        if (begun.isPresent() && left.isEmpty()) {
            receiver.clear(planned.birth().id(), work); // what came cannot be resumed
        }
        // Kept content can still be sent, even if its volume or snapshot can no longer be found.
        Optional<ContentSource.Found> found = left.isPresent()
                ? source.read(work, "find " + contentSource.handle(), backend -> contentSource.find(backend, work))
                : Optional.of(locks.sharing(contentSource.lock(), work, () -> kept(planned)));
        PlannedVolume least = begun.filter(_ -> left.isPresent())
                .map(it -> asBegun(planned, it))
                .orElse(planned);
        PlannedVolume whole = found.map(it ->
                        least.holding(new ContentSource.Found(planned.request().content(), it.size())))
                .orElse(least);
        Extent extent = left.or(() -> extent(planned, Optional.empty())).orElseThrow(contentSource::notFound);
        new TransferStream(source, whole, contentSource, extent, work)
                .pass(left.flatMap(_ -> mark), ticket(handle(planned)));
        return whole;
    }

    /** Keeps the content at its source unchanged and undeleted, and returns it. */
    private ContentSource.Found kept(PlannedVolume planned) {
        return source.change(work, "keep " + contentSource.handle(), (backend, its) -> {
            ContentSource.Found found = contentSource.find(backend, its).orElseThrow(contentSource::notFound);
            try {
                role(source).sender().keep(contentSource.content(), ticket(handle(planned)), its);
            } catch (StorageException thrown) {
                throw isAbsence(thrown.failure()) ? contentSource.notFound() : thrown;
            }
            return found;
        });
    }

    private static boolean isAbsence(Failure failure) {
        return failure instanceof Failure.VolumeNotFound || failure instanceof Failure.SnapshotNotFound;
    }

    private Optional<Extent> extent(PlannedVolume planned, Optional<String> mark) {
        String ticket = ticket(handle(planned));
        return source.change(
                work,
                "measure " + contentSource.handle(),
                (_, its) -> role(source).sender().extent(contentSource.content(), ticket, mark, its));
    }

    /** Ends the transfer at its source, even if the caller has gone. */
    private void letGo(PlannedVolume planned) {
        letGo(source, contentSource, handle(planned), work.finishing());
    }

    /**
     * Ends at the source what a transfer has begun there.
     *
     * @param handle of the volume that was to be made
     */
    public static void letGo(ConnectionUse source, ContentSource contentSource, String handle, Work work) {
        var _ = source.begin(work, "let go of " + contentSource.handle(), (backend, its) -> {
                    Optional<Sender> sender = backend.store().transfer().map(ContentTransfer::sender);
                    sender.ifPresent(it -> it.letGo(contentSource.content(), ticket(handle), its));
                })
                .outcome();
    }

    /**
     * Removes what was made, and returns the failure; if that does not succeed, returns one after which the caller
     * tries again, since a final code is only for what does not exist.
     */
    private RuntimeException cleared(PlannedVolume planned, Receiver receiver, RuntimeException thrown) {
        try {
            receiver.clear(planned.birth().id(), work.finishing());
            letGo(planned);
            return thrown;
        } catch (StorageException stays) {
            thrown.addSuppressed(stays);
            return FailureCodes.toBeRetried(planned.use().backend().name(), thrown);
        }
    }

    private String handle(PlannedVolume planned) {
        return codec.encode(
                new VolumeHandle(planned.use().name(), planned.birth().id()));
    }

    private static ContentTransfer role(ConnectionUse use) {
        return use.backend().store().transfer().orElseThrow();
    }
}
