package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.zfs.fake.FakePool;
import dev.fairlead.adapter.zfs.host.ZfsSettings;
import dev.fairlead.adapter.zfs.property.MutableProperty;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.ConfigTrees;
import java.util.Map;
import java.util.Set;

/** A pool in memory and the store over it. */
final class ZfsBench {
    private static final Set<String> BEFORE = Set.of("tank", "tank/v");

    private final FakePool pool = new FakePool("tank", "tank/v");
    private final VolumeMedium.Kind kind;
    private final ZfsSettings settings;

    ZfsBench(VolumeMedium.Kind kind, Map<String, ?> keys) {
        this.kind = kind;
        this.settings = settings(keys);
    }

    static ZfsSettings settings(Map<String, ?> keys) {
        var problems = new Problems("c.yaml");
        ZfsSettings settings = ZfsSettings.read(ConfigNode.root(ConfigTrees.of(keys), problems));
        assertThat(problems.all()).isEmpty();
        return settings;
    }

    FakePool pool() {
        return pool;
    }

    VolumeStore open() {
        return open(ForeignSnapshots.REFUSE);
    }

    VolumeStore open(ForeignSnapshots foreign) {
        return new ZfsVolumeStore(pool.connection(settings), kind, foreign);
    }

    /** The native properties that were given to a volume's dataset. */
    Map<String, String> modified(StoredVolume volume) {
        Map<String, String> own = pool.own("tank/v/" + volume.id());
        own.keySet().retainAll(MutableProperty.keys(kind));
        return own;
    }

    void verifyEmpty() {
        assertThat(pool.names()).isEqualTo(BEFORE);
    }
}
