package dev.fairlead.adapter.zfs.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.zfs.fake.FakePool;
import dev.fairlead.adapter.zfs.host.ShareProtocol;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.settings.ZfsSettings;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** A pool in memory with volumes to share. */
final class ShareFixture {
    private static final String PARENT = "tank/v";

    private final FakePool pool = new FakePool("tank", PARENT);
    private String another = "";

    FakePool pool() {
        return pool;
    }

    ZfsConnection connection() {
        return pool.connection(ZfsSettings.read(node(Map.of("datasetParentName", PARENT))));
    }

    /** The same pool for a connection that knows its parent by this mark. */
    ZfsConnection marked(String mark) {
        ZfsSettings settings = ZfsSettings.read(node(Map.of("datasetParentName", PARENT)));
        return pool.connection(
                settings, new DatasetLayout(settings.parent(), settings.detachedParent()), Optional.of(mark));
    }

    static ConfigNode node(Map<String, ?> keys) {
        var problems = new Problems("c.yaml");
        ConfigNode node = ConfigNode.root(ConfigTrees.of(keys), problems);
        assertThat(problems.all()).isEmpty();
        return node;
    }

    StoredVolume volume(Birth birth, Map<String, String> notes) {
        String dataset = PARENT + "/" + birth.id();
        pool.put(dataset, "filesystem", Map.of());
        return new StoredVolume(
                birth.id(),
                Optional.of(birth.request().name()),
                Optional.of(birth.capacity()),
                new VolumeMedium.Filesystem("/" + dataset),
                birth.request().content(),
                notes);
    }

    static Birth birth(String name) {
        return new Birth(
                new NativeId(name),
                TestVolumes.empty(name),
                TestVolumes.SIZE,
                new VolumeMedium.Filesystem("/" + PARENT + "/" + name),
                Map.of());
    }

    void remove(StoredVolume volume) {
        pool.remove(PARENT + "/" + volume.id());
    }

    /**
     * Puts another pool of the same name in the place of one that is away. It has a volume that it shares with a host
     * of its own, and perhaps one that has the name of ours and is no volume of any driver.
     */
    void putAnother(Optional<StoredVolume> alike) {
        pool.put("tank", "filesystem", Map.of());
        pool.put(PARENT, "filesystem", Map.of());
        pool.put(PARENT + "/pvc-other", "filesystem", Map.of("sharenfs", "rw=10.0.0.9"));
        alike.ifPresent(volume -> pool.put(
                PARENT + "/" + volume.id(), "filesystem", Map.of("sharenfs", "rw=10.0.0.9", "sharesmb", "on")));
        another = pool.dump();
    }

    void takeAnotherUntouched() {
        assertThat(pool.dump()).isEqualTo(another);
        new TreeSet<>(pool.names()).descendingSet().forEach(pool::remove);
    }

    /** What the host itself shares. */
    int shared(ShareProtocol protocol) {
        return switch (protocol) {
            case NFS -> pool.shares().exports().size();
            case SMB -> pool.shares().named().size();
        };
    }

    /** Whom {@code sharenfs} lets in by address, and whether he may only read; empty where it names nobody. */
    Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
        String options = pool.own(PARENT + "/" + volume.id()).getOrDefault("sharenfs", "on");
        SortedMap<String, Boolean> hosts = new TreeMap<>();
        for (String option : options.split(",", -1)) {
            if (option.matches("r[wo]=.*")) {
                for (String host : option.substring(3).split(":", -1)) {
                    hosts.put(host, option.startsWith("ro"));
                }
            }
        }
        return hosts.isEmpty() && !options.equals("off") ? Optional.empty() : Optional.of(hosts);
    }
}
