package dev.fairlead.adapter.zfs.store.create;

import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.store.snapshot.TakenSource;
import dev.fairlead.adapter.zfs.store.volume.BirthProperties;
import dev.fairlead.adapter.zfs.store.volume.NativeProperties;
import dev.fairlead.adapter.zfs.store.volume.RootPermissions;
import dev.fairlead.adapter.zfs.store.volume.ShareAtBirth;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.volume.BirthSources;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Decides what makes the dataset of one volume, and gives it as steps. */
final class BirthPlan {
    /** Names the parts of the steps, in their order. */
    enum BirthPart implements Steps.Part {
        /** The parent is mounted where the volume's noted context expects it. */
        PLACE,
        /** No dataset of the other type has the volume's name. */
        NAME,
        /** The helper snapshot is taken. */
        HELPER,
        DATASET,
        /** The rest, once the dataset has all its content. */
        FINISHING
    }

    private final ZfsConnection connection;
    private final Birth birth;
    private final DatasetName name;
    private final ShareAtBirth share;
    private final Optional<SnapshotName> source;
    private final Optional<TakenSource> helper;
    private final boolean copies;

    /** The properties that are chosen for it, without the mark that says whether it is complete. */
    private final Map<String, String> chosen;

    /** @param all chooses the properties of every volume */
    BirthPlan(ZfsConnection connection, BirthProperties all, ShareAtBirth share, Birth birth, DatasetName name) {
        var sources = new BirthSources(connection.layout());
        this.connection = connection;
        this.birth = birth;
        this.name = name;
        this.share = share;
        this.source = sources.of(birth);
        this.helper = sources.helper(birth).map(it -> new TakenSource(connection.host(), it));
        this.copies =
                source.filter(it -> BirthSources.isCopied(birth, it, name)).isPresent();
        this.chosen = source.isPresent() ? all.cloned(birth) : all.created(birth);
    }

    Birth birth() {
        return birth;
    }

    DatasetName name() {
        return name;
    }

    ShareAtBirth share() {
        return share;
    }

    /** Returns the snapshot that the volume is made of. */
    Optional<SnapshotName> source() {
        return source;
    }

    /** Returns the same snapshot, if it is taken for the volume and nobody asked for it. */
    Optional<TakenSource> helper() {
        return helper;
    }

    /** Returns whether the source is copied; otherwise it is cloned. */
    boolean copies() {
        return copies;
    }

    boolean isBlock() {
        return birth.medium().kind() == VolumeMedium.Kind.BLOCK_DEVICE;
    }

    /** Returns the properties that the dataset is made with. */
    Map<String, String> properties() {
        Map<String, String> all = new LinkedHashMap<>(chosen);
        all.putAll(isCompleteAtOnce() ? done(chosen) : Map.of(OwnProperties.STATE, OwnProperties.MAKING));
        return all;
    }

    /**
     * Returns the properties of ZFS itself to compare when it is read back; empty if the dataset is made with all of
     * them.
     */
    Optional<NativeProperties> natives() {
        if (!copies && !isResized()) {
            return Optional.empty();
        }
        NativeProperties copied = copies ? NativeProperties.of(chosen) : NativeProperties.NONE;
        return Optional.of(isResized() ? copied.and("volsize", size()) : copied);
    }

    /** Returns whether the first command that makes the dataset leaves nothing to do. */
    private boolean isCompleteAtOnce() {
        return afterContent().isEmpty();
    }

    /** Returns whether a block volume has its source's size until it is given its own. */
    private boolean isResized() {
        return isBlock() && source.isPresent();
    }

    /** Returns the size, never smaller than that of the source, which the plan has taken into account. */
    private String size() {
        return Long.toString(birth.capacity().bytes());
    }

    /** Returns the checks before anything is made, without those of its share. */
    Steps checks() {
        return new Steps().and(BirthPart.PLACE, sureOfPlace()).and(BirthPart.NAME, noneOfOthers());
    }

    /**
     * Returns a check that the parent is still mounted where the volume's noted context expects it, since that holds
     * for the volume's life; no steps if the context has no such path.
     */
    private Steps sureOfPlace() {
        String path = birth.medium().path();
        if (!path.startsWith("/")
                || isBlock()
                || !Notes.contextOf(birth.notes()).containsValue(path)) {
            return new Steps();
        }
        String parent = path.substring(0, path.lastIndexOf('/'));
        return new Steps()
                .remember(zfs().value(name.parent().orElseThrow().value(), "mountpoint"))
                .then(List.of("test", Steps.REMEMBERED, "=", parent));
    }

    /**
     * Returns a check that no dataset of the other type has the volume's name, as a connection of another kind may have
     * made below the same parent; it comes before a snapshot is taken for the volume.
     */
    private Steps noneOfOthers() {
        if (helper.isEmpty()) {
            return new Steps();
        }
        DatasetType others = isBlock() ? DatasetType.FILESYSTEM : DatasetType.VOLUME;
        return new Steps().withoutIn(zfs().exists(name.value()), zfs().value(name.value(), "type"), others.word());
    }

    /** Returns the steps that make all of it: the helper snapshot, the dataset, what follows, and the reading back. */
    Steps everything() {
        return new Steps()
                .and(BirthPart.HELPER, helper.map(TakenSource::taken).orElseGet(Steps::new))
                .and(afterHelper());
    }

    /** Returns the same steps without the first, for a helper snapshot that is there. */
    Steps afterHelper() {
        return new Steps().and(BirthPart.DATASET, dataset()).and(BirthPart.FINISHING, finishing());
    }

    private Steps dataset() {
        Steps steps = new Steps();
        if (source.isEmpty()) {
            return steps.then(
                    isBlock()
                            ? zfs().createVolume(name, birth.capacity(), properties())
                            : zfs().createFilesystem(name, properties()));
        }
        return copies
                ? steps.pipe(zfs().send(source.get()), zfs().receive(received(), true, properties()))
                : steps.then(zfs().cloneOf(source.get(), name, properties()));
    }

    /** Returns what follows the dataset's creation: the rest, the mark that it is complete, and the reading back. */
    Steps finishing() {
        Steps steps = new Steps().and(afterContent());
        if (!isCompleteAtOnce()) {
            steps.then(zfs().set(name.value(), done(chosen)));
        }
        return steps.and(reading());
    }

    /** Returns what the dataset lacks once it has its content; all these steps are repeatable. */
    Steps afterContent() {
        Steps steps = new Steps();
        if (copies) {
            steps.and(NativeProperties.of(chosen).set(zfs(), name));
            steps.remove(
                    zfs().destroy(received(), false), zfs().exists(received().toString()));
        }
        if (isResized()) {
            steps.and(new NativeProperties(Map.of("volsize", size())).set(zfs(), name));
        }
        if (!isBlock()) {
            steps.and(RootPermissions.of(connection).steps(zfs(), name));
        }
        return steps.and(withoutHelper());
    }

    /** Returns the removal of a copy's helper snapshot; a clone needs its own for its life. */
    Steps withoutHelper() {
        return helper.filter(_ -> copies)
                .map(TakenSource::name)
                .map(it -> new Steps().remove(zfs().destroy(it, true), zfs().exists(it.toString())))
                .orElseGet(Steps::new);
    }

    /** Returns the look at what the host shares and at the dataset's properties. */
    Steps reading() {
        return new Steps().and(share.look(name, chosen)).then(zfs().get(name.value(), asked()));
    }

    /** Returns the rows that the reading back prints. */
    List<String> printed() {
        return Stream.concat(asked().stream(), share.looked().stream()).toList();
    }

    /** Returns the properties to ask for, so that a volume can be read and compared. */
    private List<String> asked() {
        return Stream.of(
                        VolumeProperties.ASKED,
                        share.asked(),
                        natives().map(NativeProperties::asked).orElse(List.of()))
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    private SnapshotName received() {
        return connection.layout().originFor(name, birth.id());
    }

    /**
     * Returns the marks of a complete volume. democratic-csi takes its own mark for the sign that everything is done,
     * so it is left out while the share context is unknown, and set by whoever notes the context.
     */
    static Map<String, String> done(Map<String, String> properties) {
        Map<String, String> marks = new LinkedHashMap<>();
        if (properties.containsKey(PeerProperties.SHARE_CONTEXT)) {
            marks.put(PeerProperties.SUCCESS, PeerProperties.TRUE);
        }
        marks.put(OwnProperties.STATE, OwnProperties.WHOLE);
        return marks;
    }

    private ZfsCommands zfs() {
        return connection.host().zfs();
    }
}
