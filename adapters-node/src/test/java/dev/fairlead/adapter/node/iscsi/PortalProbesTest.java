package dev.fairlead.adapter.node.iscsi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.node.block.PortProbe;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is remembered of a portal at which nothing answered. */
class PortalProbesTest {
    private static final Portal STOR = new Portal("stor.lab.test", 3260);
    private static final String FORMER = "10.0.0.2";
    private static final String NEW = "10.0.0.9";

    private final Network network = new Network();

    /** Plays a name server with one name, and the hosts behind it. */
    private static final class Network implements PortProbe {
        private final Set<String> addresses = ConcurrentHashMap.newKeySet();
        private final Set<String> answering = ConcurrentHashMap.newKeySet();

        @Override
        public void ask(InetAddress address, int port) throws IOException {
            if (!answering.contains(address.getHostAddress())) {
                throw new IOException("no answer");
            }
        }

        @Override
        public Set<InetAddress> addresses(String host) throws UnknownHostException {
            Set<InetAddress> found = ConcurrentHashMap.newKeySet();
            for (String address : addresses) {
                found.add(InetAddress.ofLiteral(address));
            }
            if (found.isEmpty()) {
                throw new UnknownHostException(host);
            }
            return found;
        }
    }

    @BeforeEach
    void a_host_that_has_an_address() {
        network.addresses.add(FORMER);
    }

    private PortalProbes probes(Duration belief) {
        return new PortalProbes(network, MountSandbox.THREADS, Duration.ZERO, belief);
    }

    private PortalProbes silent() {
        PortalProbes probes = probes(Duration.ofHours(1));
        assertThat(probes.silent(List.of(STOR), TestWork.patient())).containsExactly(STOR);
        return probes;
    }

    @Test
    void a_portal_that_was_silent_is_known_to_be_until_it_is_asked_again() {
        PortalProbes probes = silent();
        network.answering.add(FORMER);

        assertThat(probes.isKnownSilent(STOR)).isTrue();

        assertThat(probes.answeringAgain(List.of(STOR), TestWork.patient())).containsExactly(STOR);
        assertThat(probes.isKnownSilent(STOR)).isFalse();
    }

    @Test
    void a_portal_that_was_not_asked_is_not_known_to_be_silent() {
        assertThat(probes(Duration.ofHours(1)).isKnownSilent(STOR)).isFalse();
    }

    @Test
    void a_portal_that_moved_to_another_address_is_not_known_to_be_silent() {
        PortalProbes probes = silent();

        network.addresses.clear();
        network.addresses.add(NEW);

        assertThat(probes.isKnownSilent(STOR)).isFalse();
    }

    @Test
    void a_portal_whose_name_is_gone_stays_silent() {
        PortalProbes probes = silent();

        network.addresses.clear();

        assertThat(probes.isKnownSilent(STOR)).isTrue();
    }

    @Test
    void a_portal_that_a_login_has_reached_is_not_silent_any_more() {
        PortalProbes probes = silent();

        probes.reached(STOR);

        assertThat(probes.isKnownSilent(STOR)).isFalse();
    }

    @Test
    void what_nobody_has_asked_for_long_is_not_believed() {
        PortalProbes probes = probes(Duration.ZERO);

        assertThat(probes.silent(List.of(STOR), TestWork.patient())).containsExactly(STOR);

        assertThat(probes.isKnownSilent(STOR)).isFalse();
    }

    @Test
    void one_address_that_answers_is_enough() {
        network.addresses.add(NEW);
        network.answering.add(NEW);

        assertThat(probes(Duration.ofHours(1)).silent(List.of(STOR), TestWork.patient()))
                .isEmpty();
    }
}
