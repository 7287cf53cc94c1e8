package dev.fairlead.bootstrap.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.InvalidConfigException;
import dev.fairlead.application.port.out.cluster.Announcement;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.port.out.store.PoolIdentities;
import dev.fairlead.application.port.out.store.PoolIdentities.PoolIdentity;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What pools make of a node's labels, and what is told where the Node has others. */
class PoolLabelsTest {
    private static final String KEY = "example.org/pool.fast";

    private final List<Announcement> told = new ArrayList<>();
    private final List<Map<String, String>> registered = new ArrayList<>();

    private PoolLabels compared(Optional<String> disk, Map<String, String> onNode) {
        PoolLabels labels = new PoolLabels(Optional.of(pools(disk)), () -> onNode, announcer());
        labels.compare();
        return labels;
    }

    private PoolIdentities pools(Optional<String> disk) {
        return listed(List.of(new PoolIdentity(new ConnectionName("disks"), "fast", KEY, disk)));
    }

    private PoolIdentities listed(List<PoolIdentity> all) {
        return new PoolIdentities() {
            @Override
            public List<PoolIdentity> now() {
                return all;
            }

            @Override
            public void registered(Map<String, String> labels) {
                registered.add(labels);
            }
        };
    }

    private Announcer announcer() {
        return new Announcer() {
            @Override
            public void announce(Announcement announcement) {
                told.add(announcement);
            }

            @Override
            public long dropped() {
                return 0;
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void a_node_without_the_label_gets_it() {
        assertThat(compared(Optional.of("a"), Map.of("other", "x")).now()).isEqualTo(Map.of(KEY, "a"));
        assertThat(registered).containsExactly(Map.of(KEY, "a"));
        assertThat(told).isEmpty();
    }

    @Test
    void a_node_with_another_value_keeps_it_so_that_kubelet_registers_it_and_an_event_says_what_to_do() {
        assertThat(compared(Optional.of("a"), Map.of(KEY, "b")).now()).isEqualTo(Map.of(KEY, "b"));

        assertThat(registered).containsExactly(Map.of(KEY, "b"));
        assertThat(told).singleElement().satisfies(event -> {
            assertThat(event.kind()).isEqualTo(Announcement.Kind.POOL_ELSEWHERE);
            assertThat(event.text()).contains("FL-TOPO-003", "pool 'fast'", KEY + "=b", "disk a", "remove the label");
        });
    }

    @Test
    void a_disk_that_is_away_changes_nothing() {
        assertThat(compared(Optional.empty(), Map.of(KEY, "b")).now()).isEqualTo(Map.of(KEY, "b"));
        assertThat(compared(Optional.empty(), Map.of()).now()).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void the_cluster_is_not_asked_if_no_pool_has_a_place_of_its_own() {
        PoolLabels labels = new PoolLabels(
                Optional.empty(),
                () -> {
                    throw new AssertionError("asked");
                },
                announcer());

        labels.compare();

        assertThat(labels.now()).isEmpty();
    }

    @Test
    void pools_that_come_later_are_told_that_the_node_has_no_label_of_theirs() {
        PoolLabels labels = new PoolLabels(
                Optional.of(listed(List.of())),
                () -> {
                    throw new AssertionError("asked");
                },
                announcer());

        labels.compare();

        assertThat(registered).containsExactly(Map.of());
    }

    @Test
    void pools_that_are_loaded_before_kubelet_asks_are_in_what_it_is_told() {
        List<PoolIdentity> loaded = new ArrayList<>();
        PoolLabels labels = new PoolLabels(Optional.of(listed(loaded)), Map::of, announcer());
        labels.compare();
        loaded.add(new PoolIdentity(new ConnectionName("disks"), "fast", KEY, Optional.of("a")));

        labels.compareIfStale();
        labels.compareIfStale();

        assertThat(labels.now()).isEqualTo(Map.of(KEY, "a"));
        assertThat(registered).containsExactly(Map.of(), Map.of(KEY, "a"));
    }

    @Test
    void a_cluster_that_does_not_answer_bars_the_pool_alone_and_is_asked_again_with_kubelet() {
        Deque<Supplier<Map<String, String>>> answers = new ArrayDeque<>();
        answers.add(() -> {
            throw new StorageException(new Failure.ClusterUnintelligible("reading the labels of the node n1", "none"));
        });
        answers.add(() -> {
            throw new InvalidConfigException(List.of());
        });
        answers.add(() -> Map.of(KEY, "a"));
        PoolLabels labels = new PoolLabels(
                Optional.of(pools(Optional.of("a"))), () -> answers.remove().get(), announcer());

        labels.compare();
        assertThat(labels.now()).isEmpty();
        assertThat(registered).containsExactly(Map.of());
        assertThat(told).singleElement().satisfies(event -> {
            assertThat(event.kind()).isEqualTo(Announcement.Kind.POOL_ELSEWHERE);
            assertThat(event.text())
                    .contains("FL-TOPO-003", "pool 'fast'", "reading the labels of the node n1", "start the driver");
        });

        labels.compareIfStale();
        assertThat(labels.now()).isEmpty();

        labels.compareIfStale();
        assertThat(labels.now()).isEqualTo(Map.of(KEY, "a"));
        assertThat(registered).containsExactly(Map.of(), Map.of(), Map.of(KEY, "a"));

        labels.compareIfStale();
        assertThat(answers).isEmpty();
    }
}
