package dev.fairlead.domain.parameters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.StorageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParameterScopesTest {
    private static final ParameterScopes SCOPES =
            new ParameterScopes(Optional.of("inst1"), "zfs-generic-nfs", Set.of("driver", "detachedSnapshots"));

    /** From the weakest to the strongest. */
    private static final List<String> PRECEDENCE = List.of(
            "driver",
            "democratic-csi.org/driver",
            "fairlead.dev/driver",
            "democratic-csi.org/zfs-generic-nfs/driver",
            "fairlead.dev/zfs-generic-nfs/driver",
            "democratic-csi.org/inst1/driver",
            "fairlead.dev/inst1/driver");

    @Property
    void the_narrowest_scope_wins_in_any_order(@ForAll("someKeys") List<String> keys) {
        Map<String, String> raw = new LinkedHashMap<>();
        keys.forEach(key -> raw.put(key, "value of " + key));

        String strongest =
                PRECEDENCE.stream().filter(keys::contains).reduce((a, b) -> b).orElseThrow();
        assertThat(SCOPES.resolve(raw)).containsExactly(Map.entry("driver", "value of " + strongest));
    }

    @Provide
    Arbitrary<List<String>> someKeys() {
        return Arbitraries.shuffle(PRECEDENCE)
                .flatMap(all ->
                        Arbitraries.integers().between(1, all.size()).map(n -> new ArrayList<>(all.subList(0, n))));
    }

    @Test
    void bare_keys_pass_as_they_are() {
        Map<String, String> raw = Map.of("anything", "1", "csi.storage.k8s.io/pvc/name", "data", "other.org/x", "2");

        assertThat(SCOPES.resolve(raw)).isEqualTo(raw);
    }

    @Test
    void what_is_scoped_to_another_driver_or_instance_does_not_apply() {
        Map<String, String> raw = Map.of(
                "democratic-csi.org/local-hostpath/driver", "restic",
                "democratic-csi.org/inst2/unheard", "x",
                "fairlead.dev/inst2/driver", "kopia");

        assertThat(SCOPES.resolve(raw)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "democratic-csi.org/drvier",
                "fairlead.dev/drvier",
                "democratic-csi.org/zfs-generic-nfs/drvier",
                "fairlead.dev/inst1/drvier",
                "fairlead.dev/",
                "fairlead.dev/inst1/",
                "fairlead.dev/inst1/a/b"
            })
    void a_scoped_key_that_nobody_knows_is_refused_with_the_known_ones(String key) {
        assertThatThrownBy(() -> SCOPES.resolve(Map.of(key, "x")))
                .isInstanceOf(StorageException.class)
                .hasMessageContainingAll("'" + key + "'", "detachedSnapshots, driver");
    }

    @ParameterizedTest
    @ValueSource(strings = {"connection", "connections", "connectionSelector"})
    void the_connection_is_chosen_by_a_bare_key_only(String key) {
        assertThat(SCOPES.resolve(Map.of(key, "a"))).containsEntry(key, "a");
        assertThatThrownBy(() -> SCOPES.resolve(Map.of("fairlead.dev/" + key, "a")))
                .hasMessageContaining("without the prefix");
    }

    @Test
    void without_an_instance_id_nothing_is_scoped_to_one() {
        ParameterScopes scopes = new ParameterScopes(Optional.of(""), "d", Set.of("k"));

        assertThat(scopes.resolve(Map.of("fairlead.dev//k", "1", "k", "2"))).containsExactly(Map.entry("k", "2"));
        assertThat(scopes.instanceId()).isEmpty();
    }
}
