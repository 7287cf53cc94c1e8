package dev.fairlead.application.service.create;

import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.out.export.Exporter.Export;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Creation;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.FailureCodes;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.KeyedLocks.LockKey;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.plan.ContentSource;
import dev.fairlead.application.service.plan.PlannedVolume;
import dev.fairlead.application.service.plan.VolumeViews;
import dev.fairlead.application.service.transfer.Transfer;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.VolumeHandle;
import dev.fairlead.domain.volume.Compatibility;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes one volume on one connection, or finishes what an earlier call began.
 *
 * <p>A failure after the first effect is one after which the caller tries again; or it is final, and what this call
 * made is verified gone.
 *
 * @param asked the source as the caller spells it
 * @param from the connection of the content, if that is another one
 */
record VolumeCreation(
        PlannedVolume planned,
        Source asked,
        Optional<ContentSource> contentSource,
        Optional<ConnectionUse> from,
        KeyedLocks locks) {
    /** Returns the volume once it is made, exported and noted. */
    VolumeView create(Work work) {
        return locks.exclusively(
                lock(planned.birth().id()),
                work,
                () -> planned.use().change(work, work.what(), (_, its) -> createFromContent(its)));
    }

    private VolumeView createFromContent(Work work) {
        if (contentSource.isEmpty()) {
            return makeAndExport(planned, work);
        }
        return from.isPresent()
                ? createByTransfer(new Transfer(from.get(), contentSource.get(), planned.codec(), locks, work), work)
                : createFromSource(contentSource.get(), work);
    }

    /** Lets the content come from another connection, unless the volume exists; then its source may be gone. */
    private VolumeView createByTransfer(Transfer transfer, Work work) {
        Optional<StoredVolume> existing = store().existing(planned.birth(), work);
        return existing.isPresent()
                ? adopt(existing.get(), planned, work)
                : export(made(() -> transfer.bring(planned), work), planned, work);
    }

    /**
     * Makes the volume of content on the same connection, unless the volume exists; then its source may be gone. The
     * source is looked at under its lock, so that it is not expanded between the plan and the copy.
     */
    private VolumeView createFromSource(ContentSource source, Work work) {
        Optional<StoredVolume> existing = store().existing(planned.birth(), work);
        if (existing.isPresent()) {
            PlannedVolume wanted =
                    source.find(backend(), work).map(this::asSpelled).orElse(planned);
            return adopt(existing.get(), wanted, work);
        }
        if (source.lock().equals(lock(planned.birth().id()))) {
            // A volume that does not exist is asked to be its own source; its lock is held already.
            throw source.notFound();
        }
        return locks.sharing(source.lock(), work, () -> {
            ContentSource.Found content = source.find(backend(), work).orElseThrow(source::notFound);
            return makeAndExport(planned.holding(content), work);
        });
    }

    /** Returns the plan with the content's id as the store spells it, and with the sizes as they were asked for. */
    private PlannedVolume asSpelled(ContentSource.Found found) {
        return found.content().equals(planned.request().content())
                ? planned
                : planned.holding(new ContentSource.Found(found.content(), Capacity.ZERO));
    }

    private VolumeView makeAndExport(PlannedVolume whole, Work work) {
        return export(made(() -> store().create(whole.birth(), work), work), whole, work);
    }

    /** Makes the volume, unless none can be exported: the call may end between the making and the export's refusal. */
    private Creation made(Supplier<Creation> creation, Work work) {
        try {
            backend().exporter().requireAble(work);
            return creation.get();
        } catch (RuntimeException thrown) {
            throw failed().ofStore(thrown, work);
        }
    }

    /** Exports what the store has made. If that was there before, it is adopted. */
    private VolumeView export(Creation made, PlannedVolume wanted, Work work) {
        StoredVolume volume = made.volume();
        if (!made.fresh()) {
            return adopt(volume, wanted, work);
        }
        try {
            Optional<Export> already = backend().exporter().alreadyExported(made);
            return note(volume, already.orElseGet(() -> backend().exporter().exportNew(volume, work)), work);
        } catch (RuntimeException thrown) {
            throw failed().ofExport(volume, thrown, work);
        }
    }

    /** Finishes a volume that existed before if it is the one asked for, and refuses it otherwise; never removes it. */
    private VolumeView adopt(StoredVolume volume, PlannedVolume wanted, Work work) {
        return lockedToo(volume.id(), work, () -> {
            requireCompatible(volume, wanted);
            wanted.requireReachable(volume);
            try {
                modify(volume.id(), wanted.request().mutable(), work);
                return note(volume, backend().exporter().export(volume, work), work);
            } catch (RuntimeException thrown) {
                throw FailureCodes.isFinal(thrown)
                        ? FailureCodes.toBeRetried(backend().name(), thrown)
                        : thrown;
            }
        });
    }

    /**
     * Runs the body with the lock of the volume's id too, since a volume of this name may have an id that the
     * connection would not give it today.
     */
    private VolumeView lockedToo(NativeId id, Work work, Supplier<VolumeView> body) {
        return id.equals(planned.birth().id()) ? body.get() : locks.exclusively(lock(id), work, body);
    }

    private void requireCompatible(StoredVolume volume, PlannedVolume wanted) {
        Compatibility.difference(
                        volume, wanted.request(), wanted.birth().medium().kind())
                .ifPresent(difference -> {
                    throw new StorageException(
                            new Failure.VolumeConflict(views().handle(backend(), volume), difference));
                });
    }

    /**
     * Sets the mutable parameters of an existing volume, which CSI wants to be compatible with them. A difference is no
     * conflict, since a volume may have been modified after its creation, and a claim that waits may have been given
     * another class.
     */
    private void modify(NativeId id, Map<String, String> mutable, Work work) {
        if (!mutable.isEmpty()) {
            store().modification().orElseThrow().modify(id, mutable, work);
        }
    }

    /** Notes everything that the volume's context needs, since a PersistentVolume's context never changes later. */
    private VolumeView note(StoredVolume volume, Export export, Work work) {
        Map<String, String> news = new HashMap<>(export.notes());
        boolean ours = volume.notes().containsKey(Notes.DIGEST);
        if (ours && !Notes.saysHowToAttach(volume.notes())) {
            news.putAll(Notes.ofContext(
                    VolumeViews.birthContext(backend(), volume.id(), export.attachment(), volume.content())));
        }
        news.entrySet().removeAll(volume.notes().entrySet());
        if (news.isEmpty()) {
            return views().reachable(backend(), volume, asked, work); // as it was read back when it was made or found
        }
        StoredVolume seen =
                store().noted(volume.id(), news, work).orElseThrow(() -> FailedCreation.untrue(backend(), volume.id()));
        return views().reachable(backend(), seen, asked, work);
    }

    private FailedCreation failed() {
        return new FailedCreation(backend(), planned.birth());
    }

    private LockKey lock(NativeId id) {
        return LockKey.volume(planned.codec().encode(new VolumeHandle(backend().name(), id)));
    }

    private VolumeViews views() {
        return new VolumeViews(planned.codec());
    }

    private Backend backend() {
        return planned.use().backend();
    }

    private VolumeStore store() {
        return backend().store();
    }
}
