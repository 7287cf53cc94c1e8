package dev.fairlead.adapter.zfs.store.transfer;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.host.HostView;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.adapter.zfs.store.destroy.DatasetRemoval;
import dev.fairlead.adapter.zfs.store.volume.BirthProperties;
import dev.fairlead.adapter.zfs.store.volume.NativeProperties;
import dev.fairlead.adapter.zfs.store.volume.RootPermissions;
import dev.fairlead.adapter.zfs.store.volume.ShareAtBirth;
import dev.fairlead.application.port.out.store.ContentTransfer.Begun;
import dev.fairlead.application.port.out.store.ContentTransfer.Receiver;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.out.store.VolumeStore.Creation;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Makes a volume from a stream of another storage host. The dataset has its marks from the first byte, and is no volume
 * before it is finished; ZFS itself remembers how much has arrived.
 */
public final class ZfsReceiver implements Receiver {
    private static final String TOKEN = "receive_resume_token";

    private static final List<String> ASKED =
            Stream.concat(VolumeProperties.ASKED.stream(), Stream.of(TOKEN)).toList();

    private final ZfsHost host;
    private final DatasetLayout layout;
    private final ZfsConnection connection;
    private final BirthProperties properties;
    private final DatasetRemoval removal;

    public ZfsReceiver(ZfsConnection connection, DatasetRemoval removal) {
        this.host = connection.host().making();
        this.layout = connection.layout();
        this.connection = connection;
        this.properties = new BirthProperties(connection);
        this.removal = removal;
    }

    /**
     * Throws if content from elsewhere has begun to arrive there, which only the request for that content may continue.
     */
    public static void refuseToTakeOver(VolumeProperties there, Birth birth) {
        there.transferred().filter(_ -> !there.isWhole()).ifPresent(source -> {
            throw new StorageException(new Failure.VolumeConflict(
                    birth.id().value(), "it is being made of " + source.handle() + "; delete it first"));
        });
    }

    @Override
    public Optional<Begun> begun(NativeId id, Work work) {
        return layout.volume(id).flatMap(name -> look(name, work)).flatMap(Found::begun);
    }

    /** A dataset, and whether it has received its stream. */
    private record Found(VolumeProperties volume, Optional<String> token, boolean received) {
        Optional<Begun> begun() {
            return volume.transferred()
                    .filter(_ -> volume.isManaged() && !volume.isWhole())
                    .map(source -> new Begun(source, token, token.isEmpty() && received, volume.capacity()));
        }
    }

    private Optional<Found> look(DatasetName name, Work work) {
        var rows = host.below(name, 1, Set.of(DatasetType.values()), ASKED, work);
        return Optional.ofNullable(rows.get(name.value())).map(own -> {
            Optional<String> token =
                    Optional.ofNullable(own.get(TOKEN)).filter(Property::isSet).map(Property::value);
            return new Found(
                    new VolumeProperties(name, own),
                    token,
                    rows.containsKey(received(name).toString()));
        });
    }

    @Override
    public void receive(Birth birth, InputStream from, Work work) {
        DatasetName name = dataset(birth.id());
        new ShareAtBirth(connection, birth).alone(name, () -> {
            receive(birth, name, from, work);
            return name;
        });
    }

    private void receive(Birth birth, DatasetName name, InputStream from, Work work) {
        Map<String, String> marks = marks(birth);
        ShareAtBirth share = new ShareAtBirth(connection, birth);
        Steps steps = new Steps()
                .and(share.unclaimed(name, marks))
                .then(zfs().createParents(name.parent().orElseThrow()))
                .then(zfs().receiveResumable(received(name), marks));
        StepsOutcome outcome = host.receive(name.value(), steps, from, work);
        if (outcome.succeeded()) {
            return;
        }
        if (HostView.isClaimed(outcome)) {
            share.again(outcome, name, marks, work);
            throw host.notNow(name + " was shared before, and is now known to be; the stream has to begin again");
        }
        if (outcome.complaint() == Complaint.DESTINATION_EXISTS) {
            look(name, work).filter(found -> found.begun().isEmpty()).ifPresent(found -> {
                throw new StorageException(taken(found, birth, name));
            });
        }
        throw switch (outcome.complaint()) {
            case OUT_OF_SPACE, READ_ONLY, NOT_PERMITTED, NO_PROGRAM, NAME_TOO_LONG ->
                host.failure("receiving " + name, outcome);
            // Any other complaint may be temporary: another receive may have just ended, or be about to.
            default -> host.unavailable("receiving " + name, outcome);
        };
    }

    private static Failure taken(Found found, Birth birth, DatasetName name) {
        return found.volume().isManaged()
                ? new Failure.VolumeConflict(
                        birth.id().value(), "it has been begun with other content; delete it first")
                : new Failure.NotOurs(birth.id().value(), "the dataset " + name);
    }

    /**
     * Returns the marks of a volume that is arriving. A filesystem's mountpoint is known only later, so its context is
     * noted then; its size is noted at once, since the quota that will show it is set at the end.
     */
    private Map<String, String> marks(Birth birth) {
        boolean block = birth.medium().kind() == VolumeMedium.Kind.BLOCK_DEVICE;
        Map<String, String> size =
                Map.of(VolumeProperties.SIZE, Long.toString(birth.capacity().bytes()));
        Map<String, String> all =
                properties.cloned(block ? birth : birth.withoutContext().noting(size));
        all.put(OwnProperties.STATE, OwnProperties.MAKING);
        return all;
    }

    @Override
    public Creation finish(Birth birth, Work work) {
        DatasetName name = dataset(birth.id());
        Found found = look(name, work).orElseThrow(() -> host.untrue(name + " has come, and is not there"));
        if (found.volume().isWhole()) {
            return new Creation(found.volume().volume(birth.id()), false);
        }
        if (found.begun().filter(Begun::complete).isEmpty()) {
            throw host.untrue("all of " + name + " has come, and ZFS says that it has not");
        }
        if (!found.volume().isBlockDevice()) {
            RootPermissions.of(connection).mount(host, name, work);
        }
        NativeProperties natives = natives(birth, found.volume());
        List<String> asked = Stream.concat(VolumeProperties.ASKED.stream(), natives.asked().stream())
                .distinct()
                .toList();
        Steps steps = finishing(name, found.volume(), natives).then(zfs().get(name.value(), asked));
        StepsOutcome outcome = host.run("zfs set", name.value(), steps, work);
        if (NativeProperties.isRefusedForNow(outcome)) {
            throw host.unavailable("finishing " + name, outcome);
        }
        Map<String, Property> rows = Optional.ofNullable(
                        host.rows(outcome, name.value(), asked).get(name.value()))
                .orElseThrow(() -> host.untrue(name + " was finished, and is not there"));
        VolumeProperties made = new VolumeProperties(name, rows);
        if (!made.isManaged() || !made.isWhole() || made.transferred().isEmpty()) {
            throw host.untrue(name + " was finished, and its properties say otherwise");
        }
        natives.difference(rows).ifPresent(difference -> {
            throw host.untrue(name + " was finished, and " + difference);
        });
        return new Creation(made.volume(birth.id()), true);
    }

    /**
     * Returns the properties to set at the end, also those that ZFS sets only after a stream and has lost if it was
     * resumed by a command without them.
     */
    private NativeProperties natives(Birth birth, VolumeProperties there) {
        NativeProperties natives = NativeProperties.of(marks(birth));
        return there.isBlockDevice() && there.capacity().orElse(Capacity.ZERO).isLessThan(birth.capacity())
                ? natives.and("volsize", Long.toString(birth.capacity().bytes()))
                : natives;
    }

    /** Returns the steps that finish a volume; all are repeatable, and the mark that it is complete comes last. */
    private Steps finishing(DatasetName name, VolumeProperties there, NativeProperties natives) {
        Steps steps = new Steps().and(natives.set(zfs(), name));
        if (!there.isBlockDevice()) {
            steps.and(RootPermissions.of(connection).steps(zfs(), name));
        }
        SnapshotName received = received(name);
        steps.remove(zfs().destroy(received, false), zfs().exists(received.toString()));
        Map<String, String> done = new LinkedHashMap<>();
        done.put(PeerProperties.SUCCESS, PeerProperties.TRUE);
        done.put(OwnProperties.STATE, OwnProperties.WHOLE);
        return steps.then(zfs().set(name.value(), done));
    }

    @Override
    public void clear(NativeId id, Work work) {
        if (begun(id, work).isPresent()) {
            removal.remove(id, dataset(id), OnDependents.REFUSE, work);
        }
    }

    private SnapshotName received(DatasetName name) {
        return layout.originFor(name, new NativeId(name.leaf()));
    }

    private DatasetName dataset(NativeId id) {
        return layout.volume(id).orElseThrow(() -> new StorageException(new Failure.VolumeNotFound(id.value())));
    }

    private ZfsCommands zfs() {
        return host.zfs();
    }
}
