package dev.fairlead.adapter.freenas.nvmet;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.export.ExportRows;
import dev.fairlead.adapter.freenas.export.GrantedNodes;
import dev.fairlead.adapter.freenas.export.HostTurns;
import dev.fairlead.adapter.freenas.export.TargetGrowth;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.adapter.freenas.roles.RoleReview;
import dev.fairlead.adapter.freenas.roles.RoleUse;
import dev.fairlead.adapter.freenas.service.BoxService;
import dev.fairlead.application.port.out.AccessReview;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.out.export.AccessControl;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.Revocation;
import dev.fairlead.application.port.out.export.block.TargetName;
import dev.fairlead.application.port.out.store.NoteLook;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.NvmeOption;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.node.NodeFact;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.http.Json;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Exports each block volume by an NVMe subsystem of its own, which boxes have from 25.10 on. The base of the
 * subsystems' names is the box's, so that what a node needs is known only once the box has been asked.
 *
 * <p>A volume that the box's API has grown needs nothing here: the box tells its target.
 */
public final class FreenasNvmeofExporter implements Exporter, AccessControl, Revocation {
    /** Begins the notes of a class's options, which become part of what a node gets. */
    private static final String OPTION = "nvmeof-option/";

    private final SharedClient<TruenasApi> client;
    private final TruenasApi api;
    private final SubsystemSettings settings;
    private final ExportRows rows;
    private final SubsystemExports subsystems;
    private final GrantedNodes granted;
    private final HostTurns.Turn turn;
    private final NoteLook notes;
    private final Optional<TargetGrowth> growth;

    /** Opens it for volumes that are grown by the box's API. */
    public FreenasNvmeofExporter(
            SharedClient<TruenasApi> client,
            SubsystemSettings settings,
            LateCalls late,
            HostTurns turns,
            String host,
            NoteLook notes) {
        this(client, settings, late, turns, host, notes, Optional.empty());
    }

    /**
     * @param host names the box: the same for all connections to it
     * @param notes of the volumes' store
     * @param growth tells the target of what has grown, if the box does not
     */
    public FreenasNvmeofExporter(
            SharedClient<TruenasApi> client,
            SubsystemSettings settings,
            LateCalls late,
            HostTurns turns,
            String host,
            NoteLook notes,
            Optional<TargetGrowth> growth) {
        this.client = client;
        this.api = client.get();
        this.settings = settings;
        this.rows = new ExportRows(api);
        var calls = new SubsystemCalls(rows);
        this.subsystems =
                new SubsystemExports(calls, new SubsystemAccess(calls, late, settings.requiresKeys()), settings);
        this.granted = new GrantedNodes(api);
        this.turn = turns.of(host, client.get().connection());
        this.notes = notes;
        this.growth = growth;
    }

    @Override
    public VolumeMedium.Kind accepts() {
        return VolumeMedium.Kind.BLOCK_DEVICE;
    }

    @Override
    public Plan plan(VolumeStore.Birth birth) {
        var _ = granted.name(birth.medium());
        Map<String, String> planned =
                new HashMap<>(settings.names().note(settings.names().planned(birth)));
        NvmeOption.ofClass(birth.request().parameters())
                .forEach((option, value) -> planned.put(OPTION + option.key(), value));
        return new Plan(planned, Optional.empty());
    }

    /** Throws if the box has no NVMe-oF; its release is known since the session was opened. */
    @Override
    public void requireAble(Work work) {
        if (!api.has(ApiAction.NVMET_GLOBAL_CONFIG, work)) {
            throw new StorageException(new Failure.Unsupported(
                    "connection " + api.connection() + " exports volumes by NVMe-oF, and its box runs "
                            + api.release(work).shown() + ", which cannot",
                    "upgrade it to 25.10 or later, or use freenas-api-iscsi"));
        }
    }

    @Override
    public Export export(StoredVolume volume, Work work) {
        return turn.in(work, () -> export(volume, Access.of(volume.notes()), false, work));
    }

    @Override
    public Export exportNew(StoredVolume volume, Work work) {
        return turn.in(work, () -> export(volume, Access.of(volume.notes()), true, work));
    }

    private Export export(StoredVolume volume, Access access, boolean isNew, Work work) {
        requireAble(work);
        TargetName name = name(volume);
        String disk = disk(volume.medium());
        boolean isOpen = access instanceof Access.Open && settings.letsAnyHostIn();
        if (isOpen && settings.requiresKeys()) {
            throw rows.rejected("volume " + volume.id() + " is open to every host, of whom no DH-CHAP key is asked,"
                    + " and fairlead.requireDhchap asks for one; publish volumes to nodes");
        }
        List<Long> ports = settings.ports().isEmpty()
                ? new FabricPorts(rows, settings.transports()).numbers(work)
                : settings.ports();
        String id = volume.id().value();
        SubsystemExports.Shown shown = isNew
                ? subsystems.showNew(id, name.value(), disk, isOpen, work)
                : subsystems.show(id, name.value(), disk, isOpen, work);
        switch (access) {
            case Access.Open() -> subsystems.access().open(shown.subsystem(), ports, isOpen, work);
            case Access.Nodes(Grants grants) -> {
                // Nothing is changed of a new one for nobody that another process could have changed too.
                if (!grants.isEmpty() || !shown.fresh()) {
                    granted.admit(
                            volume,
                            grants,
                            now -> subsystems.letIn(
                                    shown, disk, ports, now.initiators().keySet(), work),
                            work);
                }
            }
        }
        return new Export(attachment(volume, shown), noted(shown, name));
    }

    private Map<String, String> noted(SubsystemExports.Shown shown, TargetName name) {
        Map<String, String> ids = new HashMap<>(settings.names().note(name));
        ids.put(Notes.FREENAS_PREFIX + "nvmeof_subsystem_id", Long.toString(ExportRows.id(shown.subsystem())));
        ids.put(Notes.FREENAS_PREFIX + "nvmeof_namespace_id", Long.toString(ExportRows.id(shown.namespace())));
        return ids;
    }

    private Attachment attachment(StoredVolume volume, SubsystemExports.Shown shown) {
        String nqn = Json.text(shown.subsystem(), "subnqn")
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> rows.untrue("the box does not tell the name of a subsystem"));
        int nsid = Json.number(shown.namespace(), "nsid")
                .map(Math::toIntExact)
                .orElseThrow(() -> rows.untrue("the box does not tell the number of a namespace"));
        return settings.transports().attachment(nqn, nsid).with(options(volume));
    }

    private static Map<NvmeOption, String> options(StoredVolume volume) {
        Map<NvmeOption, String> options = new EnumMap<>(NvmeOption.class);
        volume.notes().forEach((key, value) -> {
            if (key.startsWith(OPTION)) {
                NvmeOption.of(key.substring(OPTION.length())).ifPresent(option -> options.put(option, value));
            }
        });
        return options;
    }

    @Override
    public Optional<Attachment> attachment(StoredVolume volume, Work work) {
        if (!api.has(ApiAction.NVMET_GLOBAL_CONFIG, work)) {
            return Optional.empty();
        }
        SubsystemCalls calls = subsystems.calls();
        Optional<JsonObject> shown = GrantedNodes.findDisk(volume.medium())
                .flatMap(disk -> calls.namespaces(disk, work).stream().findFirst());
        Optional<JsonObject> subsystem =
                shown.flatMap(namespace -> calls.subsystem(SubsystemCalls.subsystemOf(namespace), work));
        return subsystem.isPresent()
                ? Optional.of(
                        attachment(volume, new SubsystemExports.Shown(subsystem.get(), shown.orElseThrow(), false)))
                : usual(volume, work);
    }

    /** Returns what a node will need once the volume is exported. */
    private Optional<Attachment> usual(StoredVolume volume, Work work) {
        JsonObject box = api.query(ApiCall.of(ApiAction.NVMET_GLOBAL_CONFIG), work)
                .orThrow()
                .getAsJsonObject();
        return Json.text(box, "basenqn")
                .flatMap(base -> settings.names().of(volume).map(name -> base + ":" + name))
                .map(nqn -> settings.transports().attachment(nqn, 1).with(options(volume)));
    }

    private TargetName name(StoredVolume volume) {
        return settings.names()
                .of(volume)
                .orElseThrow(() -> rows.rejected("volume " + volume.id()
                        + " has a name noted for its subsystem, or would get one, that no subsystem can have; correct "
                        + notes.place(volume.id(), settings.names().noteKey())));
    }

    private String disk(VolumeMedium medium) {
        return granted.disk(medium);
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
        Export export = turn.fencing(work, () -> export(volume, new Access.Nodes(grants), false, work));
        granted.note(volume, export.notes(), work);
    }

    @Override
    public void revoke(StoredVolume volume, Grants remaining, Work work) {
        requireAble(work);
        String disk = disk(volume.medium());
        Optional<String> name = settings.names().of(volume).map(TargetName::value);
        turn.fencing(work, () -> {
            granted.follow(
                    volume,
                    remaining,
                    now -> subsystems.revoke(name, disk, now.initiators().keySet(), work),
                    work);
            return remaining;
        });
    }

    /** Takes a volume's subsystem away; a box that has none of them has nothing to take away. */
    @Override
    public void unexport(NativeId id, Optional<VolumeMedium> where, Optional<StoredVolume> stored, Work work) {
        Optional<String> disk = GrantedNodes.disk(where, stored);
        if (disk.isEmpty() || !api.has(ApiAction.NVMET_GLOBAL_CONFIG, work)) {
            return;
        }
        Optional<String> name = settings.names().of(id, stored).map(TargetName::value);
        turn.in(work, () -> {
            subsystems.remove(name, disk.get(), work);
            return disk;
        });
    }

    @Override
    public void expanded(StoredVolume volume, Work work) {
        growth.ifPresent(told -> attachment(volume, work).ifPresent(way -> {
            if (way instanceof Attachment.Nvmeof subsystem) {
                told.nvmeof(subsystem.nqn(), subsystem.nsid(), work);
            }
        }));
    }

    @Override
    public Optional<AccessReview> accessReview() {
        return Optional.of(new RoleReview(api, Set.of(RoleUse.GRANTS, RoleUse.NVMEOF), BoxService.NVMEOF));
    }

    @Override
    public void close() {
        growth.ifPresent(TargetGrowth::close);
        client.close();
    }
}
