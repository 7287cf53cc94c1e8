package dev.fairlead.adapter.template;

import dev.fairlead.adapter.template.TemplateFolders.Reading;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.domain.volume.VolumeMedium;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Keeps volumes as folders, without snapshots and clones; their sizes are only recorded. */
final class TemplateVolumeStore implements VolumeStore {
    static final Set<VolumeMedium.Kind> MEDIA = Set.of(VolumeMedium.Kind.FILESYSTEM);

    private final ConnectionName connection;
    private final TemplateFolders folders;

    TemplateVolumeStore(ConnectionName connection, TemplateSettings settings) {
        this.connection = connection;
        this.folders = new TemplateFolders(settings.base());
    }

    @Override
    public Set<VolumeMedium.Kind> media() {
        return MEDIA;
    }

    @Override
    public Birth plan(CreateRequest request, NativeId suggested) {
        if (request.capabilities().stream().anyMatch(it -> it.access() instanceof VolumeCapability.Block)) {
            throw unsupported("a block device", "ask for a file system");
        }
        if (!request.content().equals(Content.EMPTY)) {
            throw unsupported("a volume with content", "ask for an empty one");
        }
        if (!TemplateFolders.isOurs(suggested)) {
            throw unsupported("the id " + suggested, "use letters, digits, dots and dashes in it");
        }
        return new Birth(suggested, request, request.capacity().choose(), folders.medium(suggested), Map.of());
    }

    @Override
    public Creation create(Birth birth, Work work) {
        Optional<StoredVolume> existing = existing(birth, work);
        if (existing.isEmpty()) {
            change("create", birth.id(), () -> folders.make(birth.made()), work);
        }
        return new Creation(found(birth.id(), work), existing.isEmpty());
    }

    @Override
    public Optional<StoredVolume> find(NativeId id, Work work) {
        return TemplateFolders.isOurs(id) ? read(() -> folders.read(id)) : Optional.empty();
    }

    private StoredVolume found(NativeId id, Work work) {
        return find(id, work).orElseThrow(() -> new StorageException(new Failure.VolumeNotFound(id.value())));
    }

    @Override
    public Optional<VolumeMedium> placeOf(NativeId id, Work work) {
        return TemplateFolders.isOurs(id) ? Optional.of(folders.medium(id)) : Optional.empty();
    }

    @Override
    public StoredVolume expand(NativeId id, CapacityRange range, Work work) {
        StoredVolume volume = found(id, work);
        if (range.required()
                .filter(volume.capacity().orElse(Capacity.ZERO)::isLessThan)
                .isPresent()) {
            change("expand", id, () -> folders.rewrite(volume.withCapacity(range.required())), work);
        }
        return found(id, work);
    }

    @Override
    public void note(NativeId id, Map<String, String> notes, Work work) {
        StoredVolume volume = found(id, work);
        Map<String, String> all = new HashMap<>(volume.notes());
        all.putAll(notes);
        if (!all.equals(volume.notes())) {
            change("note", id, () -> folders.rewrite(volume.withNotes(all)), work);
        }
    }

    @Override
    public void delete(NativeId id, OnDependents policy, Work work) {
        if (TemplateFolders.isOurs(id)) {
            change("delete", id, () -> folders.delete(id), work);
        }
    }

    @Override
    public Page<StoredVolume> list(PageRequest page, Work work) {
        return read(() -> page.cut(folders.ids(), id -> folders.read(new NativeId(id))));
    }

    @Override
    public Room room(Map<String, String> parameters, Work work) {
        return new Room(read(folders::room), Optional.empty());
    }

    @Override
    public boolean advisorySize(NativeId id) {
        return true;
    }

    private void change(String kind, NativeId id, Work.Action<IOException> action, Work work) {
        var _ = read(() -> {
            work.effect(new Effect(kind, id.value()), action);
            return true;
        });
    }

    private <T> T read(Reading<T> reading) {
        try {
            return reading.run();
        } catch (IOException | UncheckedIOException | IllegalArgumentException e) { // the last: a damaged record
            throw new StorageException(new Failure.BackendUnavailable(connection.value(), e.toString()));
        }
    }

    private static StorageException unsupported(String what, String remedy) {
        return new StorageException(new Failure.Unsupported(what, remedy));
    }
}
