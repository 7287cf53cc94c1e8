package dev.fairlead.adapter.zfs.share;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.HostView;
import dev.fairlead.adapter.zfs.host.ShareNames;
import dev.fairlead.adapter.zfs.host.ShareProtocol;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.host.ZfsHost;
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
import dev.fairlead.zfs.property.Property;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Shares a filesystem by a property of its dataset: the pool keeps the share, which disappears with the dataset. */
final class PropertyExporter implements Exporter, AccessControl {
    private static final String MOUNTED = "mounted";
    private static final String MOUNTPOINT = "mountpoint";

    private final ZfsConnection connection;
    private final ShareProtocol protocol;
    private final ShareSettings settings;
    private final HostView view;

    PropertyExporter(ZfsConnection connection, ShareProtocol protocol, ShareSettings settings) {
        this.connection = connection;
        this.protocol = protocol;
        this.settings = settings;
        this.view = new HostView(protocol, connection.programs().asRoot());
    }

    @Override
    public VolumeMedium.Kind accepts() {
        return VolumeMedium.Kind.FILESYSTEM;
    }

    /**
     * Plans a volume's attachment; it may be empty for NFS, since the pool decides where the volume will be mounted.
     */
    @Override
    public Plan plan(VolumeStore.Birth birth) {
        Optional<DatasetName> dataset = dataset(birth.id());
        return new Plan(
                Map.of(),
                dataset.flatMap(it -> attachment(it, birth.medium().path())),
                dataset.map(it -> properties(Access.of(birth.notes()), it)).orElse(Map.of()));
    }

    /** Returns a volume's export if the properties that it was born with are in effect. */
    @Override
    public Optional<Export> alreadyExported(VolumeStore.Creation made) {
        StoredVolume volume = made.volume();
        return dataset(volume.id())
                .filter(it -> made.inEffect().equals(properties(Access.of(volume.notes()), it)))
                .flatMap(it -> attachment(volume, it))
                .map(attachment -> new Export(attachment, Map.of()));
    }

    @Override
    public Optional<AccessControl> accessControl() {
        boolean narrows = protocol == ShareProtocol.NFS
                && settings.properties().keySet().equals(Set.of(protocol.property()))
                && settings.properties().values().stream().allMatch(NfsHosts::takesHosts);
        return narrows ? Optional.of(this) : Optional.empty();
    }

    @Override
    public Optional<Revocation> revocation() {
        return protocol == ShareProtocol.NFS
                ? Optional.of(new NfsRevocation(
                        connection, view, settings.properties().getOrDefault(protocol.property(), NfsHosts.NOBODY)))
                : Optional.empty();
    }

    @Override
    public NodeFact knownBy() {
        return NodeFact.ADDRESS;
    }

    @Override
    public void admit(StoredVolume volume, Grants grants, Work work) {
        DatasetName dataset = dataset(volume.id()).orElseThrow(() -> missing(volume.id()));
        share(volume, dataset, new Access.Nodes(grants), work);
    }

    /** Returns the properties that may share a dataset. */
    private Set<String> keys() {
        return settings.properties().keySet();
    }

    /** Returns the properties that share a dataset with those whom this access lets in. */
    private Map<String, String> properties(Access access, DatasetName dataset) {
        return switch (access) {
            case Access.Open() -> settings.properties();
            case Access.Nodes(Grants grants) -> {
                if (accessControl().isEmpty()) {
                    throw new StorageException(new Failure.BackendRejected(
                            connection.scope().name().value(),
                            dataset + " is closed to all but the nodes that it is published to, and would be shared"
                                    + " with everybody; share it by sharenfs alone, in the form of Linux and with one sec= at"
                                    + " most"));
                }
                Map<String, String> closed = new LinkedHashMap<>(settings.properties());
                closed.replaceAll((_, value) -> NfsHosts.of(value, grants));
                yield closed;
            }
        };
    }

    @Override
    public Export export(StoredVolume volume, Work work) {
        DatasetName dataset = dataset(volume.id()).orElseThrow(() -> missing(volume.id()));
        share(volume, dataset, Access.of(volume.notes()), work);
        return new Export(attachment(volume, dataset).orElseThrow(() -> unreachable(dataset)), Map.of());
    }

    private void share(StoredVolume volume, DatasetName dataset, Access access, Work work) {
        connection.turns().alone(protocol, dataset, host(), () -> {
            shareAlone(volume, dataset, access, work);
            return dataset;
        });
    }

    private void shareAlone(StoredVolume volume, DatasetName dataset, Access access, Work work) {
        Map<String, String> wanted = properties(access, dataset);
        List<String> asked = new ArrayList<>(wanted.keySet());
        asked.addAll(List.of(MOUNTED, MOUNTPOINT));
        asked.addAll(RecordedGrants.asked(volume));
        Optional<String> mountpoint = Optional.of(volume.medium().path());
        Steps steps = new Steps()
                .and(view.unclaimed(dataset, mountpoint))
                .and(RecordedGrants.asSeen(host().zfs(), dataset, volume))
                .then(host().zfs().set(dataset.value(), wanted))
                .and(view.look(dataset, mountpoint))
                .then(host().zfs().get(dataset.value(), asked));
        StepsOutcome outcome = host().run("zfs share", dataset.value(), steps, work);
        if (HostView.isClaimed(outcome)) {
            throw taken(dataset, outcome);
        }
        if (RecordedGrants.haveChanged(outcome)) {
            throw RecordedGrants.changedMeanwhile(host(), dataset);
        }
        if (!outcome.succeeded()) {
            if (outcome.complaint() == Complaint.DOES_NOT_EXIST) {
                host().requireAbsent(dataset.value(), outcome, work);
                throw missing(volume.id());
            }
            throw host().failure("sharing " + dataset, outcome);
        }
        asked.add(HostView.ROW);
        Map<String, Property> rows =
                host().rows(outcome, dataset.value(), asked).getOrDefault(dataset.value(), Map.of());
        if (RecordedGrants.haveChanged(rows, volume)) {
            // whoever was shut out meanwhile was let in again by this share, and nobody else would take it back
            RecordedGrants.follow(host(), dataset, volume, now -> properties(now, dataset), work);
            throw RecordedGrants.changedMeanwhile(host(), dataset);
        }
        lack(dataset, access, rows).ifPresent(lack -> {
            throw lack;
        });
    }

    private StorageException taken(DatasetName dataset, StepsOutcome outcome) {
        return HostView.otherPath(outcome)
                .map(path -> host().notNow(ShareNames.taken(dataset, path)))
                .orElseGet(() -> host().failure("looking for the share of " + dataset, outcome));
    }

    /** Returns why a dataset, as read back, is not shared with those who have access; empty if it is. */
    private Optional<StorageException> lack(DatasetName dataset, Access access, Map<String, Property> rows) {
        Map<String, String> wanted = properties(access, dataset);
        for (Map.Entry<String, String> entry : wanted.entrySet()) {
            if (!entry.getValue().equals(text(rows, entry.getKey()))) {
                return Optional.of(host().untrue(
                                dataset + " was shared by " + entry.getKey() + ", and it reads back differently"));
            }
        }
        if (!text(rows, MOUNTED).equals("yes")) {
            return Optional.of(host().notNow(dataset
                    + " is shared and not mounted on the storage host; mount it, or correct its" + " mountpoint"));
        }
        String value = wanted.getOrDefault(protocol.property(), NfsHosts.NOBODY);
        boolean nobody = value.equals(NfsHosts.NOBODY);
        if (nobody && access instanceof Access.Open) {
            return Optional.empty(); // the file says so; its author may share it by other means
        }
        return lackOnHost(dataset, nobody, text(rows, MOUNTPOINT), rows);
    }

    private Optional<StorageException> lackOnHost(
            DatasetName dataset, boolean nobody, String path, Map<String, Property> rows) {
        return switch (view.find(rows, path)) {
            case UNKNOWN -> Optional.empty();
            case THERE -> nobody ? Optional.of(stillThere(dataset, path)) : Optional.empty();
            case ABSENT ->
                nobody
                        ? Optional.empty()
                        : Optional.of(host().notNow(dataset + " has " + protocol.property()
                                + " set, and the storage host does not share " + path + "; " + view.remedy(dataset)));
            case ANOTHERS -> Optional.of(host().notNow(ShareNames.taken(dataset, HostView.namedPath(rows))));
        };
    }

    private StorageException stillThere(DatasetName dataset, String path) {
        return host().notNow(dataset + " is shared no more by its properties, and the storage host still shares " + path
                + "; " + view.remedy(dataset));
    }

    private static String text(Map<String, Property> rows, String key) {
        return Optional.ofNullable(rows.get(key)).map(Property::value).orElse("");
    }

    /** Returns the failure for a dataset with the mountpoint {@code legacy} or {@code none}, which cannot be shared. */
    private StorageException unreachable(DatasetName dataset) {
        return new StorageException(new Failure.BackendRejected(
                connection.scope().name().value(),
                dataset + " has no mountpoint, so it cannot be shared; give the parent dataset one"));
    }

    @Override
    public Optional<Attachment> attachment(StoredVolume volume, Work work) {
        return dataset(volume.id()).flatMap(dataset -> attachment(volume, dataset));
    }

    private Optional<Attachment> attachment(StoredVolume volume, DatasetName dataset) {
        return attachment(dataset, volume.medium().path());
    }

    private Optional<Attachment> attachment(DatasetName dataset, String mountpoint) {
        return mountpoint.startsWith("/")
                ? Optional.of(protocol.attachment(settings.host(), dataset, mountpoint))
                : Optional.empty();
    }

    @Override
    public void unexport(NativeId id, Optional<VolumeMedium> where, Optional<StoredVolume> stored, Work work) {
        dataset(id).ifPresent(dataset -> {
            if (stored.isPresent()) {
                unshare(dataset, stored.get(), work);
            } else if (protocol == ShareProtocol.SMB) {
                where.map(VolumeMedium::path).ifPresent(path -> removeLeft(dataset, path, work));
            }
        });
    }

    private void unshare(DatasetName dataset, StoredVolume volume, Work work) {
        String name = dataset.value();
        String path = volume.medium().path();
        Steps steps = new Steps();
        if (Access.of(volume.notes()) instanceof Access.Nodes) {
            // An inherited value may let everybody in.
            steps.then(host().zfs().set(name, Map.of(protocol.property(), NfsHosts.NOBODY)));
        } else {
            keys().stream().sorted().forEach(key -> steps.then(host().zfs().inherit(name, key)));
        }
        steps.and(view.look(dataset, Optional.of(path)));
        StepsOutcome outcome = host().run("zfs unshare", name, steps, work);
        if (!outcome.succeeded()) {
            if (outcome.complaint() == Complaint.DOES_NOT_EXIST) {
                return;
            }
            throw host().failure("unsharing " + name, outcome);
        }
        Map<String, Property> rows =
                host().rows(outcome, name, List.of(HostView.ROW)).getOrDefault(name, Map.of());
        if (rows.isEmpty()) {
            throw host().untrue(name + " was unshared without a complaint, and nothing read back");
        }
        if (view.find(rows, path) == HostView.Finding.THERE && !isSharedFromAbove(name, work)) {
            throw stillThere(dataset, path);
        }
    }

    /** Removes the SMB share that OpenZFS 2.1 leaves of a dataset destroyed by hand, unless it has another path. */
    private void removeLeft(DatasetName gone, String path, Work work) {
        StepsOutcome outcome = host().run("zfs unshare", gone.value(), view.removeLeft(gone, path), work);
        if (!outcome.succeeded()) {
            throw host().failure(
                            "taking away the share of " + gone + ", which is gone; 'net usershare delete "
                                    + ShareNames.file(gone) + "' does it by hand",
                            outcome);
        }
    }

    /** Returns whether a dataset inherits a value that shares it; also true if it has gone. */
    private boolean isSharedFromAbove(String name, Work work) {
        return host().get(name, keys(), work)
                .map(rows -> rows.values().stream()
                        .anyMatch(row ->
                                row.isSet() && !row.isOwn() && !row.value().equals(NfsHosts.NOBODY)))
                .orElse(true);
    }

    private Optional<DatasetName> dataset(NativeId id) {
        return connection.layout().volume(id);
    }

    private ZfsHost host() {
        return connection.host();
    }

    private static StorageException missing(NativeId id) {
        return new StorageException(new Failure.VolumeNotFound(id.value()));
    }

    @Override
    public void close() {
        connection.close();
    }
}
