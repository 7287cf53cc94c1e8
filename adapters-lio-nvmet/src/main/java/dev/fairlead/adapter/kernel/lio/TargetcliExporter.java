package dev.fairlead.adapter.kernel.lio;

import dev.fairlead.adapter.kernel.host.DevicePath;
import dev.fairlead.adapter.kernel.host.TargetTurns;
import dev.fairlead.adapter.kernel.host.VolumeTargets;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.out.export.AccessControl;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.Revocation;
import dev.fairlead.application.port.out.export.block.TargetName;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.application.port.out.host.StorageHost;
import dev.fairlead.application.port.out.store.NoteLook;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.node.NodeFact;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes each block volume the LUN 0 of an iSCSI target of its own.
 *
 * <p>A volume that has grown needs nothing here: the kernel asks the device for its size each time an initiator asks
 * for the LUN's, so only the node has to ask again.
 */
final class TargetcliExporter implements Exporter, AccessControl, Revocation {
    private static final Logger log = LoggerFactory.getLogger(TargetcliExporter.class);
    private static final int LUN = 0;

    /** The beginning of a script's line about an attribute that the kernel no longer changes. */
    private static final String UNTAKEN = "untaken ";

    private final ConnectionName connection;
    private final SharedClient<StorageHost> host;
    private final VolumeTargets targets;
    private final TargetSettings settings;
    private final LioHost lio;
    private final TargetScripts scripts;
    private final Elevation asRoot;
    private final ScriptEnds ends;
    private final TargetTurns turn;

    /** @param notes of the volumes' store */
    TargetcliExporter(
            ConnectionName connection,
            SharedClient<StorageHost> host,
            TargetSettings settings,
            LioHost lio,
            NoteLook notes) {
        this.connection = connection;
        this.host = host;
        this.targets = new VolumeTargets(connection, settings.names(), notes);
        this.settings = settings;
        this.lio = lio;
        this.scripts = new TargetScripts(lio);
        this.asRoot = settings.sudo() ? host.get().sudo() : Elevation.NONE;
        this.ends = new ScriptEnds(connection, lio.lock(), settings.chap(), asRoot);
        this.turn = new TargetTurns(connection, "iSCSI targets");
    }

    @Override
    public VolumeMedium.Kind accepts() {
        return VolumeMedium.Kind.BLOCK_DEVICE;
    }

    @Override
    public Plan plan(VolumeStore.Birth birth) {
        return targets.plan(birth, this::attachment);
    }

    @Override
    public Export export(StoredVolume volume, Work work) {
        return export(volume, Access.of(volume.notes()), work);
    }

    private Export export(StoredVolume volume, Access access, Work work) {
        DevicePath device = targets.device(volume.medium());
        TargetName name = targets.name(volume);
        LioTarget target = LioTarget.of(settings.names(), Optional.of(name), device);
        TargetSettings its = access instanceof Access.Nodes ? settings.closed() : settings;
        var input = new Command.Input.Text(new Secret(TargetScripts.exportInput(target, its)));
        GrantRecord record = record(volume);
        turn.run(work, () -> {
            Ended ended = run("targetcli export", device, scripts.export(target, its, access, record), input, work);
            ends.require(ended, TargetScripts.EXPORTED, volume.id(), "exporting " + device);
            tellUntaken(target, ended);
        });
        return new Export(attachment(name), settings.names().note(name));
    }

    private void tellUntaken(LioTarget target, Ended ended) {
        List<String> untaken = ended.output()
                .lines()
                .filter(line -> line.startsWith(UNTAKEN))
                .map(line -> line.substring(UNTAKEN.length()))
                .toList();
        if (!untaken.isEmpty()) {
            log.warn(
                    "connection {}: the disk of {} is exported already and does not take {} of block.attributes; it"
                            + " stays as it is until its volume is gone",
                    connection,
                    target.iqn(),
                    untaken);
        }
    }

    private GrantRecord record(StoredVolume volume) {
        return new GrantRecord(
                volume.notes().getOrDefault(Access.GRANTS, ""), targets.notes().of(volume.id(), Access.GRANTS));
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
        return NodeFact.IQN;
    }

    @Override
    public void admit(StoredVolume volume, Grants grants, Work work) {
        export(volume, new Access.Nodes(grants), work);
    }

    /** Takes initiators off every target that leads to the volume's device, whatever its name. */
    @Override
    public void revoke(StoredVolume volume, Grants remaining, Work work) {
        DevicePath device = targets.device(volume.medium());
        LioTarget target = LioTarget.of(settings.names(), settings.names().of(volume), device);
        String script = scripts.revoke(target, remaining, record(volume));
        turn.run(work, () -> {
            Ended ended = run("targetcli revoke", device, script, new Command.Input.Nothing(), work);
            ends.require(ended, TargetScripts.REVOKED, volume.id(), "shutting nodes out of " + device);
        });
    }

    @Override
    public Optional<Attachment> attachment(StoredVolume volume, Work work) {
        return settings.names().of(volume).map(this::attachment);
    }

    private Attachment attachment(TargetName name) {
        return settings.portals().attachment(settings.names().target(name), LUN);
    }

    /**
     * Removes every target that leads to the volume's device, whatever its name, and one of the noted or usual name
     * that was left unfinished.
     */
    @Override
    public void unexport(NativeId id, Optional<VolumeMedium> where, Optional<StoredVolume> stored, Work work) {
        if (where.isEmpty()) {
            return;
        }
        DevicePath device = targets.device(where.get());
        LioTarget target = LioTarget.of(settings.names(), settings.names().of(id, stored), device);
        turn.run(work, () -> {
            Ended ended =
                    run("targetcli unexport", device, scripts.unexport(target), new Command.Input.Nothing(), work);
            ends.require(ended, TargetScripts.UNEXPORTED, id, "unexporting " + device);
        });
    }

    private Ended run(String kind, DevicePath device, String script, Command.Input input, Work work) {
        List<String> argv = asRoot.of(List.of("/bin/sh", "-c", script));
        Command command = Command.of(new Effect(kind, device.value()), argv).reading(input);
        return host.get().runner().run(command.within(lio.patience()), work);
    }

    @Override
    public void close() {
        host.close();
    }
}
