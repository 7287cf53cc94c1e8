package dev.fairlead.adapter.zfs.store.snapshot;

import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.settings.ZfsSettings;
import dev.fairlead.zfs.snapshot.SnapshotProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Takes the snapshot of a volume and reads it back, in the same round trip that checks that its name is unused: so the
 * names of all snapshots stay on the storage host.
 */
public record SnapshotTaking(ZfsHost host, DatasetLayout layout, DatasetType type, ZfsSettings settings) {
    /** Names the parts of the steps that take a snapshot. */
    public enum TakingPart implements Steps.Part {
        UNUSED,
        SNAPSHOT
    }

    private static final List<String> OURS = List.of(PeerProperties.MANAGED, OwnProperties.STATE);
    private static final String MARK = PeerProperties.MANAGED + "\t" + PeerProperties.TRUE;

    /** The marks of a complete volume: one that Fairlead made, and one that democratic-csi made. */
    private static final List<List<String>> WHOLE =
            List.of(List.of(MARK, OwnProperties.STATE + "\t" + OwnProperties.WHOLE), List.of(MARK));

    /**
     * Returns steps of which one fails if the volume is not ours or not of our kind, or if any volume has a snapshot of
     * this name.
     */
    public Steps unused(DatasetName volume, CsiName name) {
        List<Steps> looks = new ArrayList<>();
        for (DatasetName parent : layout.parents().all()) {
            List<String> names = below(List.of(parent), Set.of(DatasetType.SNAPSHOT));
            looks.add(
                    volume.isBelow(parent)
                            ? new Steps().without(names, name.value())
                            : new Steps().withoutIn(zfs().exists(parent.value()), names, name.value()));
        }
        layout.detachedParent()
                .ifPresent(top -> looks.add(new Steps()
                        .withoutIn(
                                zfs().exists(top.value()),
                                below(List.of(top), Set.of(DatasetType.FILESYSTEM, DatasetType.VOLUME)),
                                name.value())));
        return new Steps()
                .expect(zfs().ownOf(volume.value(), OURS), WHOLE)
                .expect(zfs().value(volume.value(), "type"), List.of(List.of(type.word())))
                .together(looks);
    }

    private List<String> below(List<DatasetName> tops, Set<DatasetType> types) {
        return zfs().ownBelow(tops, 2, types, PeerProperties.SNAPSHOT_NAME);
    }

    /** @param unused the checks that have to succeed first */
    public StepsOutcome run(Steps unused, SnapshotName name, SnapshotRequest request, Work work) {
        Steps steps = new Steps()
                .and(TakingPart.UNUSED, unused)
                .then(TakingPart.SNAPSHOT, zfs().snapshot(List.of(name), SnapshotProperties.of(request, settings)))
                .then(zfs().get(name.toString(), SnapshotProperties.ASKED));
        return host.run("zfs snapshot", name.toString(), steps, work);
    }

    private ZfsCommands zfs() {
        return host.zfs();
    }
}
