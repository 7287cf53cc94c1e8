package dev.fairlead.adapter.freenas.smb;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.export.ExportRows;
import dev.fairlead.adapter.freenas.export.GrantedNodes;
import dev.fairlead.adapter.freenas.export.HostTurns;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.adapter.freenas.roles.RoleReview;
import dev.fairlead.adapter.freenas.roles.RoleUse;
import dev.fairlead.adapter.freenas.service.BoxService;
import dev.fairlead.application.port.out.AccessReview;
import dev.fairlead.application.port.out.SharedClient;
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
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Exports a filesystem by an SMB share of the box, in the form of its release. Shares are found by their path. */
public final class FreenasSmbExporter implements Exporter, AccessControl, Revocation {
    /** The note of the name, which is a part of what nodes get. */
    private static final String NAME = Notes.CONTEXT_PREFIX + "share";

    /** The note of what Samba is told of a share beside its fields, if that depends on the volume. */
    private static final String AUXILIARY = "smb-auxiliary";

    private static final String ID = Notes.FREENAS_PREFIX + "smb_share_id";

    private final SharedClient<TruenasApi> client;
    private final SmbShareSettings settings;
    private final SmbShareCalls shares;
    private final SmbHosts hosts;
    private final GrantedNodes granted;
    private final HostTurns.Turn turn;

    /** @param host names the box: the same for all connections to it */
    public FreenasSmbExporter(
            SharedClient<TruenasApi> client, SmbShareSettings settings, LateCalls late, HostTurns turns, String host) {
        this.client = client;
        TruenasApi api = client.get();
        this.settings = settings;
        this.shares = new SmbShareCalls(new ExportRows(api));
        this.hosts = new SmbHosts(shares, new ShareUses(api), late);
        this.granted = new GrantedNodes(api);
        this.turn = turns.of(host, client.get().connection());
    }

    @Override
    public VolumeMedium.Kind accepts() {
        return VolumeMedium.Kind.FILESYSTEM;
    }

    @Override
    public Plan plan(VolumeStore.Birth birth) {
        String asked = birth.request().name().value();
        Map<String, String> parameters = birth.request().parameters();
        String name = settings.plannedName(birth, Map.of("name", asked, "parameters", parameters));
        if (!SmbShareSettings.isName(name)) {
            throw new StorageException(new Failure.InvalidRequest(
                    settings.template().isPresent() ? "parameters" : "name", SmbShareSettings.complaint(name)));
        }
        Map<String, String> notes = settings.plannedAuxiliary(asked, parameters)
                .map(text -> Map.of(AUXILIARY, text))
                .orElse(Map.of());
        boolean known =
                settings.template().isPresent() || !birth.medium().path().isEmpty();
        return new Plan(notes, Optional.of(attachment(name)).filter(_ -> known), Map.of("share_type", "SMB"));
    }

    private Attachment attachment(String name) {
        return new Attachment.Smb(settings.host(), name);
    }

    private String usualName(StoredVolume volume) {
        return volume.notes().getOrDefault(NAME, settings.usualName(volume.medium()));
    }

    private String name(StoredVolume volume) {
        String name = usualName(volume);
        if (!SmbShareSettings.isName(name)) {
            throw shares.rows().rejected("volume " + volume.id() + ": " + SmbShareSettings.complaint(name));
        }
        return name;
    }

    @Override
    public Optional<Attachment> attachment(StoredVolume volume, Work work) {
        return volume.medium().path().startsWith("/") ? Optional.of(attachment(name(volume))) : Optional.empty();
    }

    @Override
    public Export export(StoredVolume volume, Work work) {
        return turn.in(work, () -> export(volume, Access.of(volume.notes()), work));
    }

    private Export export(StoredVolume volume, Access access, Work work) {
        String name = name(volume);
        String path = path(volume);
        shares.named(name, work).filter(share -> !share.path().equals(path)).ifPresent(share -> {
            throw new StorageException(
                    new Failure.NotOurs(volume.id().value(), "the SMB share " + name + " of " + share.path()));
        });
        JsonObject fresh = fresh(name, volume, work);
        Optional<SmbShareEntry> known = switch (access) {
            case Access.Open() -> open(name, path, fresh, work);
            case Access.Nodes(Grants grants) -> letIn(volume, path, fresh, grants, work);
        };
        SmbShareEntry share = known.or(() -> find(name, path, work))
                .orElseThrow(() -> shares.rows()
                        .unavailable("the SMB share " + name + " was made, and is not there when it is read back"));
        return new Export(attachment(share.name()), Map.of(ID, Long.toString(share.id())));
    }

    /** Returns the share if it is known as it is afterwards. */
    private Optional<SmbShareEntry> letIn(
            StoredVolume volume, String path, JsonObject fresh, Grants grants, Work work) {
        Optional<SmbShareEntry> off = grants.isEmpty() ? hosts.off(path, fresh, work) : Optional.empty();
        if (off.isEmpty()) {
            granted.admit(volume, grants, now -> set(path, Optional.of(fresh), now, false, work), work);
        }
        return off;
    }

    private void set(String path, Optional<JsonObject> fresh, Grants grants, boolean revokes, Work work) {
        hosts.set(path, fresh, new TreeSet<>(grants.initiators().keySet()), revokes, work);
    }

    private JsonObject fresh(String name, StoredVolume volume, Work work) {
        String path = path(volume);
        JsonObject options = settings.options(Optional.ofNullable(volume.notes().get(AUXILIARY)));
        return shares.fields(work).created(name, path, comment(path), options);
    }

    /** Returns the share of that name; if there is none, as after a change of the names, the oldest of the path. */
    private Optional<SmbShareEntry> find(String name, String path, Work work) {
        var all = shares.of(path, work);
        return all.stream()
                .filter(share -> share.name().equalsIgnoreCase(name))
                .findFirst()
                .or(() -> all.stream().findFirst());
    }

    private static String comment(String path) {
        return "fairlead: " + path;
    }

    private String path(StoredVolume volume) {
        if (!volume.medium().path().startsWith("/")) {
            throw shares.rows().rejected(volume.id() + " is not mounted on the box, so it cannot be shared");
        }
        return volume.medium().path();
    }

    /**
     * Shares a volume with whomever the connection's file lets in; what an administrator has set otherwise stays.
     *
     * @return the share, if it is known as it is afterwards
     */
    private Optional<SmbShareEntry> open(String name, String path, JsonObject fresh, Work work) {
        Optional<SmbShareEntry> there = find(name, path, work);
        if (there.isEmpty()) {
            return Optional.of(shares.create(
                    shares.fields(work).withHosts(fresh, true, settings.allowed(), settings.denied()), work));
        }
        if (there.get().enabled()) {
            shares.load(there.get(), work);
            return there;
        }
        shares.update(there.get(), true, settings.allowed(), settings.denied(), work);
        return Optional.empty();
    }

    @Override
    public void unexport(NativeId id, Optional<VolumeMedium> where, Optional<StoredVolume> stored, Work work) {
        stored.map(StoredVolume::medium)
                .or(() -> where)
                .map(VolumeMedium::path)
                .filter(path -> path.startsWith("/"))
                .ifPresent(path -> turn.in(work, () -> {
                    shares.of(path, work).forEach(share -> shares.delete(share, work));
                    if (!shares.of(path, work).isEmpty()) {
                        throw shares.rows()
                                .unavailable("the SMB share of " + path + " was deleted, and is there again");
                    }
                    return path;
                }));
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
        return NodeFact.ADDRESS;
    }

    /** Admits nodes. An SMB share cannot limit one of them to reading; the node has to do that. */
    @Override
    public void admit(StoredVolume volume, Grants grants, Work work) {
        Export export = turn.fencing(work, () -> export(volume, new Access.Nodes(grants), work));
        granted.note(volume, export.notes(), work);
    }

    @Override
    public void revoke(StoredVolume volume, Grants remaining, Work work) {
        String path = path(volume);
        turn.fencing(work, () -> {
            granted.follow(volume, remaining, now -> set(path, missing(volume, work), now, true, work), work);
            shares.of(path, work).stream()
                    .findFirst()
                    .ifPresent(share -> granted.note(volume, Map.of(ID, Long.toString(share.id())), work));
            return remaining;
        });
    }

    /**
     * Returns the fields of a share: a call that was cut while it replaced the share has left none. None is made if its
     * name cannot be had, since that must not keep anybody from being shut out.
     */
    private Optional<JsonObject> missing(StoredVolume volume, Work work) {
        String name = usualName(volume);
        String path = path(volume);
        boolean can = SmbShareSettings.isName(name)
                && shares.named(name, work)
                        .filter(share -> !share.path().equals(path))
                        .isEmpty();
        return can ? Optional.of(fresh(name, volume, work)) : Optional.empty();
    }

    @Override
    public Optional<AccessReview> accessReview() {
        return Optional.of(new RoleReview(
                client.get(),
                settings.auxiliary().isPresent()
                        ? Set.of(RoleUse.GRANTS, RoleUse.SMB, RoleUse.SMB_PARAMETERS)
                        : Set.of(RoleUse.GRANTS, RoleUse.SMB),
                BoxService.SMB));
    }

    @Override
    public void close() {
        client.close();
    }
}
