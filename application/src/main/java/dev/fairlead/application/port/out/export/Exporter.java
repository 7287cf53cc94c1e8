package dev.fairlead.application.port.out.export;

import dev.fairlead.application.port.out.AccessReview;
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
 * <p>Idempotent, as {@link VolumeStore} is: exporting an exported volume finds the export, and unexporting one that is
 * not exported does nothing.
 */
public interface Exporter extends AutoCloseable {
    VolumeMedium.Kind accepts();

    /**
     * Decides, without any effect, the names that {@link #export} will use; they are noted with the volume when it is
     * created.
     */
    Plan plan(VolumeStore.Birth birth);

    /**
     * Throws if no volume can be exported on this storage, whatever the volume is, such as for want of a newer release.
     * Called before a volume is made, so that nothing is left of one that could never be exported. What is known
     * already decides; nothing is asked of the storage for it alone, and nothing is changed.
     *
     * @throws dev.fairlead.domain.failure.StorageException what {@link #export} would throw
     */
    default void requireAble(Work work) {}

    /**
     * Exports the volume, reads the export back, and answers what a node needs to reach it. If the volume's notes say
     * that it is closed, only the nodes that they name reach it; see {@link AccessControl}.
     */
    Export export(StoredVolume volume, Work work);

    /**
     * Exports a volume that its store has made just now, so that nobody can have exported it before. An exporter need
     * not look for an export then, if it finds one by being refused to make another.
     */
    default Export exportNew(StoredVolume volume, Work work) {
        return export(volume, work);
    }

    /**
     * Answers the export of a volume that its store has made just now, if what was planned for its birth has exported
     * it already; otherwise {@link #export} is called. Nothing is asked of the storage.
     */
    default Optional<Export> alreadyExported(VolumeStore.Creation made) {
        return Optional.empty();
    }

    /**
     * Returns what a node needs to reach an exported volume, and changes nothing; empty if it cannot be told. Called if
     * the volume's notes do not say it, as for a volume that democratic-csi made.
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

    /** Returns the role that limits access to single nodes; empty if the exporter leaves all its volumes open. */
    default Optional<AccessControl> accessControl() {
        return Optional.empty();
    }

    /**
     * Returns the role that shuts nodes out of closed volumes. It is present whatever the connection's present settings
     * are, if volumes may have been closed under earlier settings.
     */
    default Optional<Revocation> revocation() {
        return Optional.empty();
    }

    /**
     * Returns the role that makes volumes available node by node; empty if an exported volume is reachable from every
     * node that may reach it.
     */
    default Optional<NodePublication> nodePublication() {
        return Optional.empty();
    }

    /** Returns the role that tells which rights the exporter lacks on its storage; empty if there are none such. */
    default Optional<AccessReview> accessReview() {
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
