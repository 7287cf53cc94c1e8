package dev.fairlead.domain.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.node.NodeIdCodec.Prefix;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeIdCodecTest {
    private static final NodeIdCodec CODEC = new NodeIdCodec(
            List.of(new Prefix("1", "iqn.1993-08.org.debian:01:"), new Prefix("2", "iqn.1993-08.org.debian:")),
            List.of(new Prefix("1", "nqn.2014-08.org.nvmexpress:uuid:")));

    @Test
    void a_node_of_which_only_the_name_is_told() {
        assertThat(NodeIdCodec.PLAIN.format(NodeIdentity.ofName("node-1"))).isEqualTo("n=node-1");
    }

    @Test
    void all_parts_stand_in_the_peers_order() {
        var node = new NodeIdentity(
                Optional.of("node-1"),
                Optional.of("host-1"),
                Optional.of("iqn.1993-08.org.debian:01:abc"),
                Optional.of("nqn.2014-08.org.nvmexpress:uuid:68f1d462"));

        String id = CODEC.format(node);

        assertThat(id).isEqualTo("n=node-1/h=host-1/i1=abc/v1=68f1d462");
        assertThat(CODEC.parse(id)).contains(node);
    }

    @Test
    void the_longest_prefix_is_taken() {
        assertThat(CODEC.format(initiator("iqn.1993-08.org.debian:01:abc"))).isEqualTo("i1=abc");
        assertThat(CODEC.format(initiator("iqn.1993-08.org.debian:02:abc"))).isEqualTo("i2=02:abc");
        assertThat(CODEC.format(initiator("iqn.1993-08.org.debian:01:"))).isEqualTo("i2=01:");
    }

    @Test
    void an_initiator_that_no_prefix_fits_is_named_with_the_remedy() {
        assertThatThrownBy(() -> CODEC.format(initiator("iqn.2005-03.org.open-iscsi:x")))
                .isInstanceOf(StorageException.class)
                .hasMessageContainingAll("iqn.2005-03.org.open-iscsi:x", "proxy.nodeId.iqnPrefix");
    }

    @Test
    void a_node_of_which_nothing_is_known_has_no_id() {
        var nobody = new NodeIdentity(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

        assertThatThrownBy(() -> CODEC.format(nobody)).hasMessageContaining("CSI_NODE_ID");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "a/h=b", "a\nb", "a b", "a\u0000", "\uFFFD\uFFFD", "a\u0085"})
    void a_name_that_would_end_its_part_or_is_no_plain_text_is_refused(String name) {
        assertThatThrownBy(() -> CODEC.format(NodeIdentity.ofName(name))).isInstanceOf(StorageException.class);
    }

    @Test
    void a_node_id_has_at_most_256_bytes() {
        assertThat(CODEC.format(NodeIdentity.ofName("a".repeat(254)))).hasSize(256);
        assertThatThrownBy(() -> CODEC.format(NodeIdentity.ofName("a".repeat(253) + "ä")))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("257 bytes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "node-1",
                "n=",
                "=x",
                "n",
                "n=a/",
                "/n=a",
                "n=a/n=b",
                "n=a/x=b",
                "nx=a",
                "i9=a",
                "i=a",
                "v2=a",
                "n=a//h=b",
                "in=a"
            })
    void what_is_no_node_id_is_none(String id) {
        assertThat(CODEC.parse(id)).isEmpty();
    }

    @Property
    void hostile_node_ids_never_throw(@ForAll String id) {
        CODEC.parse(id).ifPresent(node -> assertThat(node).isNotNull());
    }

    @Property
    void what_is_formatted_is_parsed(@ForAll("nodes") NodeIdentity node) {
        Assume.that(node.nodeName().isPresent()
                || node.hostname().isPresent()
                || node.iqn().isPresent());

        assertThat(CODEC.parse(CODEC.format(node))).contains(node);
    }

    @Provide
    Arbitrary<NodeIdentity> nodes() {
        Arbitrary<String> names = Arbitraries.strings()
                .alpha()
                .numeric()
                .withChars('.', '-', '=', ':')
                .ofMinLength(1)
                .ofMaxLength(40);
        Arbitrary<Optional<String>> name = names.optional();
        return Combinators.combine(
                        name,
                        name,
                        names.map(rest -> "iqn.1993-08.org.debian:" + rest).optional(),
                        names.map(rest -> "nqn.2014-08.org.nvmexpress:uuid:" + rest)
                                .optional())
                .as(NodeIdentity::new);
    }

    @ParameterizedTest
    @CsvSource({"'', x", "A, x", "a-b, x", "a, ''"})
    void a_table_entry_has_a_short_name_of_small_letters_and_a_prefix(String shortName, String prefix) {
        assertThatThrownBy(() -> new Prefix(shortName, prefix)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void short_names_are_distinct() {
        assertThatThrownBy(() -> new NodeIdCodec(List.of(new Prefix("1", "a"), new Prefix("1", "b")), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("iqnPrefix", "'1'");
    }

    private static NodeIdentity initiator(String iqn) {
        return new NodeIdentity(Optional.empty(), Optional.empty(), Optional.of(iqn), Optional.empty());
    }
}
