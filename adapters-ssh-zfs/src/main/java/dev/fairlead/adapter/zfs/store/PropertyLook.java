package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.application.port.out.store.NoteLook;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.property.NoteProperties;
import dev.fairlead.zfs.property.OwnProperties;
import java.util.List;

/** Tells by which properties of its dataset a volume's notes are kept. */
record PropertyLook(DatasetLayout layout, ZfsCommands zfs) implements NoteLook {
    /** Scripts ask for no note but the one that says who is let in. */
    @Override
    public List<String> of(NativeId volume, String note) {
        return layout.volume(volume)
                .filter(_ -> note.equals(Access.GRANTS))
                .map(name -> zfs.value(name.value(), OwnProperties.GRANTS))
                .orElse(List.of());
    }

    @Override
    public String place(NativeId volume, String note) {
        return "the ZFS property " + NoteProperties.propertyOf(note)
                + layout.volume(volume).map(name -> " of " + name).orElse("");
    }
}
