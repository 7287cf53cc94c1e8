package dev.fairlead.adapter.freenas.iscsi;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.export.ExportRows;
import dev.fairlead.adapter.freenas.export.GrantedNodes;
import dev.fairlead.adapter.freenas.export.HostTurns;
import dev.fairlead.adapter.freenas.export.TargetGrowth;
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
import dev.fairlead.domain.node.NodeFact;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.http.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Exports each block volume by an iSCSI target of its own. The base of the targets' names is the box's, so that what a
 * node needs is known only once the box has been asked.
 *
 * <p>A volume that the box's API has grown needs nothing here: the box tells its target.
 */
public final class FreenasIscsiExporter implements Exporter, AccessControl, Revocation {
    /** The note of an extent's comment, if the connection's file has a template for it. */
    private static final String COMMENT = "iscsi-comment";

    private static final int LONGEST_COMMENT = 120;

    /** The mode of a box whose target is LIO; 0 and 1 are SCST, with reservations that it saves or does not. */
    private static final long LIO = 2;

    private final SharedClient<TruenasApi> client;
    private final TruenasApi api;
    private final IscsiSettings settings;
    private final ExportRows rows;
    private final IscsiTargets targets;
    private final GrantedNodes granted;
    private final HostTurns.Turn turn;
    private final NoteLook notes;
    private final Optional<TargetGrowth> growth;

    /** Opens it for volumes that are grown by the box's API. */
    public FreenasIscsiExporter(
            SharedClient<TruenasApi> client, IscsiSettings settings, HostTurns turns, String host, NoteLook notes) {
        this(client, settings, turns, host, notes, Optional.empty());
    }

    /**
     * @param host names the box: the same for all connections to it
     * @param notes of the volumes' store
     * @param growth tells the target of what has grown, if the box does not
     */
    public FreenasIscsiExporter(
            SharedClient<TruenasApi> client,
            IscsiSettings settings,
            HostTurns turns,
            String host,
            NoteLook notes,
            Optional<TargetGrowth> growth) {
        this.client = client;
        this.api = client.get();
        this.settings = settings;
        this.rows = new ExportRows(api);
        this.targets = IscsiTargets.of(rows);
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
        String dataset = granted.name(birth.medium());
        TargetName name = settings.names().planned(birth);
        Map<String, String> planned = new HashMap<>(settings.names().note(name));
        settings.extent()
                .comment()
                .map(template -> template.render(Map.of(
                        "name",
                        birth.request().name().value(),
                        "parameters",
                        birth.request().parameters(),
                        "zfs",
                        Map.of("datasetName", dataset))))
                .ifPresent(text -> planned.put(COMMENT, plain(text)));
        return new Plan(planned, Optional.empty());
    }

    private static String plain(String text) {
        String line = text.replaceAll("\\p{Cntrl}", " ").strip();
        return line.substring(0, Math.min(line.length(), LONGEST_COMMENT));
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
        TargetName name = name(volume);
        String disk = disk(volume.medium());
        JsonObject extent = settings.extent()
                .fields(name.value(), disk, volume.notes().getOrDefault(COMMENT, ""), access instanceof Access.Nodes);
        JsonObject box = global(work);
        List<TargetGroup> ways = ways(work);
        String id = volume.id().value();
        IscsiTargets.Shown shown =
                isNew ? targets.showNew(id, extent, disk, work) : targets.show(id, extent, disk, work);
        switch (access) {
            case Access.Open() -> open(shown.target(), ways, box, work);
            case Access.Nodes(Grants grants) -> {
                // One without ways lets nobody in, and nothing is changed that another process could have changed too.
                if (!grants.isEmpty() || !TargetCalls.groups(shown.target()).isEmpty()) {
                    granted.admit(volume, grants, now -> letIn(shown.target(), ways, now, work), work);
                }
            }
        }
        return new Export(attachment(box, name, shown.lun()), noted(shown, name));
    }

    private void letIn(JsonObject target, List<TargetGroup> ways, Grants grants, Work work) {
        targets.access().letIn(target, ways, grants.initiators().keySet(), work);
    }

    private void open(JsonObject target, List<TargetGroup> ways, JsonObject box, Work work) {
        boolean isLio = Json.number(box, "mode").filter(mode -> mode == LIO).isPresent();
        if (isLio && ways.stream().anyMatch(way -> way.asksChap() && isForAll(way, work))) {
            throw rows.rejected("its target is LIO, which asks for CHAP only initiators that it knows by name; give"
                    + " iscsi.targetGroups a targetGroupInitiatorGroup with names, or publish volumes to nodes");
        }
        targets.access().open(target, ways, work);
    }

    private boolean isForAll(TargetGroup way, Work work) {
        return targets.groups().members(List.of(way), work).isEmpty();
    }

    private List<TargetGroup> ways(Work work) {
        return settings.groups().isEmpty() ? new PortalGroups(rows, settings.portals()).ways(work) : settings.groups();
    }

    private Map<String, String> noted(IscsiTargets.Shown shown, TargetName name) {
        Map<String, String> ids = new HashMap<>(settings.names().note(name));
        ids.put(Notes.FREENAS_PREFIX + "iscsi_target_id", Long.toString(ExportRows.id(shown.target())));
        ids.put(Notes.FREENAS_PREFIX + "iscsi_extent_id", Long.toString(ExportRows.id(shown.extent())));
        ids.put(Notes.FREENAS_PREFIX + "iscsi_targettoextent_id", Long.toString(ExportRows.id(shown.link())));
        return ids;
    }

    private JsonObject global(Work work) {
        JsonElement answer =
                api.query(ApiCall.of(ApiAction.ISCSI_GLOBAL_CONFIG), work).orThrow();
        if (!answer.isJsonObject()) {
            throw rows.untrue("the box does not tell its iSCSI configuration");
        }
        return answer.getAsJsonObject();
    }

    private Attachment attachment(JsonObject box, TargetName name, int lun) {
        String base = Json.text(box, "basename")
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> rows.untrue("the box does not tell the base of its iSCSI names"));
        return settings.portals().attachment(base + ":" + name, lun);
    }

    @Override
    public Optional<Attachment> attachment(StoredVolume volume, Work work) {
        return settings.names().of(volume).map(name -> attachment(global(work), name, 0));
    }

    private TargetName name(StoredVolume volume) {
        return settings.names()
                .of(volume)
                .orElseThrow(() -> rows.rejected("volume " + volume.id()
                        + " has a name noted for its target, or would get one, that no target can have; correct "
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
        return NodeFact.IQN;
    }

    /** Admits nodes. An iSCSI target of a box cannot limit one of them to reading; the node has to do that. */
    @Override
    public void admit(StoredVolume volume, Grants grants, Work work) {
        Export export = turn.fencing(work, () -> export(volume, new Access.Nodes(grants), false, work));
        granted.note(volume, export.notes(), work);
    }

    @Override
    public void revoke(StoredVolume volume, Grants remaining, Work work) {
        String disk = disk(volume.medium());
        Optional<String> name = settings.names().of(volume).map(TargetName::value);
        turn.fencing(work, () -> {
            granted.follow(
                    volume,
                    remaining,
                    now -> targets.revoke(name, disk, now.initiators().keySet(), work),
                    work);
            return remaining;
        });
    }

    @Override
    public void unexport(NativeId id, Optional<VolumeMedium> where, Optional<StoredVolume> stored, Work work) {
        Optional<String> disk = GrantedNodes.disk(where, stored);
        Optional<String> name = settings.names().of(id, stored).map(TargetName::value);
        disk.ifPresent(volume -> turn.in(work, () -> {
            targets.remove(name, volume, work);
            return volume;
        }));
    }

    @Override
    public void expanded(StoredVolume volume, Work work) {
        growth.ifPresent(told -> rows.of(ApiCollection.ISCSI_EXTENT, "disk", disk(volume.medium()), work).stream()
                .flatMap(extent -> Json.text(extent, "name").stream())
                .forEach(extent -> told.iscsi(extent, work)));
    }

    @Override
    public Optional<AccessReview> accessReview() {
        return Optional.of(new RoleReview(
                api,
                settings.groups().isEmpty()
                        ? Set.of(RoleUse.GRANTS, RoleUse.ISCSI, RoleUse.ISCSI_PORTALS)
                        : Set.of(RoleUse.GRANTS, RoleUse.ISCSI),
                BoxService.ISCSI));
    }

    @Override
    public void close() {
        growth.ifPresent(TargetGrowth::close);
        client.close();
    }
}
