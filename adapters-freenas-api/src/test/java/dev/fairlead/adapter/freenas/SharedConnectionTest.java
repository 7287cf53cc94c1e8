package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.client.connection.TruenasConnections;
import dev.fairlead.adapter.freenas.testkit.AtOnce;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.ConfigValue;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.ConfigValue.Scalar;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.failure.CallLog;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Until;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedConnectionTest {
    private static final List<String> PARENTS = List.of("tank/k8s");

    private final Problems problems = new Problems("box.yaml");
    private final TruenasConnections connections =
            new TruenasConnections(task -> Thread.ofPlatform().daemon().unstarted(task));

    @TempDir
    private Path folder;

    @Test
    void the_store_and_the_exporter_of_a_connection_have_one_client() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder)) {
            ConnectionScope scope = scope("first");
            ConfigNode file = file(box.rootKey(), box.port());
            SharedClient<TruenasApi> store = connections.open(scope, file, PARENTS);
            SharedClient<TruenasApi> exporter = connections.open(scope, file, PARENTS);

            assertThat(problems.all()).isEmpty();
            assertThat(store.get()).isSameAs(exporter.get());
            store.close();
            assertThat(exporter.get().release(TestWork.patient()).isAtLeast(25, 10))
                    .isTrue();
            exporter.close();
            assertThatThrownBy(() -> exporter.get().release(TestWork.patient())).hasMessageContaining("no longer used");
        }
    }

    @Test
    void a_key_that_is_changed_gives_another_session_and_leaves_the_former_one() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder)) {
            SharedClient<TruenasApi> former =
                    connections.open(scope("first"), file(box.rootKey(), box.port()), PARENTS);
            former.get().release(TestWork.patient());

            SharedClient<TruenasApi> later =
                    connections.open(scope("first"), file(box.key("root"), box.port()), PARENTS);
            later.get().release(TestWork.patient());

            assertThat(box.sockets()).isEqualTo(2);
            assertThat(former.get().release(TestWork.patient()).isAtLeast(25, 10))
                    .isTrue();
        }
    }

    @Test
    void a_file_whose_key_is_edited_while_calls_run_costs_none_of_them_and_leaves_no_session() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder)) {
            box.user("former", "pass-w0rd", Set.of("FULL_ADMIN"));
            box.user("latter", "pass-w0rd", Set.of("FULL_ADMIN"));
            String spent = box.key("former");
            String fresh = box.key("latter");
            SharedClient<TruenasApi> former = connections.open(scope("first"), file(spent, box.port()), PARENTS);
            var current = new AtomicReference<>(former);
            var over = new AtomicBoolean();
            var calling = new ReentrantReadWriteLock(true);
            List<CompletableFuture<Integer>> callers = Stream.generate(() -> AtOnce.ask(() -> {
                        int made = 0;
                        for (; !over.get(); made++) {
                            calling.readLock().lock();
                            try {
                                list(current.get());
                            } finally {
                                calling.readLock().unlock();
                            }
                        }
                        return made;
                    }))
                    .limit(4)
                    .toList();
            box.fault(Fault.at("pool.dataset.query", new Fault.Hesitant(Duration.ofMillis(700)))
                    .having("slow"));
            CompletableFuture<Void> slow = AtOnce.run(() ->
                    former.get().list(ApiCollection.DATASET, ApiQuery.of("id", "tank/k8s/slow"), TestWork.patient()));
            Until.holds(() -> box.strikes() == 1);

            SharedClient<TruenasApi> latter = connections.open(scope("first"), file(fresh, box.port()), PARENTS);
            current.set(latter);
            Until.holds(() -> users(box).contains("latter"));
            slow.join();
            calling.writeLock().lock(); // what was begun by the former file ends before it is closed
            try {
                former.close();
            } finally {
                calling.writeLock().unlock();
            }
            box.revokeKey(spent);
            box.clearCalls();
            box.cutConnections();
            list(latter);
            Until.holds(() -> users(box).contains("latter"));
            over.set(true);

            assertThat(callers).allSatisfy(caller -> assertThat(caller.join()).isPositive());
            assertThat(users(box)).containsExactly("latter");
            assertThat(box.calls().toString()).doesNotContain(fresh.substring(fresh.indexOf('-') + 1));
            Until.holds(() -> box.sockets() == 1);
            latter.close();
            Until.holds(() -> box.sockets() == 0);
        }
    }

    private static void list(SharedClient<TruenasApi> client) {
        var _ = client.get().list(ApiCollection.DATASET, ApiQuery.of("id", "tank/k8s"), TestWork.patient());
    }

    private static Set<String> users(Simulator box) {
        return box.calls().stream()
                .map(CallLog.Entry::user)
                .filter(user -> !user.isEmpty())
                .collect(Collectors.toSet());
    }

    @Test
    void opening_talks_to_nobody_and_settings_with_problems_are_of_no_use() {
        SharedClient<TruenasApi> api = connections.open(scope("first"), file("no key", 1), PARENTS);

        assertThat(problems.hasErrors()).isTrue();
        assertThatThrownBy(() -> api.get().release(TestWork.patient()))
                .hasMessageContaining("first")
                .hasMessageNotContaining("no key");
    }

    private static ConnectionScope scope(String name) {
        return new ConnectionScope(new ConnectionName(name), "freenas-api-nfs", Optional.empty(), "test");
    }

    private ConfigNode file(String key, int port) {
        var http = new LinkedHashMap<String, ConfigValue>();
        Map.of(
                        "host",
                        "127.0.0.1",
                        "protocol",
                        "https",
                        "port",
                        Integer.toString(port),
                        "apiKey",
                        key,
                        "allowInsecure",
                        "true")
                .forEach((name, text) -> http.put(name, new Scalar(text, Scalar.Type.STRING, 1)));
        return ConfigNode.root(new Mapping(Map.of("httpConnection", new Mapping(http, 1)), 1), problems);
    }
}
