package dev.fairlead.adapter.kernel.nvmet;

import dev.fairlead.adapter.kernel.OtherStoreContract;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** Subsystems of devices whose store has nothing to do with ZFS. */
class OtherStoreTest extends OtherStoreContract {
    private NvmetFixture bench() {
        return new NvmetFixture(folder);
    }

    @Override
    public Exporter exporter() {
        return bench().exporter();
    }

    @Override
    public Exporter spoiled() {
        return bench().spoiled();
    }

    @Override
    public Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
        return bench().letIn(volume);
    }

    @Override
    public boolean hasReaders() {
        return false;
    }

    @Override
    public int exports() {
        return bench().exports();
    }

    @Override
    protected Map<String, String> target(String name) {
        return Map.of("nqn", NvmetFixture.BASE + ":" + name);
    }
}
