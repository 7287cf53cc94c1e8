package dev.fairlead.application.service.create;

import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.Exporter.Export;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Creation;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.FailureCodes;
import dev.fairlead.application.service.call.Key;
import dev.fairlead.application.service.call.KeyedLocks;
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
 * @param from the connection of the content, if that is another one
 */
record VolumeCreation(
        PlannedVolume planned,
        Optional<ContentSource> contentSource,
        Optional<ConnectionUse> from,
        KeyedLocks locks,
        Work work) {
    VolumeView make(Source asked) {
        VolumeView view = locks.exclusively(
                lock(planned.birth().id()),
                work,
                () -> planned.use()
                        .change(
                                work,
                                work.what(),
                                (_, its) -> new VolumeCreation(planned, contentSource, from, locks, its).make()));
        return new VolumeView(view.handle(), view.capacity(), view.context(), asked, view.accessibleFrom());
    }

    private VolumeView make() {
        if (contentSource.isEmpty()) {
            return create(planned); // it returns a volume that exists
        }
        if (from.isPresent()) {
            return carriedOver(new Transfer(from.get(), contentSource.get(), planned.codec(), locks, work));
        }
        Optional<ContentSource.Found> content = contentSource.flatMap(it -> it.find(backend(), work));
        Optional<StoredVolume> existing = store().existing(planned.birth(), work);
        if (existing.isPresent()) { // its source may be gone
            return adopt(existing.get(), content.map(this::spelled).orElse(planned));
        }
        PlannedVolume whole =
                planned.holding(content.orElseThrow(() -> contentSource.get().notFound()));
        return locks.sharing(contentSource.get().lock(), work, () -> create(whole));
    }

    /** Makes the volume by a transfer, or adopts one that exists; then its source need not exist any more. */
    private VolumeView carriedOver(Transfer transfer) {
        Optional<StoredVolume> existing = store().existing(planned.birth(), work);
        return existing.isPresent() ? adopt(existing.get(), planned) : created(planned, () -> transfer.bring(planned));
    }

    /** Returns the site with the content's id as the store spells it, and with the sizes as they were asked for. */
    private PlannedVolume spelled(ContentSource.Found found) {
        if (found.content().equals(planned.request().content())) {
            return planned;
        }
        return planned.holding(new ContentSource.Found(found.content(), Capacity.ZERO));
    }

    private VolumeView create(PlannedVolume whole) {
        return created(whole, () -> store().create(whole.birth(), work));
    }

    private VolumeView created(PlannedVolume whole, Supplier<Creation> creation) {
        Creation made;
        try {
            made = creation.get();
        } catch (RuntimeException thrown) {
            throw unlessGone(thrown);
        }
        return made.fresh() ? finishOrUndo(made) : adopt(made.volume(), whole);
    }

    /** Finishes a volume that existed before if it is the one asked for, and refuses it otherwise; never removes it. */
    private VolumeView adopt(StoredVolume volume, PlannedVolume wanted) {
        return lockedToo(volume.id(), () -> {
            Compatibility.difference(
                            volume, wanted.request(), wanted.birth().medium().kind())
                    .ifPresent(difference -> {
                        throw new StorageException(
                                new Failure.VolumeConflict(views().handle(backend(), volume), difference));
                    });
            wanted.requireReachable(volume);
            try {
                modify(volume.id(), wanted.request().mutable());
                return finish(volume, backend().exporter().export(volume, work));
            } catch (RuntimeException thrown) {
                throw FailureCodes.isFinal(thrown)
                        ? FailureCodes.toBeRetried(backend().name(), thrown)
                        : thrown;
            }
        });
    }

    /**
     * Sets the mutable parameters of an existing volume, which CSI wants to be compatible with them. A difference is no
     * conflict, since a volume may have been modified after its creation, and a claim that waits may have been given
     * another class.
     */
    private void modify(NativeId id, Map<String, String> mutable) {
        if (!mutable.isEmpty()) {
            store().modification().orElseThrow().modify(id, mutable, work);
        }
    }

    private VolumeView finishOrUndo(Creation made) {
        Exporter exporter = backend().exporter();
        StoredVolume volume = made.volume();
        try {
            return finish(volume, exporter.alreadyExported(made).orElseGet(() -> exporter.export(volume, work)));
        } catch (RuntimeException thrown) {
            if (FailureCodes.isFinal(thrown)) {
                undo(volume, thrown);
            }
            throw thrown;
        }
    }

    /**
     * Exports the volume, and notes everything that its context needs: a PersistentVolume's context never changes
     * later.
     */
    private VolumeView finish(StoredVolume volume, Export export) {
        Map<String, String> news = new HashMap<>(export.notes());
        boolean ours = volume.notes().containsKey(Notes.DIGEST);
        if (ours && !Notes.saysHowToAttach(volume.notes())) {
            news.putAll(Notes.ofContext(VolumeViews.birthContext(backend(), export.attachment(), volume.content())));
        }
        news.entrySet().removeAll(volume.notes().entrySet());
        if (news.isEmpty()) {
            return views().reachable(backend(), volume, work); // as it was read back when it was made or found
        }
        store().note(volume.id(), news, work);
        StoredVolume seen = store().find(volume.id(), work).orElseThrow(() -> untrue(volume.id()));
        return views().reachable(backend(), seen, work);
    }

    /**
     * Returns the failure of a create if nothing was made, else one after which the caller tries again. Removes what
     * the create may have left unfinished if its failure does not exclude that.
     */
    private RuntimeException unlessGone(RuntimeException thrown) {
        if (!FailureCodes.isFinal(thrown)) {
            return thrown;
        }
        Work finishing = work.finishing();
        try {
            if (store().existing(planned.birth(), finishing).isPresent()) {
                return FailureCodes.toBeRetried(backend().name(), thrown);
            }
            if (FailureCodes.mayHaveLeftSomething(thrown)) {
                clear(planned.birth().id(), finishing);
            }
            return thrown;
        } catch (RuntimeException unknown) {
            thrown.addSuppressed(unknown);
            return FailureCodes.toBeRetried(backend().name(), thrown);
        }
    }

    private void clear(NativeId id, Work finishing) {
        try {
            store().delete(id, VolumeStore.OnDependents.REFUSE, finishing);
        } catch (StorageException refused) {
            if (!(refused.failure() instanceof Failure.NotOurs)) { // somebody else's volume was not left by this call
                throw refused;
            }
        }
    }

    private void undo(StoredVolume volume, RuntimeException thrown) {
        Work finishing = work.finishing();
        try {
            backend().exporter().unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), finishing);
            store().delete(volume.id(), VolumeStore.OnDependents.REFUSE, finishing);
            if (store().find(volume.id(), finishing).isPresent()) {
                throw untrue(volume.id());
            }
        } catch (RuntimeException stays) {
            thrown.addSuppressed(stays);
            throw FailureCodes.toBeRetried(backend().name(), thrown);
        }
    }

    /**
     * Runs the body with the lock of the volume's id too, since a volume of this name may have an id that the
     * connection would not give it today.
     */
    private VolumeView lockedToo(NativeId id, Supplier<VolumeView> body) {
        return id.equals(planned.birth().id()) ? body.get() : locks.exclusively(lock(id), work, body);
    }

    private Key lock(NativeId id) {
        return Key.volume(planned.codec().encode(new VolumeHandle(backend().name(), id)));
    }

    private StorageException untrue(NativeId id) {
        return new StorageException(new Failure.Unintelligible(
                backend().name().value(), "volume " + id + " was made or removed, and reading it back says otherwise"));
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
