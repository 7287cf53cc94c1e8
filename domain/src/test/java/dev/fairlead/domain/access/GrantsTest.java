package dev.fairlead.domain.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.volume.AccessMode;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GrantsTest {
    private static final Grant ONE = new Grant("node-1", "10.0.0.1", false, AccessMode.MULTI_NODE_MULTI_WRITER, false);
    private static final Grant TWO =
            new Grant("node-2", "iqn.1993-08.org.debian:01:2", true, AccessMode.MULTI_NODE_MULTI_WRITER, true);

    private static Access read(Map<String, String> notes) {
        Map<String, String> all = new HashMap<>(Access.CLOSED);
        all.putAll(notes);
        return Access.of(all);
    }

    @Test
    void a_volume_without_a_note_is_open() {
        assertThat(Access.of(Map.of())).isEqualTo(new Access.Open());
        assertThat(Access.of(Grants.NONE.with(ONE).note())).isEqualTo(new Access.Open());
        assertThat(Access.of(Access.CLOSED)).isEqualTo(new Access.Nodes(Grants.NONE));
    }

    @Test
    void grants_survive_as_a_note_in_whatever_order_they_came() {
        Grants both = Grants.NONE.with(ONE).with(TWO);

        assertThat(read(both.note())).isEqualTo(new Access.Nodes(both));
        assertThat(Grants.NONE.with(TWO).with(ONE).note()).isEqualTo(both.note());
        assertThat(read(Grants.NONE.note())).isEqualTo(new Access.Nodes(Grants.NONE));
        assertThat(Grants.NONE.note().values()).doesNotContain("");
    }

    @ParameterizedTest
    @EnumSource
    void every_access_mode_is_read_as_it_was_written(AccessMode mode) {
        Grants grants = Grants.NONE.with(new Grant("n", "10.0.0.1", false, mode, false));

        assertThat(read(grants.note())).isEqualTo(new Access.Nodes(grants));
    }

    /** A property that somebody has edited must not open a volume. */
    @ParameterizedTest
    @ValueSource(strings = {"", "*", "node-1", "node-1 * rw MULTI_NODE_MULTI_WRITER mount", "a b rw NO_MODE mount"})
    void what_cannot_be_read_lets_nobody_in(String text) {
        assertThat(read(Map.of(Access.GRANTS, text))).isEqualTo(new Access.Nodes(Grants.NONE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "a b", "a,b", "a/b", "-x", "$(x)", "a\n", "a'b"})
    void names_that_could_mean_more_are_refused(String name) {
        assertThatThrownBy(() -> new Grant(name, "10.0.0.1", false, AccessMode.UNKNOWN, false))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Grant("n", name, false, AccessMode.UNKNOWN, false))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void an_initiator_that_two_nodes_share_may_what_either_of_them_may() {
        Grants both = Grants.NONE
                .with(new Grant("a", "10.0.0.1", true, AccessMode.MULTI_NODE_MULTI_WRITER, false))
                .with(new Grant("b", "10.0.0.1", false, AccessMode.MULTI_NODE_MULTI_WRITER, false));

        assertThat(both.initiators()).containsOnly(Map.entry("10.0.0.1", false));
        assertThat(both.without("b").initiators()).containsOnly(Map.entry("10.0.0.1", true));
    }

    @Test
    void one_node_at_a_time_is_in_the_way_of_others_and_others_of_it() {
        Grant alone = new Grant("node-3", "10.0.0.3", false, AccessMode.SINGLE_NODE_WRITER, false);

        assertThat(Grants.NONE.with(ONE).inTheWayOf(alone)).contains(ONE);
        assertThat(Grants.NONE.with(alone).inTheWayOf(ONE)).contains(alone);
        assertThat(Grants.NONE.with(alone).inTheWayOf(alone)).isEmpty();
        assertThat(Grants.NONE.with(ONE).inTheWayOf(TWO)).isEmpty();
    }
}
