package dev.fairlead.adapter.kernel.nvmet;

import dev.fairlead.adapter.kernel.host.VolumeTargets;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.out.export.AccessControl;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.Revocation;
import dev.fairlead.application.port.out.export.block.TargetName;
import dev.fairlead.application.port.out.host.StorageHost;
import dev.fairlead.application.port.out.store.NoteLook;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.NvmeOption;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.node.NodeFact;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.Map;
import java.util.Optional;

/** Shows each block volume as the one namespace of an NVMe subsystem of its own. */
final class NvmetExporter implements Exporter, AccessControl, Revocation {
    private static final int NAMESPACE = 1;

    private final SharedClient<StorageHost> host;
    private final NvmeofSettings settings;
    private final VolumeTargets targets;
    private final Nvmet target;

    /** @param notes of the volumes' store */
    NvmetExporter(
            ConnectionName connection,
            SharedClient<StorageHost> host,
            NvmeofSettings settings,
            NvmetPlaces places,
            NoteLook notes) {
        this.host = host;
        this.settings = settings;
        this.targets = new VolumeTargets(connection, settings.names(), notes);
        this.target = new Nvmet(connection, host.get(), settings, places);
    }

    @Override
    public VolumeMedium.Kind accepts() {
        return VolumeMedium.Kind.BLOCK_DEVICE;
    }

    /** Plans a target; the options of its class become part of the attachment, which the volume keeps for life. */
    @Override
    public Plan plan(VolumeStore.Birth birth) {
        Map<NvmeOption, String> options = NvmeOption.ofClass(birth.request().parameters());
        return targets.plan(birth, name -> attachment(name).with(options));
    }

    @Override
    public Export export(StoredVolume volume, Work work) {
        return export(volume, Access.of(volume.notes()), work);
    }

    private Export export(StoredVolume volume, Access access, Work work) {
        TargetName name = targets.name(volume);
        Subsystem subsystem = subsystem(settings.names().target(name), volume.medium());
        Subsystem wanted = access instanceof Access.Nodes(var grants)
                ? subsystem.closedTo(grants.initiators().keySet())
                : subsystem;
        target.export(wanted, volume.id().value(), work);
        return new Export(attachment(name), settings.names().note(name));
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

    /** Admits nodes. An NVMe target cannot limit a host to reading; the node has to do that. */
    @Override
    public void admit(StoredVolume volume, Grants grants, Work work) {
        export(volume, new Access.Nodes(grants), work);
    }

    /** Closes every subsystem that shows the volume's device, whatever its name, to all other hosts. */
    @Override
    public void revoke(StoredVolume volume, Grants remaining, Work work) {
        String nqn = settings.names().of(volume).map(settings.names()::target).orElse("");
        Subsystem closed =
                subsystem(nqn, volume.medium()).closedTo(remaining.initiators().keySet());
        target.revoke(closed, volume.id().value(), work);
    }

    private Attachment.Nvmeof attachment(TargetName name) {
        return settings.transports().attachment(settings.names().target(name), NAMESPACE);
    }

    /** Removes every subsystem that shows the volume's device, whatever its name. */
    @Override
    public void unexport(NativeId id, Optional<VolumeMedium> where, Optional<StoredVolume> stored, Work work) {
        if (where.isEmpty()) {
            return;
        }
        String nqn =
                settings.names().of(id, stored).map(settings.names()::target).orElse("");
        target.unexport(subsystem(nqn, where.get()), id.value(), work);
    }

    @Override
    public void expanded(StoredVolume volume, Work work) {
        settings.names()
                .of(volume)
                .ifPresent(name -> target.expanded(
                        subsystem(settings.names().target(name), volume.medium()),
                        volume.id().value(),
                        work));
    }

    private Subsystem subsystem(String nqn, VolumeMedium medium) {
        return new Subsystem(nqn, targets.device(medium).value(), settings.attributes(), settings.ports());
    }

    @Override
    public void close() {
        host.close();
    }
}
