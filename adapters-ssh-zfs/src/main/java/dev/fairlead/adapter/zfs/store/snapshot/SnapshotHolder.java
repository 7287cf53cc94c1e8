package dev.fairlead.adapter.zfs.store.snapshot;

import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.property.Property;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Manages the dataset that holds the detached snapshots of one volume; it is deleted with the last of them. */
record SnapshotHolder(ZfsHost host, DatasetName name) {
    /** The mark of a holder that Fairlead made; democratic-csi's can be told only by its place. */
    static final Map<String, String> MARK = Map.of(OwnProperties.STATE, OwnProperties.HOLDER);

    private static final String MOUNTPOINT = "mountpoint";
    private static final String MOUNTED = "mounted";
    private static final String TYPE = "type";
    private static final List<String> OTHERS_MARKS =
            List.of(OwnProperties.STATE, PeerProperties.MANAGED, PeerProperties.SNAPSHOT_NAME);
    private static final List<String> ASKED = List.of(
            TYPE, MOUNTED, MOUNTPOINT, OwnProperties.STATE, PeerProperties.MANAGED, PeerProperties.SNAPSHOT_NAME);

    /**
     * Destroys the holder if nothing is in it; ZFS itself refuses to destroy one that holds a dataset or a snapshot.
     *
     * @param held whether a copy was below it until now; without our mark, only that shows that it is a holder
     */
    void release(boolean held, Work work) {
        host.get(name.value(), ASKED, work).flatMap(rows -> emptied(rows, held)).ifPresent(empty -> {
            Steps steps = empty.then(host.zfs().destroy(name)).then(host.zfs().exists(name.value()));
            if (host.run("zfs destroy", name.value(), steps, work).succeeded()) {
                throw host.untrue(name + " was destroyed, and is still there");
            }
        });
    }

    /** Returns the checks that have to succeed before it is destroyed; empty if it stays. */
    private Optional<Steps> emptied(Map<String, Property> rows, boolean held) {
        boolean ours = own(rows, OwnProperties.STATE)
                .filter(OwnProperties.HOLDER::equals)
                .isPresent();
        if (ours) {
            return Optional.of(new Steps());
        }
        boolean peers = held
                && text(rows, TYPE).equals(DatasetType.FILESYSTEM.word())
                && OTHERS_MARKS.stream().allMatch(mark -> own(rows, mark).isEmpty());
        String path = text(rows, MOUNTPOINT);
        // democratic-csi makes it without a property of its own; an administrator's dataset often has some. Files
        // that somebody put there can be seen only if it is mounted.
        return peers && text(rows, MOUNTED).equals("yes") && path.startsWith("/")
                ? Optional.of(new Steps()
                        .expect(host.zfs().ownOf(name.value(), List.of("all")), List.of(List.of()))
                        .expect(List.of("ls", "-A", path), List.of(List.of())))
                : Optional.empty();
    }

    private static Optional<String> own(Map<String, Property> rows, String key) {
        return Optional.ofNullable(rows.get(key))
                .filter(Property::isSet)
                .filter(Property::isOwn)
                .map(Property::value);
    }

    private static String text(Map<String, Property> rows, String key) {
        return Optional.ofNullable(rows.get(key)).map(Property::value).orElse("");
    }
}
