package dev.fairlead.adapter.freenas.nfs;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.export.GrantedNodes;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Exports a filesystem by an NFS share of the box. Shares are found by their path, whatever was noted: a number may be
 * another share's by now, and a call that was cut may have made a second one.
 */
public final class FreenasNfsExporter implements Exporter, AccessControl {
    /** The note of a share's comment, if the connection's file has a template for it. */
    private static final String COMMENT = "nfs-comment";

    private static final int LONGEST_COMMENT = 120;

    /** Stands for the dataset in a noted comment, if the store knows only later where the volume is mounted. */
    private static final String LATER = "\uFFFC";

    private final SharedClient<TruenasApi> client;
    private final NfsShareSettings settings;
    private final NfsShareCalls shares;
    private final HostAccess granted;
    private final String connection;

    public FreenasNfsExporter(SharedClient<TruenasApi> client, NfsShareSettings settings, LateCalls late) {
        this.client = client;
        this.settings = settings;
        this.connection = client.get().connection();
        this.shares = new NfsShareCalls(client.get());
        this.granted = new HostAccess(shares, new GrantedNodes(client.get()), late);
    }

    @Override
    public VolumeMedium.Kind accepts() {
        return VolumeMedium.Kind.FILESYSTEM;
    }

    @Override
    public Plan plan(VolumeStore.Birth birth) {
        Map<String, String> notes = settings.comment()
                .map(template -> template.render(Map.of(
                        "name",
                        birth.request().name().value(),
                        "parameters",
                        birth.request().parameters(),
                        "zfs",
                        Map.of(
                                "datasetName",
                                birth.medium().path().isEmpty()
                                        ? LATER
                                        : dataset(birth.medium().path())))))
                .map(text -> Map.of(COMMENT, plain(text)))
                .orElse(Map.of());
        return new Plan(notes, attachment(birth.medium().path()));
    }

    private static String plain(String text) {
        String line = text.replaceAll("\\p{Cntrl}", " ").strip();
        return line.substring(0, Math.min(line.length(), LONGEST_COMMENT));
    }

    private static String dataset(String path) {
        return path.startsWith("/mnt/") ? path.substring("/mnt/".length()) : path;
    }

    private Optional<Attachment> attachment(String path) {
        return path.startsWith("/") ? Optional.of(new Attachment.Nfs(settings.host(), path)) : Optional.empty();
    }

    @Override
    public Optional<Attachment> attachment(StoredVolume volume, Work work) {
        return attachment(volume.medium().path());
    }

    @Override
    public Export export(StoredVolume volume, Work work) {
        Attachment attachment = attachment(volume.medium().path())
                .orElseThrow(() -> new StorageException(new Failure.BackendRejected(
                        connection, volume.id() + " is not mounted on the box, so it cannot be shared")));
        NfsShareEntry share = switch (Access.of(volume.notes())) {
            case Access.Open() -> open(volume, work);
            case Access.Nodes(Grants grants) -> granted.export(volume, grants, fields(volume), work);
        };
        return new Export(attachment, Map.of(Notes.FREENAS_NFS_SHARE, Long.toString(share.id())));
    }

    private JsonObject fields(StoredVolume volume) {
        JsonObject fields = settings.fields();
        String dataset = dataset(volume.medium().path());
        fields.addProperty(
                "comment",
                Optional.ofNullable(volume.notes().get(COMMENT))
                        .map(text -> plain(text.replace(LATER, dataset)))
                        .orElse("fairlead (" + connection + "): " + dataset));
        return fields;
    }

    /** Shares a volume with whomever the connection's file lets in. */
    private NfsShareEntry open(StoredVolume volume, Work work) {
        String path = volume.medium().path();
        List<NfsShareEntry> there = own(shares.of(path, work), path);
        if (there.isEmpty()) {
            JsonObject fields = fields(volume);
            opened().asMap().forEach(fields::add);
            Optional<NfsShareEntry> made =
                    shares.create(path, fields, work).filter(share -> share.isOnlyOf(path) && isOpen(share));
            if (made.isPresent()) {
                return made.get();
            }
            there = own(shares.of(path, work), path);
        }
        NfsShareEntry kept = kept(there, volume, path);
        removeTwins(there, kept, path, work);
        // One that is open already is set too: a call that was cut may have written it, and no service has loaded it.
        shares.update(kept, path, opened(), work);
        return shares.of(path, work).stream()
                .filter(share -> share.id() == kept.id() && isOpen(share))
                .findFirst()
                .orElseThrow(
                        () -> shares.untrue("the NFS share of " + path + " was changed, and reads back differently"));
    }

    private static List<NfsShareEntry> own(List<NfsShareEntry> all, String path) {
        return all.stream().filter(share -> share.isOnlyOf(path)).toList();
    }

    private JsonObject opened() {
        var hosts = new JsonArray();
        settings.hosts().forEach(hosts::add);
        var networks = new JsonArray();
        settings.networks().forEach(networks::add);
        var fields = new JsonObject();
        fields.addProperty("enabled", true);
        fields.add("hosts", hosts);
        fields.add("networks", networks);
        return fields;
    }

    private boolean isOpen(NfsShareEntry share) {
        return share.enabled()
                && share.hosts().equals(new TreeSet<>(settings.hosts()))
                && NfsShareEntry.meaning(share.networks()).equals(NfsShareEntry.meaning(settings.networks()));
    }

    private NfsShareEntry kept(List<NfsShareEntry> there, StoredVolume volume, String path) {
        String noted = volume.notes().getOrDefault(Notes.FREENAS_NFS_SHARE, "");
        return there.stream()
                .filter(share -> Long.toString(share.id()).equals(noted))
                .findFirst()
                .or(() -> there.stream().findFirst())
                .orElseThrow(() -> shares.untrue(
                        "the box refuses an NFS share of " + path + " since there is one, and shows none"));
    }

    /** Removes what a call that was cut has made late; a share with another comment is somebody else's. */
    private void removeTwins(List<NfsShareEntry> there, NfsShareEntry kept, String path, Work work) {
        there.stream()
                .filter(share -> share.id() != kept.id() && share.comment().equals(kept.comment()))
                .forEach(share -> shares.withdraw(share, path, work));
    }

    @Override
    public void unexport(NativeId id, Optional<VolumeMedium> where, Optional<StoredVolume> stored, Work work) {
        stored.map(StoredVolume::medium)
                .or(() -> where)
                .map(VolumeMedium::path)
                .filter(path -> path.startsWith("/"))
                .ifPresent(path -> unexport(path, work));
    }

    private void unexport(String path, Work work) {
        boolean sure = true;
        for (NfsShareEntry share : shares.of(path, work)) {
            sure &= shares.withdraw(share, path, work);
        }
        if (!sure && !shares.of(path, work).isEmpty()) {
            throw shares.untrue("the NFS share of " + path + " was deleted, and is still there");
        }
    }

    @Override
    public Optional<AccessControl> accessControl() {
        return Optional.of(this);
    }

    @Override
    public NodeFact knownBy() {
        return NodeFact.ADDRESS;
    }

    @Override
    public void admit(StoredVolume volume, Grants grants, Work work) {
        granted.apply(volume, grants, Optional.of(fields(volume)), work);
    }

    @Override
    public Optional<Revocation> revocation() {
        return Optional.of((volume, remaining, work) -> granted.apply(volume, remaining, Optional.empty(), work));
    }

    @Override
    public Optional<AccessReview> accessReview() {
        return Optional.of(new RoleReview(client.get(), Set.of(RoleUse.GRANTS, RoleUse.NFS), BoxService.NFS));
    }

    @Override
    public void close() {
        client.close();
    }
}
