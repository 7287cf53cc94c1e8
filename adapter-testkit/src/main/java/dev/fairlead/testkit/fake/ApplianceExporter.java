package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.Map;
import java.util.Optional;

/**
 * Exports filesystems by an {@link Appliance}, whatever store has made them: it knows of a volume where it is, and
 * nothing else. What it plans for a birth no store knows.
 */
public final class ApplianceExporter implements Exporter {
    /** The note of the number that the appliance gave to a volume's share. */
    public static final String NOTE = "appliance/share";

    private final Appliance appliance;

    public ApplianceExporter(Appliance appliance) {
        this.appliance = appliance;
    }

    @Override
    public VolumeMedium.Kind accepts() {
        return VolumeMedium.Kind.FILESYSTEM;
    }

    @Override
    public Plan plan(VolumeStore.Birth birth) {
        return new Plan(Map.of(), attachment(birth.medium()), Map.of("appliance-share", "yes"));
    }

    @Override
    public Export export(StoredVolume volume, Work work) {
        Attachment attachment = attachment(volume.medium())
                .orElseThrow(() -> new StorageException(
                        new Failure.BackendRejected("appliance", volume.id() + " is mounted nowhere")));
        String path = volume.medium().path();
        if (!appliance.shares().containsKey(path)) {
            work.effect(new Effect("share", path), () -> appliance.share(path));
        }
        Integer number = appliance.shares().get(path);
        if (number == null) {
            throw new StorageException(new Failure.Unintelligible("appliance", path + " was shared, and is not"));
        }
        return new Export(attachment, Map.of(NOTE, number.toString()));
    }

    @Override
    public Optional<Attachment> attachment(StoredVolume volume, Work work) {
        return attachment(volume.medium());
    }

    private static Optional<Attachment> attachment(VolumeMedium medium) {
        return Optional.of(medium.path())
                .filter(path -> path.startsWith("/"))
                .map(path -> new Attachment.Nfs("appliance", path));
    }

    @Override
    public void unexport(NativeId id, Optional<VolumeMedium> where, Optional<StoredVolume> stored, Work work) {
        where.map(VolumeMedium::path)
                .filter(appliance.shares()::containsKey)
                .ifPresent(path -> work.effect(new Effect("unshare", path), () -> appliance.unshare(path)));
    }
}
