package dev.fairlead.adapter.zfs.nvmet;

import dev.fairlead.adapter.zfs.asset.AssetName;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.application.port.out.export.AccessControl;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.Revocation;
import dev.fairlead.application.port.out.store.VolumeStore;
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
import dev.fairlead.zfs.dataset.DatasetName;
import java.util.Optional;

/** Shows each block volume as the one namespace of an NVMe subsystem of its own. */
final class NvmetExporter implements Exporter, AccessControl, Revocation {
    private static final int NAMESPACE = 1;

    private final ZfsConnection connection;
    private final NvmeofSettings settings;
    private final NvmetPlaces places;
    private final Nvmet target;

    NvmetExporter(ZfsConnection connection, NvmeofSettings settings, NvmetPlaces places) {
        this.connection = connection;
        this.settings = settings;
        this.places = places;
        this.target = new Nvmet(connection, settings, places);
    }

    @Override
    public VolumeMedium.Kind accepts() {
        return VolumeMedium.Kind.BLOCK_DEVICE;
    }

    @Override
    public Plan plan(VolumeStore.Birth birth) {
        AssetName asset = settings.names().planned(birth);
        return new Plan(settings.names().note(asset), Optional.of(attachment(asset)));
    }

    @Override
    public Export export(StoredVolume volume, Work work) {
        return export(volume, Access.of(volume.notes()), work);
    }

    private Export export(StoredVolume volume, Access access, Work work) {
        DatasetName dataset = dataset(volume.id()).orElseThrow(() -> missing(volume.id()));
        AssetName asset = settings.names().of(volume).orElseThrow(() -> nameless(volume));
        Subsystem subsystem = subsystem(settings.names().target(asset), dataset);
        Subsystem wanted = access instanceof Access.Nodes(var grants)
                ? subsystem.closedTo(grants.initiators().keySet())
                : subsystem;
        target.export(wanted, volume.id().value(), work);
        return new Export(attachment(asset), settings.names().note(asset));
    }

    @Override
    public Optional<Attachment> attachment(StoredVolume volume, Work work) {
        return settings.names().of(volume).map(this::attachment);
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
        return NodeFact.NQN;
    }

    /** A target of NVMe knows no hosts that may only read: that is left to the node. */
    @Override
    public void admit(StoredVolume volume, Grants grants, Work work) {
        export(volume, new Access.Nodes(grants), work);
    }

    /** Whatever it is called, a subsystem that shows the volume's device is closed to all others. */
    @Override
    public void revoke(StoredVolume volume, Grants remaining, Work work) {
        DatasetName dataset = dataset(volume.id()).orElseThrow(() -> missing(volume.id()));
        String nqn = settings.names().of(volume).map(settings.names()::target).orElse("");
        Subsystem closed =
                subsystem(nqn, dataset).closedTo(remaining.initiators().keySet());
        target.revoke(closed, volume.id().value(), work);
    }

    private Attachment attachment(AssetName asset) {
        return new Attachment.Nvmeof(
                settings.transport(), settings.transports(), settings.names().target(asset), NAMESPACE);
    }

    /** Whatever it is called, a subsystem that shows the volume's device goes. */
    @Override
    public void unexport(NativeId id, Optional<StoredVolume> volume, Work work) {
        Optional<DatasetName> dataset = dataset(id);
        if (dataset.isEmpty()) {
            return;
        }
        String nqn =
                settings.names().of(id, volume).map(settings.names()::target).orElse("");
        target.unexport(subsystem(nqn, dataset.get()), id.value(), work);
    }

    @Override
    public void expanded(StoredVolume volume, Work work) {
        Optional<DatasetName> dataset = dataset(volume.id());
        Optional<AssetName> asset = settings.names().of(volume);
        if (dataset.isPresent() && asset.isPresent()) {
            target.expanded(
                    subsystem(settings.names().target(asset.get()), dataset.get()),
                    volume.id().value(),
                    work);
        }
    }

    private Subsystem subsystem(String nqn, DatasetName dataset) {
        return new Subsystem(nqn, places.device(dataset), settings.attributes(), settings.ports());
    }

    private Optional<DatasetName> dataset(NativeId id) {
        return connection.layout().volume(id);
    }

    private static StorageException missing(NativeId id) {
        return new StorageException(new Failure.VolumeNotFound(id.value()));
    }

    private StorageException nameless(StoredVolume volume) {
        return new StorageException(new Failure.BackendRejected(
                connection.scope().name().value(),
                "volume " + volume.id() + " has no name that an NVMe subsystem could have; correct its property"
                        + " democratic-csi:nvmeof_assets_name"));
    }

    @Override
    public void close() {
        connection.close();
    }
}
