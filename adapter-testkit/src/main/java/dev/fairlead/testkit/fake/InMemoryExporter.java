package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.export.AccessControl;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.Revocation;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.node.NodeFact;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Exports volumes by an entry in a table of an {@link InMemoryStorage}. */
public class InMemoryExporter implements Exporter, AccessControl, Revocation {
    /** The note that this exporter gives to a volume: the number of its export. */
    public static final String NOTE = "fake/export";

    private final InMemoryStorage storage;
    private final VolumeMedium.Kind accepts;

    public InMemoryExporter(InMemoryStorage storage) {
        this(storage, VolumeMedium.Kind.FILESYSTEM);
    }

    public InMemoryExporter(InMemoryStorage storage, VolumeMedium.Kind accepts) {
        this.storage = storage;
        this.accepts = accepts;
    }

    @Override
    public VolumeMedium.Kind accepts() {
        return accepts;
    }

    @Override
    public Plan plan(VolumeStore.Birth birth) {
        return new Plan(
                Map.of(), Optional.of(new Attachment.HostPath(birth.medium().path())));
    }

    @Override
    public Export export(StoredVolume volume, Work work) {
        storage.called();
        String path = volume.medium().path();
        // Access is restricted before the export is made, so that a closed volume is at no time open to everybody.
        if (Access.of(volume.notes()) instanceof Access.Nodes(var grants)) {
            admit(volume, grants, work);
        }
        if (!path.equals(storage.exports().get(volume.id()))) {
            work.effect(new Effect("export", volume.id().value()), () -> storage.export(volume.id(), path));
        }
        String found = storage.exports().get(volume.id());
        if (!Objects.equals(found, path)) {
            throw untrue("export of " + volume.id() + " was made, and is not there");
        }
        return new Export(new Attachment.HostPath(path), Map.of(NOTE, "export of " + volume.id()));
    }

    @Override
    public Optional<Attachment> attachment(StoredVolume volume, Work work) {
        storage.called();
        return Optional.ofNullable(storage.exports().get(volume.id())).map(Attachment.HostPath::new);
    }

    @Override
    public void unexport(NativeId id, Optional<VolumeMedium> where, Optional<StoredVolume> stored, Work work) {
        storage.called();
        if (!storage.exports().containsKey(id) && storage.admitted(id).isEmpty()) {
            return;
        }
        work.effect(new Effect("unexport", id.value()), () -> storage.unexport(id));
        if (storage.exports().containsKey(id)) {
            throw untrue("export of " + id + " was removed, and is still there");
        }
    }

    @Override
    public Optional<AccessControl> accessControl() {
        return Optional.of(this);
    }

    @Override
    public Optional<Revocation> revocation() {
        return Optional.of(this);
    }

    @Override
    public NodeFact knownBy() {
        return NodeFact.ADDRESS;
    }

    @Override
    public void admit(StoredVolume volume, Grants grants, Work work) {
        storage.called();
        if (!storage.admitted(volume.id()).equals(Optional.of(grants))) {
            work.effect(new Effect("admit", volume.id().value()), () -> storage.admit(volume.id(), grants));
        }
        if (!storage.admitted(volume.id()).equals(Optional.of(grants))) {
            throw untrue("export of " + volume.id() + " was narrowed, and is not");
        }
    }

    @Override
    public void revoke(StoredVolume volume, Grants remaining, Work work) {
        storage.called();
        if (storage.admitted(volume.id()).isPresent()) {
            admit(volume, remaining, work);
        }
    }

    private StorageException untrue(String detail) {
        return new StorageException(new Failure.Unintelligible(storage.name, detail));
    }
}
