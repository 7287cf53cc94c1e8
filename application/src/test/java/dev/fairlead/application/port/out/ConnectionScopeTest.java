package dev.fairlead.application.port.out;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.connection.ConnectionName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConnectionScopeTest {
    private final ConnectionScope scope = scope();
    private final List<String> closed = new ArrayList<>();
    private int opened;

    private static ConnectionScope scope() {
        return new ConnectionScope(new ConnectionName("nas"), "zfs-generic-nfs", Optional.empty(), "test");
    }

    private record Session(String name) {}

    private record Pool(SharedClient<Session> session) {}

    private SharedClient<Session> session(ConnectionScope of) {
        return of.shared(Session.class, () -> new Session("session " + ++opened), it -> closed.add(it.name()));
    }

    @Test
    void a_client_is_opened_by_the_first_and_closed_with_the_last() {
        SharedClient<Session> store = session(scope);
        SharedClient<Session> exporter = session(scope);

        assertThat(exporter.get()).isSameAs(store.get());
        store.close();
        store.close();
        assertThat(closed).isEmpty();
        exporter.close();
        assertThat(closed).containsExactly("session 1");
    }

    @Test
    void two_versions_of_a_file_have_clients_of_their_own() {
        try (SharedClient<Session> before = session(scope);
                SharedClient<Session> now = session(scope())) {
            assertThat(now.get()).isNotEqualTo(before.get());
        }
        assertThat(closed).containsExactly("session 2", "session 1");
    }

    @Test
    void a_client_may_share_another_and_lets_go_of_it() {
        try (SharedClient<Pool> outer = scope.shared(
                Pool.class,
                () -> new Pool(session(scope)),
                pool -> pool.session().close())) {
            assertThat(outer.get().session().get().name()).isEqualTo("session 1");
        }
        assertThat(closed).containsExactly("session 1");
    }

    @Test
    void one_that_cannot_be_opened_is_opened_anew() {
        assertThatThrownBy(() -> scope.shared(
                        Session.class,
                        () -> {
                            throw new IllegalArgumentException("no host");
                        },
                        _ -> {}))
                .hasMessage("no host");

        try (SharedClient<Session> again = session(scope)) {
            assertThat(again.get().name()).isEqualTo("session 1");
        }
    }
}
