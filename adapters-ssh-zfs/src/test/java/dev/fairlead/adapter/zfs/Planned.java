package dev.fairlead.adapter.zfs;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.Map;
import java.util.Optional;

/** Plans as another exporter does, and leaves it at that: for what a store keeps of the plan. */
final class Planned implements Exporter {
    private final Exporter exporter;

    Planned(Exporter exporter) {
        this.exporter = exporter;
    }

    @Override
    public VolumeMedium.Kind accepts() {
        return exporter.accepts();
    }

    @Override
    public Plan plan(VolumeStore.Birth birth) {
        return exporter.plan(birth);
    }

    @Override
    public Export export(StoredVolume volume, Work work) {
        return new Export(attachment(volume, work).orElseThrow(), Map.of());
    }

    @Override
    public Optional<Attachment> attachment(StoredVolume volume, Work work) {
        return exporter.attachment(volume, work);
    }

    @Override
    public void unexport(NativeId id, Optional<VolumeMedium> where, Optional<StoredVolume> stored, Work work) {
        // nothing was made
    }

    @Override
    public void close() {
        exporter.close();
    }
}
