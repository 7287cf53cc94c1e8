package dev.fairlead.zfs.snapshot;

import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.property.StreamReceipt;
import dev.fairlead.zfs.settings.ZfsSettings;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads a snapshot from its properties, and makes the properties with which one is taken. */
public record SnapshotProperties(String name, NativeId id, NativeId volume, Map<String, Property> rows) {
    private static final String CREATION = "creation";
    private static final String VOLSIZE = "volsize";
    private static final String REFERENCED = "referenced";
    private static final String LOGICAL = "logicalreferenced";

    /** {@code on} if the snapshot was destroyed while clones still need it. */
    private static final String DEFERRED = "defer_destroy";

    public static final List<String> ASKED = List.of(
            CREATION,
            VOLSIZE,
            REFERENCED,
            LOGICAL,
            DEFERRED,
            PeerProperties.MANAGED,
            PeerProperties.SNAPSHOT_NAME,
            PeerProperties.SNAPSHOT_SOURCE,
            OwnProperties.GROUP);

    /** The properties to ask for if the snapshot is a dataset of its own. */
    public static final List<String> ASKED_OF_COPIES = Stream.concat(
                    ASKED.stream(), Stream.of(OwnProperties.STATE, StreamReceipt.INCONSISTENT))
            .toList();

    public SnapshotProperties {
        rows = Map.copyOf(rows);
    }

    public static Map<String, String> of(SnapshotRequest request, ZfsSettings settings) {
        Map<String, String> all = rendered(request.name(), request.parameters(), settings);
        all.put(PeerProperties.SNAPSHOT_NAME, request.name().value());
        all.put(PeerProperties.SNAPSHOT_SOURCE, request.source().value());
        all.put(PeerProperties.MANAGED, PeerProperties.TRUE);
        all.put(PeerProperties.SUCCESS, PeerProperties.TRUE);
        return all;
    }

    /**
     * Returns the properties that all snapshots of a group share, since the command that takes them gives each the
     * same.
     */
    public static Map<String, String> of(GroupRequest request, GroupMark mark, ZfsSettings settings) {
        Map<String, String> all = rendered(request.name(), request.parameters(), settings);
        all.put(PeerProperties.SNAPSHOT_NAME, request.name().value());
        all.put(PeerProperties.MANAGED, PeerProperties.TRUE);
        all.put(PeerProperties.SUCCESS, PeerProperties.TRUE);
        all.put(OwnProperties.GROUP, mark.write());
        return all;
    }

    private static Map<String, String> rendered(CsiName name, Map<String, String> parameters, ZfsSettings settings) {
        Map<String, String> all = new LinkedHashMap<>();
        var context = Map.of("name", name.value(), "parameters", parameters);
        settings.snapshotProperties().forEach((key, template) -> all.put(key, template.render(context)));
        return all;
    }

    /** Says whether it has a mark and a name of its own, since it inherits its volume's mark, and is not destroyed. */
    public boolean isManaged() {
        boolean destroyed = Optional.ofNullable(rows.get(DEFERRED))
                .map(Property::value)
                .filter("on"::equals)
                .isPresent();
        return !destroyed
                && own(PeerProperties.MANAGED)
                        .filter(PeerProperties.TRUE::equals)
                        .isPresent()
                && own(PeerProperties.SNAPSHOT_NAME).isPresent();
    }

    /**
     * Says whether all of a copy is there. Fairlead's own copy has a state; democratic-csi marks its own only after all
     * of the stream has come.
     */
    public boolean isWhole() {
        return own(OwnProperties.STATE).filter(OwnProperties.MAKING::equals).isEmpty()
                && !StreamReceipt.isUnderWay(rows);
    }

    public Optional<CsiName> csiName() {
        return own(PeerProperties.SNAPSHOT_NAME).flatMap(CsiName::read);
    }

    /** Returns the mark of the group that it was taken with. */
    public Optional<GroupMark> group() {
        return own(OwnProperties.GROUP).flatMap(GroupMark::read);
    }

    /** Says whether it has the property of its source, which every snapshot has; those of a group get it last. */
    public boolean hasSource() {
        return own(PeerProperties.SNAPSHOT_SOURCE).isPresent();
    }

    public StoredSnapshot snapshot() {
        long seconds = number(CREATION).orElse(0L);
        return new StoredSnapshot(
                id, csiName(), volume, size(), Instant.ofEpochSecond(seconds), group().map(GroupMark::id));
    }

    /** Returns a block volume's size; for a filesystem what is in it, before compression if that is more. */
    private Capacity size() {
        long bytes = number(VOLSIZE)
                .orElseGet(() -> Stream.of(number(REFERENCED), number(LOGICAL))
                        .flatMap(Optional::stream)
                        .reduce(0L, Math::max));
        return Capacity.ofBytes(bytes);
    }

    private Optional<Long> number(String property) {
        return Optional.ofNullable(rows.get(property))
                .map(Property::value)
                .filter(text -> text.matches("[0-9]{1,18}"))
                .map(Long::valueOf);
    }

    private Optional<String> own(String property) {
        return Optional.ofNullable(rows.get(property))
                .filter(Property::isSet)
                .filter(Property::isOwn)
                .map(Property::value);
    }
}
