package dev.fairlead.adapter.zfs.share;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Rows;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.dataset.DatasetName;
import dev.fairlead.adapter.zfs.host.Outcome;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.out.export.AccessControl;
import dev.fairlead.application.port.out.export.Exporter;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Shares a filesystem by a property of its dataset: the pool keeps the share, and it goes with the dataset. */
final class PropertyExporter implements Exporter, AccessControl {
    private static final String MOUNTED = "mounted";

    private final ZfsConnection connection;
    private final ShareProtocol protocol;
    private final ShareSettings settings;

    PropertyExporter(ZfsConnection connection, ShareProtocol protocol, ShareSettings settings) {
        this.connection = connection;
        this.protocol = protocol;
        this.settings = settings;
        connection.births().share(settings.properties().keySet(), (name, notes) -> properties(Access.of(notes), name));
    }

    @Override
    public VolumeMedium.Kind accepts() {
        return VolumeMedium.Kind.FILESYSTEM;
    }

    /** Where it will be mounted is up to the pool: the path of an NFS share may not be known yet. */
    @Override
    public Plan plan(VolumeStore.Birth birth) {
        return new Plan(
                Map.of(),
                dataset(birth.id())
                        .flatMap(dataset -> connection
                                .births()
                                .expectedMountpoint(dataset)
                                .flatMap(path -> attachment(dataset, path))));
    }

    @Override
    public Optional<AccessControl> accessControl() {
        boolean narrows = protocol == ShareProtocol.NFS
                && settings.properties().keySet().equals(Set.of(protocol.property()))
                && settings.properties().values().stream().allMatch(NfsHosts::takesHosts);
        return narrows ? Optional.of(this) : Optional.empty();
    }

    @Override
    public NodeFact knownBy() {
        return NodeFact.ADDRESS;
    }

    @Override
    public void admit(StoredVolume volume, Grants grants, Work work) {
        DatasetName dataset = dataset(volume.id()).orElseThrow(() -> missing(volume.id()));
        connection.births().takeShared(dataset); // how it was born is how it was
        share(volume.id(), dataset, new Access.Nodes(grants), work);
    }

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
        if (!connection.births().takeShared(dataset)) {
            share(volume.id(), dataset, Access.of(volume.notes()), work);
        }
        return new Export(attachment(volume, dataset).orElseThrow(() -> unreachable(dataset)), Map.of());
    }

    private void share(NativeId id, DatasetName dataset, Access access, Work work) {
        Map<String, String> wanted = properties(access, dataset);
        List<String> asked = new ArrayList<>(wanted.keySet());
        asked.add(MOUNTED);
        Steps steps = new Steps()
                .then(host().zfs().set(dataset.value(), wanted))
                .then(host().zfs().get(dataset.value(), asked));
        Outcome outcome = host().run("zfs share", dataset.value(), steps, work);
        if (!outcome.succeeded()) {
            throw outcome.complaint() == Complaint.DOES_NOT_EXIST
                    ? missing(id)
                    : host().failure("sharing " + dataset, outcome);
        }
        Map<String, Rows.Property> rows =
                host().rows(outcome, dataset.value(), asked).getOrDefault(dataset.value(), Map.of());
        wanted.forEach((key, value) -> {
            if (!value.equals(text(rows, key))) {
                throw host().untrue(dataset + " was shared by " + key + ", and it reads back differently");
            }
        });
        if (!text(rows, MOUNTED).equals("yes")) {
            throw new StorageException(new Failure.BackendUnavailable(
                    connection.scope().name().value(),
                    dataset + " is shared and not mounted on the storage host; mount it, or correct its mountpoint"));
        }
    }

    private static String text(Map<String, Rows.Property> rows, String key) {
        return Optional.ofNullable(rows.get(key)).map(Rows.Property::value).orElse("");
    }

    /** A mountpoint of {@code legacy} or {@code none}: nothing that could be shared. */
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

    /** Nothing is left to do where the dataset has gone: the share went with it. */
    @Override
    public void unexport(NativeId id, Optional<StoredVolume> volume, Work work) {
        Optional<DatasetName> dataset = dataset(id).filter(_ -> volume.isPresent());
        if (dataset.isEmpty()) {
            return;
        }
        String name = dataset.get().value();
        Steps steps = new Steps();
        if (Access.of(volume.get().notes()) instanceof Access.Nodes) {
            // What would be inherited may let everybody in.
            steps.then(host().zfs().set(name, Map.of(protocol.property(), NfsHosts.NOBODY)));
        } else {
            settings.properties().keySet().stream()
                    .sorted()
                    .forEach(key -> steps.then(host().zfs().inherit(name, key)));
        }
        Outcome outcome = host().run("zfs unshare", name, steps, work);
        if (!outcome.succeeded() && outcome.complaint() != Complaint.DOES_NOT_EXIST) {
            throw host().failure("unsharing " + name, outcome);
        }
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
