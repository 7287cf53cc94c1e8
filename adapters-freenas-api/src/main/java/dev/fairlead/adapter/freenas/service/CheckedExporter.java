package dev.fairlead.adapter.freenas.service;

import dev.fairlead.application.port.out.AccessReview;
import dev.fairlead.application.port.out.export.AccessControl;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.NodePublication;
import dev.fairlead.application.port.out.export.Revocation;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.node.NodeFact;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.Optional;

/**
 * Exports volumes as another exporter does while the box's service runs. Whatever takes access or volumes away goes on
 * if it does not.
 */
public record CheckedExporter(Exporter exporter, ServiceWatch watch) implements Exporter, AccessControl {
    @Override
    public VolumeMedium.Kind accepts() {
        return exporter.accepts();
    }

    @Override
    public Plan plan(VolumeStore.Birth birth) {
        return exporter.plan(birth);
    }

    @Override
    public void requireAble(Work work) {
        exporter.requireAble(work);
    }

    @Override
    public Export export(StoredVolume volume, Work work) {
        watch.require(work);
        return exporter.export(volume, work);
    }

    @Override
    public Export exportNew(StoredVolume volume, Work work) {
        watch.require(work);
        return exporter.exportNew(volume, work);
    }

    @Override
    public Optional<Export> alreadyExported(VolumeStore.Creation made) {
        return exporter.alreadyExported(made);
    }

    @Override
    public Optional<Attachment> attachment(StoredVolume volume, Work work) {
        return exporter.attachment(volume, work);
    }

    @Override
    public void unexport(NativeId id, Optional<VolumeMedium> where, Optional<StoredVolume> stored, Work work) {
        exporter.unexport(id, where, stored, work);
    }

    @Override
    public Optional<AccessControl> accessControl() {
        return exporter.accessControl().map(_ -> this);
    }

    @Override
    public NodeFact knownBy() {
        return control().knownBy();
    }

    @Override
    public void admit(StoredVolume volume, Grants grants, Work work) {
        if (!grants.isEmpty()) {
            watch.require(work);
        }
        control().admit(volume, grants, work);
    }

    private AccessControl control() {
        return exporter.accessControl().orElseThrow();
    }

    @Override
    public Optional<Revocation> revocation() {
        return exporter.revocation();
    }

    @Override
    public Optional<NodePublication> nodePublication() {
        return exporter.nodePublication();
    }

    @Override
    public Optional<AccessReview> accessReview() {
        return exporter.accessReview();
    }

    @Override
    public void expanded(StoredVolume volume, Work work) {
        exporter.expanded(volume, work);
    }

    @Override
    public void close() {
        exporter.close();
    }
}
