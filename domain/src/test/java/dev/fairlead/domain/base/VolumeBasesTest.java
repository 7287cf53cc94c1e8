package dev.fairlead.domain.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.handle.HandleCodec;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VolumeBasesTest {
    private static final VolumeBases PROXY = new VolumeBases("a.example,b.example", new HandleCodec.Proxied());
    private static final VolumeBases SINGLE = new VolumeBases("a.example", new HandleCodec.Bare());

    private static Optional<VolumeBase> of(VolumeBases bases, String handle, String type, String path) {
        return bases.of(handle, Map.of("provisioner_driver", type), path);
    }

    @ParameterizedTest
    @CsvSource({
        "v:disks/fast/pvc-1, local-pool, /pools/fast/v/pvc-1, disks, fast, 1",
        "v:disks/pvc-1, local-pool, /pools/one/v/pvc-1, disks, legacy, 1",
        "v:disks/pvc-1, local-pool, /pools/one/pvc-1, disks, '', 0",
        "v:disks/fast/pvc-1, local-pool, /pools/one/csi/pvc-1, disks, fast, 0"
    })
    void a_volume_s_base_is_known_by_its_handle_and_context(
            String handle, String type, String path, String connection, String pool, int levels) {
        VolumeBase base = of(PROXY, handle, type, path).orElseThrow();

        assertThat(base.connection().value()).isEqualTo(connection);
        assertThat(base.pool().orElse("")).isEqualTo(pool);
        assertThat(base.levels()).isEqualTo(levels);
    }

    @Test
    void a_driver_of_one_connection_knows_the_pool_alone() {
        assertThat(of(SINGLE, "fast/pvc-1", "local-pool", "/pools/fast/v/pvc-1")
                        .orElseThrow()
                        .pool())
                .contains("fast");
    }

    @ParameterizedTest
    @CsvSource({
        "mine, local-pool, /pools/fast/v/pvc-1",
        "v:disks/mine, local-pool, /pools/fast/v/pvc-1",
        "v:disks/fast/pvc-1, local-pool, /pools/fast/v/not-pvc-1",
        "v:disks/fast/pvc-1, local-pool, /pools/fast/v/xpvc-1",
        "v:disks/pvc-1, local-hostpath, /base/v/pvc-1",
        "v:disks/a/b/pvc-1, local-pool, /pools/fast/v/pvc-1",
        "v:/srv/files/pvc-1, local-pool, /srv/files/v/pvc-1",
        "v:disks/fast/pvc-1, node-manual, /pools/fast/v/pvc-1",
        "v:disks/fast/pvc-1, '', /pools/fast/v/pvc-1"
    })
    void of_a_volume_that_was_made_by_hand_nothing_is_known(String handle, String type, String path) {
        assertThat(of(PROXY, handle, type, path)).isEmpty();
        assertThat(of(VolumeBases.NONE, "fast/pvc-1", "local-pool", "/pools/fast/v/pvc-1"))
                .isEmpty();
    }

    private static BaseMark mark(String... fields) {
        TreeMap<String, String> all = new TreeMap<>(Map.of("base", "1f"));
        for (int i = 0; i < fields.length; i += 2) {
            all.put(fields[i], fields[i + 1]);
        }
        return BaseMark.read(FlatJson.format(all)).orElseThrow();
    }

    private static Optional<String> told(String connection, String pool) {
        BaseMark mark = pool.isEmpty()
                ? mark("installation", "b.example,c.example", "connection", connection)
                : mark("installation", "b.example,c.example", "connection", connection, "pool", pool);
        return of(PROXY, "v:disks/fast/pvc-1", "local-pool", "/pools/fast/v/pvc-1")
                .orElseThrow()
                .contradictedBy(mark);
    }

    @Test
    void a_mark_contradicts_by_another_connection_or_pool() {
        assertThat(told("disks", "slow")).contains("pool 'slow' of connection 'disks'");
        assertThat(told("other", "fast")).contains("pool 'fast' of connection 'other'");
        assertThat(told("other", "")).contains("connection 'other'");
    }

    @Test
    void a_mark_of_the_same_or_of_another_installation_and_one_that_says_less_contradict_nothing() {
        assertThat(told("disks", "fast")).isEmpty();
        assertThat(told("disks", "")).isEmpty();
        VolumeBase base = of(PROXY, "v:disks/fast/pvc-1", "local-pool", "/pools/fast/v/pvc-1")
                .orElseThrow();
        assertThat(base.contradictedBy(mark("installation", "c.example", "connection", "other", "pool", "slow")))
                .isEmpty();
        assertThat(base.contradictedBy(mark("connection", "other", "pool", "slow")))
                .isEmpty();
        assertThat(base.contradictedBy(mark("installation", "a.example", "pool", "slow")))
                .isEmpty();
        VolumeBase bare =
                of(PROXY, "v:disks/pvc-1", "local-pool", "/pools/one/pvc-1").orElseThrow();
        assertThat(bare.contradictedBy(mark("installation", "a.example", "connection", "disks", "pool", "one")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"''", "'{'", "'[]'", "'{\"pool\": 3}'", "'{\"connection\":\"a\"}{'"})
    void what_is_no_mark_is_read_as_none(String text) {
        assertThat(BaseMark.read(text)).isEmpty();
    }
}
