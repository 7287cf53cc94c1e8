package dev.fairlead.application.service.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionChoiceTest {
    private static final Optional<ConnectionName> PROXY = Optional.empty();
    private static final Optional<ConnectionName> SINGLE = Optional.of(ConnectionName.SINGLE);

    @Test
    void a_class_names_one_connection_or_several_or_labels() {
        assertThat(read("connection", "nas")).isEqualTo(named("nas"));
        assertThat(read("connections", "nas, san,nas")).isEqualTo(named("nas", "san"));
        assertThat(read("connectionSelector", "tier = fast,site=a=b"))
                .isEqualTo(new ConnectionChoice.Labelled(new TreeMap<>(Map.of("tier", "fast", "site", "a=b"))));
    }

    @Test
    void other_parameters_choose_nothing() {
        assertThat(ConnectionChoice.read(Map.of("compression", "lz4"), PROXY)).isEmpty();
        assertThatThrownBy(() -> ConnectionChoice.require(Map.of("compression", "lz4"), PROXY))
                .hasMessageContaining("parameters.connection: is missing, and");
    }

    @Test
    void a_key_that_is_nearly_one_of_ours_is_named_where_the_choice_is_missing() {
        assertThatThrownBy(() -> ConnectionChoice.require(Map.of("conection", "nas", "compression", "lz4"), PROXY))
                .hasMessageContaining("is missing (is 'conection' meant to be connection?)");
    }

    @Test
    void only_one_key_can_choose() {
        assertThatThrownBy(() -> ConnectionChoice.read(Map.of("connection", "nas", "connections", "nas,san"), PROXY))
                .hasMessageContaining("parameters.connection, connections: only one of them");
    }

    @Test
    void a_driver_that_is_alone_has_its_connection_and_refuses_a_choice() {
        assertThat(ConnectionChoice.require(Map.of(), SINGLE)).isEqualTo(named("default"));
        assertThatThrownBy(() -> ConnectionChoice.read(Map.of("connection", "default"), SINGLE))
                .hasMessageContaining("serves one connection only");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "null",
            value = {
                "connection | ../../etc/passwd",
                "connection | ''",
                "connection | a/b",
                "connections | a,,b",
                "connections | ''",
                "connections | a,../b",
                "connectionSelector | tier",
                "connectionSelector | =fast",
                "connectionSelector | ''"
            })
    void a_malformed_choice_is_refused_under_its_key(String key, String value) {
        assertThatThrownBy(() -> read(key, value))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.InvalidRequest.class))
                .hasMessageContaining("parameters." + key);
    }

    private static ConnectionChoice read(String key, String value) {
        return ConnectionChoice.read(Map.of(key, value), PROXY).orElseThrow();
    }

    private static ConnectionChoice named(String... names) {
        return new ConnectionChoice.Named(
                List.of(names).stream().map(ConnectionName::new).toList());
    }
}
