package dev.fairlead.application.port.out.export;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.Map;
import java.util.Optional;

/**
 * Makes a stored volume reachable over one protocol. Implement this to add a protocol or a new way to share.
 *
 * <p>Idempotent, as {@link VolumeStore} is: exporting what is exported finds it, unexporting what is not is done.
 */
public interface Exporter extends AutoCloseable {
    VolumeMedium.Kind accepts();

    /**
     * Decides, without any effect, the names that {@link #export} will use; they are noted with the volume at birth.
     */
    Plan plan(VolumeStore.Birth birth);

    /**
     * Makes it so, reads it back, and answers what a node needs. A volume that is closed by its notes is reachable then
     * by the nodes alone that they name; see {@link AccessControl}.
     */
    Export export(StoredVolume volume, Work work);

    /**
     * Answers the export of a volume that its store has made just now, if what was planned for its birth has exported
     * it already; otherwise {@link #export} is called. Nothing is asked of the storage.
     */
    default Optional<Export> alreadyExported(VolumeStore.Creation made) {
        return Optional.empty();
    }

    /**
     * What a node needs to reach a volume that is exported, found without any effect; empty where it cannot be told.
     * Asked where a volume's notes do not say it, as those of a peer's volume do not.
     */
    Optional<Attachment> attachment(StoredVolume volume, Work work);

    /**
     * Takes down whatever makes the volume reachable. A target may outlive its volume and the volume's notes; it is
     * then found by the place that it was made of.
     *
     * @param where the volume is, or was; empty if its store cannot tell
     * @param stored the volume, if it exists
     */
    void unexport(NativeId id, Optional<VolumeMedium> where, Optional<StoredVolume> stored, Work work);

    /** Answers whether it can narrow who reaches a volume; one that cannot leaves volumes open. */
    default Optional<AccessControl> accessControl() {
        return Optional.empty();
    }

    /**
     * Answers how nodes are shut out of volumes that are closed. Where volumes could be closed by the connection's
     * settings of some day, it is there whatever today's are.
     */
    default Optional<Revocation> revocation() {
        return Optional.empty();
    }

    /** Tells the protocol's clients that the volume has grown. */
    default void expanded(StoredVolume volume, Work work) {}

    @Override
    default void close() {}

    /**
     * @param attachment if it is known before the export is made, so that it can be noted at birth
     * @param bornWith settings of the storage that export the volume from its first moment, for a store that knows them
     */
    record Plan(Map<String, String> notes, Optional<Attachment> attachment, Map<String, String> bornWith) {
        public Plan {
            notes = Map.copyOf(notes);
            bornWith = Map.copyOf(bornWith);
        }

        public Plan(Map<String, String> notes, Optional<Attachment> attachment) {
            this(notes, attachment, Map.of());
        }
    }

    /** @param notes ids that the protocol gave, to be kept with the volume */
    record Export(Attachment attachment, Map<String, String> notes) {
        public Export {
            notes = Map.copyOf(notes);
        }
    }
}
