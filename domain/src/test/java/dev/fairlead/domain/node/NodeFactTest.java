package dev.fairlead.domain.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeFactTest {
    private static NodeIdentity node(String text) {
        return new NodeIdentity(
                Optional.empty(), Optional.empty(), Optional.of(text), Optional.of(text), Optional.of(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "2001:db8::1", "fe80::1"})
    void addresses_are_told(String address) {
        assertThat(NodeFact.ADDRESS.of(node(address))).contains(address);
        assertThat(NodeFact.IQN.of(node(address))).isEmpty();
        assertThat(NodeFact.NQN.of(node(address))).isEmpty();
    }

    @Test
    void names_of_initiators_are_told_as_a_target_compares_them() {
        assertThat(NodeFact.IQN.of(node("iqn.1993-08.org.debian:01:AbC"))).contains("iqn.1993-08.org.debian:01:abc");
        assertThat(NodeFact.NQN.of(node("nqn.2014-08.org.nvmexpress:uuid:AB-1")))
                .contains("nqn.2014-08.org.nvmexpress:uuid:AB-1");
    }

    @Test
    void a_node_is_known_by_its_node_name_and_else_by_its_host_name() {
        var named = new NodeIdentity(
                Optional.of("worker-1.example.org"), Optional.of("h1"), Optional.empty(), Optional.empty());
        var hostOnly = new NodeIdentity(Optional.empty(), Optional.of("h1"), Optional.empty(), Optional.empty());

        assertThat(NodeFact.NAME.of(named)).contains("worker-1.example.org");
        assertThat(NodeFact.NAME.of(hostOnly)).contains("h1");
        assertThat(NodeFact.NAME.of(NodeIdentity.ofName("worker_1"))).isEmpty();
        assertThat(NodeFact.NAME.of(NodeIdentity.ofName("-rf"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "10.0.0.0/8", "iqn.x y", "iqn.$(x)", "nqn.a/b", "host", "nqn.", "10.0.0.1:rw"})
    void what_none_could_be_is_not_told(String text) {
        assertThat(NodeFact.values())
                .allSatisfy(fact -> assertThat(fact.of(node(text))).isEmpty());
    }

    @Test
    void an_address_travels_in_a_node_id_behind_what_the_peer_knows() {
        var node = new NodeIdentity(
                Optional.of("w1"), Optional.empty(), Optional.empty(), Optional.empty(), Optional.of("2001:db8::1"));

        assertThat(NodeIdCodec.PLAIN.format(node)).isEqualTo("n=w1/a=2001:db8::1");
        assertThat(NodeIdCodec.PLAIN.parse("n=w1/a=2001:db8::1")).contains(node);
    }
}
