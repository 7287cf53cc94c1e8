package dev.fairlead.adapter.local.directory;

import dev.fairlead.adapter.local.directory.base.BaseFolderGuard;
import dev.fairlead.adapter.local.directory.tree.FreeSpace;
import dev.fairlead.application.port.out.store.VolumeStore.Room;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import java.io.IOException;
import java.util.Optional;

/** Admits every volume, whatever its size, and reports what is free. */
record UnlimitedPromises(BaseFolderGuard base) implements Promises {
    @Override
    public <T> T admit(String id, Capacity size, Work work, Making<T> making) throws IOException {
        return making.run();
    }

    @Override
    public Room room(Work work) throws IOException {
        Capacity free = Capacity.ofBytes(FreeSpace.of(base.nearest()));
        return new Room(free, Optional.of(free));
    }

    @Override
    public void released(String id) {
        // what is free is asked each time
    }

    @Override
    public void lookAnew() {
        // nothing is kept
    }
}
