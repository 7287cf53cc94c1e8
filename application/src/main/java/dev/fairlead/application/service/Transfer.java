package dev.fairlead.application.service;

import dev.fairlead.application.port.out.store.ContentTransfer;
import dev.fairlead.application.port.out.store.ContentTransfer.Arrival;
import dev.fairlead.application.port.out.store.ContentTransfer.Begun;
import dev.fairlead.application.port.out.store.ContentTransfer.Departure;
import dev.fairlead.application.port.out.store.ContentTransfer.Extent;
import dev.fairlead.application.port.out.store.VolumeStore.Creation;
import dev.fairlead.application.port.work.Work;
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
 * @param source the connection of the content, leased during the transfer
 */
record Transfer(Lease source, Origin origin, HandleCodec codec, KeyedLocks locks, Work work) {
    /**
     * Returns the ticket by which the storage knows a transfer.
     *
     * @param handle of the volume that is made
     */
    static String ticket(String handle) {
        return HexFormat.of().formatHex(Digests.sha256(handle)).substring(0, 24);
    }

    /** Refuses content that cannot be transferred between these connections; does not ask the storage. */
    static void requireRoute(Lease source, Lease to, Origin origin) {
        Optional<ContentTransfer> from = source.backend().store().transfer();
        Optional<ContentTransfer> into = to.backend().store().transfer();
        String where = "the content source " + origin.handle() + " is on connection " + source.name();
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
     * @param site whose request has the content by its handle
     */
    Creation bring(Site site) {
        Arrival arrival = role(site.lease()).arrival();
        NativeId id = site.birth().id();
        Optional<Begun> begun = arrival.begun(id, work);
        begun.filter(it -> !it.content().equals(site.request().content())).ifPresent(it -> {
            throw new StorageException(new Failure.VolumeConflict(
                    handle(site), "it is being made of " + it.content().handle() + "; delete it first"));
        });
        try {
            Site whole = begun.filter(Begun::complete)
                    .map(it -> asBegun(site, it))
                    .orElseGet(() -> carried(site, arrival, begun));
            letGo(site);
            return arrival.finish(whole.birth(), work.finishing());
        } catch (RuntimeException thrown) {
            throw LastWord.isFinal(thrown) ? cleared(site, arrival, thrown) : thrown;
        }
    }

    /**
     * Returns the site with at least the size that was wanted when the transfer began; the source may be gone and no
     * longer tell it.
     */
    private static Site asBegun(Site site, Begun begun) {
        return begun.size()
                .map(size -> site.holding(new Origin.Found(site.request().content(), size)))
                .orElse(site);
    }

    private Site carried(Site site, Arrival arrival, Optional<Begun> begun) {
        Optional<String> mark = begun.flatMap(Begun::mark);
        Optional<Extent> left = mark.flatMap(_ -> extent(site, mark));
        if (begun.isPresent() && left.isEmpty()) {
            arrival.clear(site.birth().id(), work); // what came cannot be resumed
        }
        // Kept content can still be sent, even if its volume or snapshot can no longer be found.
        Optional<Origin.Found> found = left.isPresent()
                ? source.read(work, "find " + origin.handle(), backend -> origin.find(backend, work))
                : Optional.of(locks.sharing(origin.lock(), work, () -> kept(site)));
        Site least =
                begun.filter(_ -> left.isPresent()).map(it -> asBegun(site, it)).orElse(site);
        Site whole = found.map(
                        it -> least.holding(new Origin.Found(site.request().content(), it.size())))
                .orElse(least);
        Extent extent = left.or(() -> extent(site, Optional.empty())).orElseThrow(origin::notFound);
        new Passage(source, whole, origin, extent, work).pass(left.flatMap(_ -> mark), ticket(handle(site)));
        return whole;
    }

    /** Keeps the content at its source unchanged and undeleted, and returns it. */
    private Origin.Found kept(Site site) {
        return source.change(work, "keep " + origin.handle(), (backend, its) -> {
            Origin.Found found = origin.find(backend, its).orElseThrow(origin::notFound);
            try {
                role(source).departure().keep(origin.content(), ticket(handle(site)), its);
            } catch (StorageException thrown) {
                throw isAbsence(thrown.failure()) ? origin.notFound() : thrown;
            }
            return found;
        });
    }

    private static boolean isAbsence(Failure failure) {
        return failure instanceof Failure.VolumeNotFound || failure instanceof Failure.SnapshotNotFound;
    }

    private Optional<Extent> extent(Site site, Optional<String> mark) {
        String ticket = ticket(handle(site));
        return source.change(
                work,
                "measure " + origin.handle(),
                (_, its) -> role(source).departure().extent(origin.content(), ticket, mark, its));
    }

    /** Ends the transfer at its source, even if the caller has gone. */
    private void letGo(Site site) {
        letGo(source, origin, handle(site), work.finishing());
    }

    /**
     * Ends at the source what a transfer has begun there.
     *
     * @param handle of the volume that was to be made
     */
    static void letGo(Lease source, Origin origin, String handle, Work work) {
        var _ = source.begin(work, "let go of " + origin.handle(), (backend, its) -> {
                    Optional<Departure> departure = backend.store().transfer().map(ContentTransfer::departure);
                    departure.ifPresent(it -> it.letGo(origin.content(), ticket(handle), its));
                    return true;
                })
                .outcome();
    }

    /**
     * Removes what was made, and returns the failure; if that does not succeed, returns one after which the caller
     * tries again, since a final code is only for what does not exist.
     */
    private RuntimeException cleared(Site site, Arrival arrival, RuntimeException thrown) {
        try {
            arrival.clear(site.birth().id(), work.finishing());
            letGo(site);
            return thrown;
        } catch (StorageException stays) {
            thrown.addSuppressed(stays);
            return LastWord.toBeRetried(site.lease().backend(), thrown);
        }
    }

    private String handle(Site site) {
        return codec.encode(new VolumeHandle(site.lease().name(), site.birth().id()));
    }

    private static ContentTransfer role(Lease lease) {
        return lease.backend().store().transfer().orElseThrow();
    }
}
