package dev.fairlead.application.service.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.config.Problem;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.call.TestClock;
import dev.fairlead.application.service.connection.ConnectionStatus.State;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class ConnectionsTest {
    private static final ConnectionName NAS = new ConnectionName("nas");
    private static final ConnectionName SAN = new ConnectionName("san");
    private static final Problem MISSPELT =
            new Problem(Problem.Severity.ERROR, "nas.yaml", 3, "drivr", "unknown key", "did you mean driver?");

    private final TestClock clock = new TestClock();
    private final List<String> told = Collections.synchronizedList(new ArrayList<>());
    private final BlockingQueue<String> closed = new LinkedBlockingQueue<>();
    private final Connections connections =
            new Connections(Thread.ofPlatform().daemon().factory(), clock, new Telemetry() {
                @Override
                public void installed(ConnectionName connection) {
                    told.add("installed " + connection);
                }

                @Override
                public void rejected(ConnectionName connection, boolean working) {
                    told.add("rejected " + connection + " " + working);
                }

                @Override
                public void removed(ConnectionName connection) {
                    told.add("removed " + connection);
                }
            });

    @Test
    void a_connection_that_never_was_is_unknown_by_name() {
        assertThatThrownBy(() -> connections.use(NAS))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.ConnectionUnknown.class))
                .hasMessageContaining("connection nas is not loaded");
    }

    @Test
    void the_connection_whose_name_is_near_is_named() {
        connections.install(backend(NAS, "first"));

        assertThatThrownBy(() -> connections.use(new ConnectionName("dsm"))).hasMessageNotContaining("meant?");
        assertThatThrownBy(() -> connections.use(new ConnectionName("nas1"))).hasMessageContaining("(is 'nas' meant?)");
    }

    @Test
    void one_that_was_never_good_says_what_is_wrong_with_its_file() {
        connections.reject(NAS, List.of(MISSPELT));

        assertThatThrownBy(() -> connections.use(NAS))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.ConnectionBroken.class))
                .hasMessageContaining("nas.yaml:3: drivr: unknown key");
        assertThat(connections.names()).containsExactly(NAS);
    }

    @Test
    void a_broken_edit_keeps_the_last_good_version() {
        connections.install(backend(NAS, "first"));

        connections.reject(NAS, List.of(MISSPELT));

        try (ConnectionUse use = connections.use(NAS)) {
            assertThat(use.backend().driverType()).isEqualTo("first");
        }
        assertThat(connections.problems()).containsOnlyKeys(NAS);
        assertThat(told).containsExactly("installed nas", "rejected nas true");
    }

    @Test
    void how_each_connection_is_can_be_seen_until_its_last_call_has_ended() throws InterruptedException {
        connections.install(backend(NAS, "first"));
        connections.reject(SAN, List.of(MISSPELT));
        ConnectionUse call = connections.use(NAS);

        assertThat(connections.statuses())
                .containsExactly(
                        new ConnectionStatus(
                                NAS, State.SERVING, Optional.of("first"), Optional.of(clock.instant()), 1, 0, 0),
                        new ConnectionStatus(SAN, State.BROKEN, Optional.empty(), Optional.empty(), 0, 0, 0));

        connections.reject(NAS, List.of(MISSPELT));
        connections.remove(SAN);
        assertThat(connections.statuses()).extracting(ConnectionStatus::state).containsExactly(State.STALE);

        connections.remove(NAS);
        assertThat(connections.statuses())
                .containsExactly(
                        new ConnectionStatus(NAS, State.ABSENT, Optional.of("first"), Optional.empty(), 1, 0, 0));

        call.close();
        assertThat(closed.take()).isEqualTo("exporter first");
        assertThat(closed.take()).isEqualTo("store first");
        connections.close();
        assertThat(connections.statuses()).isEmpty();
    }

    @Test
    void mending_the_file_forgets_its_problems() throws InterruptedException {
        connections.install(backend(NAS, "first"));
        connections.reject(NAS, List.of(MISSPELT));

        connections.install(backend(NAS, "second"));

        assertThat(connections.problems()).isEmpty();
        assertThat(closed.take()).isEqualTo("exporter first");
        assertThat(closed.take()).isEqualTo("store first");
    }

    @Test
    void a_call_ends_on_the_version_that_it_began_with_and_closes_it_then() throws InterruptedException {
        connections.install(backend(NAS, "first"));
        ConnectionUse one = connections.use(NAS);
        ConnectionUse two = connections.use(NAS);

        connections.install(backend(NAS, "second"));
        String onTheOld = one.read(clock.work("GetVolume"), "look", Backend::driverType);
        one.close();
        one.close();
        boolean early = !closed.isEmpty();
        two.close();

        assertThat(onTheOld).isEqualTo("first");
        assertThat(early).isFalse();
        assertThat(closed.take()).isEqualTo("exporter first");
        try (ConnectionUse now = connections.use(NAS)) {
            assertThat(now.backend().driverType()).isEqualTo("second");
        }
    }

    @Test
    void an_abandoned_call_keeps_its_version_open_until_it_ends() throws InterruptedException {
        connections.install(backend(NAS, "first"));
        CountDownLatch storageAnswers = new CountDownLatch(1);
        try (ConnectionUse use = connections.use(NAS)) {
            assertThatThrownBy(() -> use.read(clock.work("GetVolume"), "look", _ -> await(storageAnswers)))
                    .isInstanceOf(StorageException.class);
        }

        connections.remove(NAS);
        boolean early = !closed.isEmpty();
        storageAnswers.countDown();

        assertThat(early).isFalse();
        assertThat(closed.take()).isEqualTo("exporter first");
    }

    @Test
    void after_removal_the_name_is_unknown_and_others_go_on() {
        connections.install(backend(NAS, "first"));
        connections.install(backend(SAN, "other"));

        connections.remove(NAS);
        connections.remove(NAS);

        assertThatThrownBy(() -> connections.use(NAS)).hasMessageContaining("FL-CON-001");
        connections.use(SAN).close();
        assertThat(connections.names()).containsExactly(SAN);
        assertThat(told).containsExactly("installed nas", "installed san", "removed nas");
    }

    @Test
    void labels_find_the_connections_that_carry_all_of_them() {
        connections.install(backend(NAS, "a", Map.of("tier", "fast", "site", "a")));
        connections.install(backend(SAN, "b", Map.of("tier", "fast")));

        assertThat(connections.labelled(Map.of("tier", "fast"))).containsExactly(NAS, SAN);
        assertThat(connections.labelled(Map.of("tier", "fast", "site", "a"))).containsExactly(NAS);
        assertThat(connections.labelled(Map.of("tier", "slow"))).isEmpty();
    }

    @Test
    void closing_closes_every_version_and_those_that_come_too_late() {
        connections.install(backend(NAS, "first"));
        connections.install(backend(SAN, "other"));

        connections.close();
        connections.install(backend(NAS, "late"));
        connections.close();

        assertThat(closed).contains("store first", "store other", "store late");
        assertThatThrownBy(() -> connections.use(NAS)).hasMessageContaining("FL-CON-001");
    }

    @Test
    void a_store_and_an_exporter_that_share_no_medium_are_no_backend() {
        VolumeStore store = TestBackends.store("blocks", VolumeMedium.Kind.BLOCK_DEVICE, closed::add);
        Exporter exporter = TestBackends.exporter("files", closed::add);

        assertThatThrownBy(() -> new Backend(NAS, "odd", store, exporter, TestBackends.settings(Map.of())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the store makes [BLOCK_DEVICE], the exporter takes FILESYSTEM");
    }

    private static String await(CountDownLatch latch) {
        try {
            latch.await();
            return "answer";
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Backend backend(ConnectionName name, String version) {
        return backend(name, version, Map.of());
    }

    private Backend backend(ConnectionName name, String version, Map<String, String> labels) {
        return TestBackends.of(name, version, labels, closed::add);
    }
}
