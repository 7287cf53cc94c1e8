package dev.fairlead.adapter.zfs.share;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Rows;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.dataset.DatasetName;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.adapter.zfs.host.ZfsHost.Outcome;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shares a filesystem by a property of its dataset: the pool keeps the share, and it goes with the dataset. */
final class PropertyExporter implements Exporter {
    private static final String MOUNTED = "mounted";

    private final ZfsConnection connection;
    private final ShareProtocol protocol;
    private final ShareSettings settings;

    PropertyExporter(ZfsConnection connection, ShareProtocol protocol, ShareSettings settings) {
        this.connection = connection;
        this.protocol = protocol;
        this.settings = settings;
        connection.births().share(settings.properties());
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
    public Export export(StoredVolume volume, Work work) {
        DatasetName dataset = dataset(volume.id()).orElseThrow(() -> missing(volume.id()));
        if (!connection.births().takeShared(dataset)) {
            share(volume.id(), dataset, work);
        }
        return new Export(attachment(volume, dataset).orElseThrow(() -> unreachable(dataset)), Map.of());
    }

    private void share(NativeId id, DatasetName dataset, Work work) {
        List<String> asked = new ArrayList<>(settings.properties().keySet());
        asked.add(MOUNTED);
        Steps steps = new Steps()
                .then(host().zfs().set(dataset.value(), settings.properties()))
                .then(host().zfs().get(dataset.value(), asked));
        Outcome outcome = host().run("zfs share", dataset.value(), steps, work);
        if (!outcome.succeeded()) {
            throw outcome.complaint() == Complaint.DOES_NOT_EXIST
                    ? missing(id)
                    : host().failure("sharing " + dataset, outcome);
        }
        Map<String, Rows.Property> rows =
                host().rows(outcome, dataset.value(), asked).getOrDefault(dataset.value(), Map.of());
        settings.properties().forEach((key, value) -> {
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
        settings.properties().keySet().stream()
                .sorted()
                .forEach(key -> steps.then(host().zfs().inherit(name, key)));
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
