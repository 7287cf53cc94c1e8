package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.DatasetType;
import dev.fairlead.adapter.zfs.cli.Rows;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.dataset.DatasetName;
import dev.fairlead.adapter.zfs.dataset.Layout;
import dev.fairlead.adapter.zfs.dataset.SnapshotName;
import dev.fairlead.adapter.zfs.host.Births;
import dev.fairlead.adapter.zfs.host.Outcome;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.adapter.zfs.host.ZfsSettings;
import dev.fairlead.adapter.zfs.property.OwnProperties;
import dev.fairlead.adapter.zfs.property.PeerProperties;
import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes the dataset of a volume, in one round trip where nothing is in the way: the dataset with all its properties,
 * what follows ({@code chmod}, a clone's size), the mark that it is whole, and the reading back.
 */
final class Making {
    private static final String KIND = "zfs create";

    private final ZfsHost host;
    private final Layout layout;
    private final BirthSources sources;
    private final Leftovers leftovers;
    private final ZfsSettings settings;
    private final Elevation asRoot;
    private final Births births;
    private final BirthProperties properties;
    private final ShareGuard guard;

    Making(ZfsConnection connection, Removal removal) {
        this.host = connection.host();
        this.layout = connection.layout();
        this.sources = new BirthSources(layout);
        this.leftovers = new Leftovers(host, layout, removal);
        this.settings = connection.settings();
        this.asRoot = connection.programs().asRoot();
        this.births = connection.births();
        this.properties = new BirthProperties(connection);
        this.guard = new ShareGuard(connection);
    }

    /** What it has come to: made by this call, or by another one, of whatever kind. */
    record Made(VolumeProperties volume, boolean fresh) {}

    /**
     * Makes it so, whatever an earlier call has left.
     *
     * @param name the dataset of the birth's id
     */
    Made make(Birth birth, DatasetName name, Work work) {
        return births.alone(name, host, () -> makeAlone(birth, name, work));
    }

    private Made makeAlone(Birth birth, DatasetName name, Work work) {
        BirthSteps plan = plan(birth, name);
        try {
            return makeAlone(birth, name, plan, work);
        } catch (StorageException thrown) {
            throw plan.source()
                    .map(taken -> taken.afterwards(thrown, _ -> {}, work))
                    .orElse(thrown);
        }
    }

    private Made makeAlone(Birth birth, DatasetName name, BirthSteps plan, Work work) {
        Steps place = sureOfPlace(birth, name);
        Steps free = new Steps().and(place).and(noneOfOthers(birth, name, plan));
        Steps first = new Steps().and(free).and(guard.steps(name, plan.properties()));
        Outcome outcome = make(name, plan, new Steps().and(first).and(plan.all()), work);
        int failed = outcome.failed().orElse(Integer.MAX_VALUE);
        if (failed < place.size()) {
            births.forgetMountpoint(name);
            return makeAlone(birth.withoutContext(), name, work);
        }
        if (failed < free.size()) {
            return found(birth, name, plan, work);
        }
        if (failed < first.size()) {
            first = new Steps().and(free).and(guard.again(outcome, name, plan.properties(), work));
            outcome = make(name, plan, new Steps().and(first).and(plan.all()), work);
        }
        if (lacksParent(outcome, name)) { // a helper may have been taken before
            run(name, new Steps().then(zfs().createParents(name.parent().orElseThrow())), work);
            outcome = make(name, plan, new Steps().and(first).and(plan.all()), work);
        }
        if (plan.takesSnapshot() && outcome.failedAt(first.size(), Complaint.ALREADY_EXISTS)) {
            outcome = make(name, plan, new Steps().and(first).and(plan.afterSnapshot()), work);
        }
        if (outcome.succeeded()) {
            Map<String, Rows.Property> rows = read(outcome, name, plan);
            var volume = new VolumeProperties(name, rows);
            births.made(
                    name,
                    birth.notes(),
                    rows,
                    settings.datasetProperties().containsKey("mountpoint") ? Optional.empty() : volume.mountpoint());
            return new Made(volume, true);
        }
        return switch (outcome.complaint()) {
            case ALREADY_EXISTS, DESTINATION_EXISTS -> found(birth, name, plan, work);
            case DOES_NOT_EXIST ->
                throw lacksParent(outcome, name)
                        ? host.failure("making " + name, outcome)
                        : sourceMissing(birth, outcome);
            default -> throw host.failure("making " + name, outcome);
        };
    }

    private static boolean isBlock(Birth birth) {
        return birth.medium().kind() == VolumeMedium.Kind.BLOCK_DEVICE;
    }

    /** Before a snapshot is taken for it: that its place is not taken by a dataset of another kind. */
    private Steps noneOfOthers(Birth birth, DatasetName name, BirthSteps plan) {
        Steps steps = new Steps();
        if (plan.takesSnapshot()) {
            steps.withoutIn(
                    zfs().exists(name.value()),
                    zfs().value(name.value(), "type"),
                    typeOfOthers(birth).word());
        }
        return steps;
    }

    /** What lies below the same parent and is of this type was made by a connection of another kind. */
    private static DatasetType typeOfOthers(Birth birth) {
        return isBlock(birth) ? DatasetType.FILESYSTEM : DatasetType.VOLUME;
    }

    /** {@code zfs create} says that it does not exist; {@code zfs receive}, that it cannot open it. */
    private static boolean lacksParent(Outcome outcome, DatasetName name) {
        return outcome.complaint() == Complaint.PARENT_MISSING
                || (outcome.complaint() == Complaint.DOES_NOT_EXIST
                        && outcome.said().contains("'" + name.parent().orElseThrow() + "'"));
    }

    /**
     * Whether the parent is still mounted where it was, for a volume whose noted context says where it will be: what is
     * noted holds for its life.
     */
    private Steps sureOfPlace(Birth birth, DatasetName name) {
        String path = birth.medium().path();
        if (!path.startsWith("/")
                || birth.medium().kind() != VolumeMedium.Kind.FILESYSTEM
                || !Notes.contextOf(birth.notes()).containsValue(path)) {
            return new Steps();
        }
        String parent = path.substring(0, path.lastIndexOf('/'));
        return new Steps()
                .remember(zfs().value(name.parent().orElseThrow().value(), "mountpoint"))
                .then(List.of("test", Steps.REMEMBERED, "=", parent));
    }

    private Made found(Birth birth, DatasetName name, BirthSteps plan, Work work) {
        List<String> asked = Stream.concat(VolumeProperties.ASKED.stream(), Receipt.ASKED.stream())
                .toList();
        Map<String, Rows.Property> rows = host.get(name.value(), asked, work)
                .orElseThrow(() -> host.untrue(name + " exists, and does not when it is looked for"));
        var there = new VolumeProperties(name, rows);
        if (there.isBlockDevice() != isBlock(birth)) {
            throw new StorageException(new Failure.NotOurs(birth.id().value(), "another connection's dataset " + name));
        }
        if (there.isManaged() && there.isWhole()) {
            if (plan.copies()) { // finished by another call, whose snapshot had gone before this one took it anew
                plan.source().ifPresent(taken -> taken.destroy(work));
            }
            return new Made(there, false);
        }
        if (Receipt.isUnderWay(rows) && there.transferred().isEmpty()) {
            throw Receipt.underWay(host, name, rows);
        }
        Optional<Steps> first = leftovers.goOn(birth, name, there, plan.properties(), plan.copies(), work);
        if (first.isEmpty()) {
            return makeAlone(birth, name, plan, work);
        }
        if (plan.copies() && !there.isBlockDevice()) {
            run(name, new Steps().then(zfs().mount(name)), work); // one that is mounted already says so
        }
        Outcome outcome = run(name, plan.toFinish(first.get()), work);
        if (!outcome.succeeded()) {
            throw host.failure("finishing " + name, outcome);
        }
        return new Made(new VolumeProperties(name, read(outcome, name, plan)), true);
    }

    private Map<String, Rows.Property> read(Outcome outcome, DatasetName name, BirthSteps plan) {
        List<String> printed = Stream.concat(asked(plan.natives()).stream(), births.sharing().looked().stream())
                .toList();
        Map<String, Rows.Property> rows =
                host.rows(outcome, name.value(), printed).get(name.value());
        if (rows == null) {
            throw host.untrue(name + " was made, and is not there when it is read back");
        }
        var volume = new VolumeProperties(name, rows);
        if (!volume.isManaged() || !volume.isWhole()) {
            throw host.untrue(name + " was made, and its properties say otherwise");
        }
        plan.natives().difference(rows).ifPresent(difference -> {
            throw host.untrue(name + " was made, and " + difference);
        });
        return rows;
    }

    private List<String> asked(NativeProperties natives) {
        return Stream.of(VolumeProperties.ASKED, births.asked(), natives.asked())
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    private StorageException sourceMissing(Birth birth, Outcome outcome) {
        return switch (birth.request().content()) {
            case Content.Empty _, Content.Transferred _ -> host.failure("making " + birth.id(), outcome);
            case Content.OfSnapshot(var id) -> new StorageException(new Failure.SnapshotNotFound(id.value()));
            case Content.OfVolume(var id) -> new StorageException(new Failure.VolumeNotFound(id.value()));
        };
    }

    private Outcome run(DatasetName name, Steps steps, Work work) {
        return host.run(KIND, name.value(), steps, work);
    }

    private Outcome make(DatasetName name, BirthSteps plan, Steps steps, Work work) {
        return plan.copies() ? host.copy("zfs send", name.value(), steps, work) : run(name, steps, work);
    }

    private BirthSteps plan(Birth birth, DatasetName name) {
        Optional<SnapshotName> source = sources.of(birth);
        boolean block = isBlock(birth);
        boolean copies = source.isPresent() && BirthSources.isCopied(birth, source.get(), name);
        Map<String, String> all = source.isPresent() ? properties.cloned(birth) : properties.created(birth);
        NativeProperties natives = copies ? NativeProperties.of(all) : NativeProperties.NONE;
        Steps rest = new Steps().and(natives.set(zfs(), name));
        if (copies) {
            rest.remove(
                    zfs().destroy(received(birth, name), false),
                    zfs().exists(received(birth, name).toString()));
        }
        if (block && source.isPresent()) {
            // Never smaller than its source: what the source holds was part of the plan.
            String size = Long.toString(birth.capacity().bytes());
            rest.then(zfs().set(name.value(), Map.of("volsize", size)));
            natives = natives.and("volsize", size);
        }
        if (!block) {
            List<List<String>> root = new RootPermissions(settings.permissions(), asRoot).commands();
            if (!root.isEmpty()) {
                rest.remember(zfs().value(name.value(), "mountpoint")).thenAll(root);
            }
        }
        Optional<SnapshotName> helper = sources.helper(birth);
        if (copies && helper.isPresent()) {
            rest.remove(
                    zfs().destroy(helper.get(), true), zfs().exists(helper.get().toString()));
        }
        boolean atOnce = rest.size() == 0;
        if (!atOnce) {
            rest.then(zfs().set(name.value(), done()));
        }
        rest.and(guard.look(name, all)).then(zfs().get(name.value(), asked(natives)));
        all.putAll(atOnce ? done() : Map.of(OwnProperties.STATE, OwnProperties.MAKING));
        Steps dataset = new Steps();
        if (copies) {
            dataset.pipe(zfs().send(source.get()), zfs().receive(received(birth, name), true, all));
        } else if (source.isPresent()) {
            dataset.then(zfs().cloneOf(source.get(), name, all));
        } else {
            dataset.then(block ? zfs().createVolume(name, birth.capacity(), all) : zfs().createFilesystem(name, all));
        }
        return new BirthSteps(helper.map(it -> new TakenSource(host, it)), dataset, rest, copies, all, natives);
    }

    private SnapshotName received(Birth birth, DatasetName name) {
        return layout.originFor(name, birth.id());
    }

    private static Map<String, String> done() {
        Map<String, String> marks = new LinkedHashMap<>();
        marks.put(PeerProperties.SUCCESS, PeerProperties.TRUE);
        marks.put(OwnProperties.STATE, OwnProperties.WHOLE);
        return marks;
    }

    private ZfsCommands zfs() {
        return host.zfs();
    }
}
