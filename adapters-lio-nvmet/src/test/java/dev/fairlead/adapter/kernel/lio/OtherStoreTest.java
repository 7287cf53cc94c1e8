package dev.fairlead.adapter.kernel.lio;

import dev.fairlead.adapter.kernel.OtherStoreContract;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** Targets of devices whose store has nothing to do with ZFS, and no program that prints its notes. */
class OtherStoreTest extends OtherStoreContract {
    private TargetFixture bench() {
        return new TargetFixture(new FakeLio(folder));
    }

    @Override
    public Exporter exporter() {
        return bench().exporter(TargetFixture.CHAP, store.noteLook());
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
    public int exports() {
        return bench().exports();
    }

    @Override
    protected Map<String, String> target(String name) {
        return Map.of("iqn", TargetFixture.BASE + ":" + name);
    }
}
