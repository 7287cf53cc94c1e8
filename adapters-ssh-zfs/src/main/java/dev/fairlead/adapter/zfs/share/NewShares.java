package dev.fairlead.adapter.zfs.share;

import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.Outcome;
import dev.fairlead.adapter.zfs.host.Sharing;
import dev.fairlead.domain.access.Access;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.Property;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the store that makes a filesystem has to know of its share. */
record NewShares(PropertyExporter exporter, ShareProtocol protocol, HostView view) implements Sharing {
    @Override
    public Set<String> keys() {
        return exporter.keys();
    }

    @Override
    public List<String> looked() {
        return List.of(HostView.ROW);
    }

    @Override
    public Map<String, String> properties(DatasetName name, Map<String, String> notes) {
        return exporter.properties(Access.of(notes), name);
    }

    @Override
    public Optional<String> foundBy(DatasetName name) {
        return protocol == ShareProtocol.SMB ? Optional.of(ShareNames.file(name)) : Optional.empty();
    }

    @Override
    public Steps unclaimed(DatasetName name, Optional<String> mountpoint) {
        return view.unclaimed(name, mountpoint);
    }

    @Override
    public Optional<String> otherPath(Outcome outcome) {
        return HostView.otherPath(outcome);
    }

    @Override
    public String taken(DatasetName name, String path) {
        return ShareNames.taken(name, path);
    }

    @Override
    public Steps look(DatasetName name, Optional<String> mountpoint) {
        return view.look(name, mountpoint);
    }

    @Override
    public boolean isDone(DatasetName name, Map<String, String> notes, Map<String, Property> rows) {
        return exporter.lack(name, Access.of(notes), rows).isEmpty();
    }
}
