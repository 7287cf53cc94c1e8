package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.zfs.fake.FakePool;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.Parents;
import dev.fairlead.zfs.property.MutableProperty;
import dev.fairlead.zfs.settings.ForeignSnapshots;
import dev.fairlead.zfs.settings.ZfsSettings;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A pool in memory and the store over it. */
public final class ZfsFixture {
    private final FakePool pool;
    private final Set<String> before;
    private final VolumeMedium.Kind kind;
    private final ZfsSettings settings;
    private final DatasetLayout layout;

    public ZfsFixture(VolumeMedium.Kind kind, Map<String, ?> keys) {
        this(kind, keys, Map.of(), "tank", "tank/v");
    }

    /**
     * @param parents datasets by their labels
     * @param datasets all that there are at first
     */
    ZfsFixture(VolumeMedium.Kind kind, Map<String, ?> keys, Map<String, String> parents, String... datasets) {
        this.kind = kind;
        this.settings = settings(keys);
        Map<String, DatasetName> labelled = new TreeMap<>();
        parents.forEach((label, name) -> labelled.put(label, new DatasetName(name)));
        this.layout = new DatasetLayout(new Parents(settings.parent(), labelled), settings.detachedParent());
        this.pool = new FakePool(datasets);
        this.before = pool.names();
    }

    public static ZfsSettings settings(Map<String, ?> keys) {
        var problems = new Problems("c.yaml");
        ZfsSettings settings = ZfsSettings.read(ConfigNode.root(ConfigTrees.of(keys), problems));
        assertThat(problems.all()).isEmpty();
        return settings;
    }

    public FakePool pool() {
        return pool;
    }

    public VolumeStore open() {
        return open(ForeignSnapshots.REFUSE);
    }

    /** The same pool under other settings. */
    VolumeStore openWith(Map<String, ?> keys) {
        return new ZfsVolumeStore(pool.connection(settings(keys), layout), kind, ForeignSnapshots.REFUSE);
    }

    /** A process whose connection knows its parent by this mark. */
    VolumeStore openMarked(String mark) {
        return new ZfsVolumeStore(pool.connection(settings, layout, Optional.of(mark)), kind, ForeignSnapshots.REFUSE);
    }

    VolumeStore open(ForeignSnapshots foreign) {
        return new ZfsVolumeStore(pool.connection(settings, layout), kind, foreign);
    }

    String dataset(NativeId id) {
        return layout.volume(id).orElseThrow().value();
    }

    /** The native properties that were given to a volume's dataset. */
    Map<String, String> modified(StoredVolume volume) {
        Map<String, String> own = pool.own(dataset(volume.id()));
        own.keySet().retainAll(MutableProperty.keys(kind));
        return own;
    }

    public void verifyEmpty() {
        assertThat(pool.names()).isEqualTo(before);
    }
}
