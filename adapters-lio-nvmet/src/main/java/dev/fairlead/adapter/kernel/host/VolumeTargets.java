package dev.fairlead.adapter.kernel.host;

import dev.fairlead.application.port.out.export.Exporter.Plan;
import dev.fairlead.application.port.out.export.block.TargetName;
import dev.fairlead.application.port.out.export.block.TargetNaming;
import dev.fairlead.application.port.out.store.NoteLook;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.Optional;
import java.util.function.Function;

/**
 * Tells the devices and the target names of a connection's volumes, and refuses those of which no target can be made.
 *
 * @param notes of the volumes' store
 */
public record VolumeTargets(ConnectionName connection, TargetNaming names, NoteLook notes) {
    /** Plans a volume's target before anything is made; a device that cannot have one is refused. */
    public Plan plan(Birth birth, Function<TargetName, Attachment> attachment) {
        var _ = device(birth.medium());
        TargetName name = names.planned(birth);
        return new Plan(names.note(name), Optional.of(attachment.apply(name)));
    }

    public DevicePath device(VolumeMedium medium) {
        return DevicePath.of(medium, connection);
    }

    /** Returns the name of the volume's target; throws {@code BackendRejected} if no target could have it. */
    public TargetName name(StoredVolume volume) {
        return names.of(volume).orElseThrow(() -> nameless(volume));
    }

    private StorageException nameless(StoredVolume volume) {
        return new StorageException(new Failure.BackendRejected(
                connection.value(),
                "volume " + volume.id() + " has a name noted for its target, or would get one, that no target can"
                        + " have; correct " + notes.place(volume.id(), names.noteKey())));
    }
}
