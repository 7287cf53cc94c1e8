package dev.fairlead.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.HostileInput;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests that factories of stores and of exporters report every problem of a configuration at once, by its path, and
 * show no secret.
 */
public interface FactoryContract<T extends AutoCloseable> {
    /** Holds a configuration with a mistake, and the paths that the problems must name: all of them. */
    record BadConfig(String mistake, Mapping config, List<String> paths) {}

    /** Returns a whole connection file without mistakes, with a value for every key that the factory reads. */
    Mapping goodConfig();

    /** Returns files with mistakes, among them one with several. */
    List<BadConfig> badConfigs();

    /** Returns the texts of the good configuration that must not be shown. */
    default List<String> secrets() {
        return List.of();
    }

    /**
     * Returns the paths of values that may also be a list or mapping, and of those that the factory itself does not
     * read.
     */
    default Set<String> anyShape() {
        return Set.of("driver", "instance_id");
    }

    /** Returns the name of the driver type in the connection file. */
    String driverType();

    /** Returns the name of the block of the file that it reads, as the row of the driver type names it. */
    default String block() {
        return driverType();
    }

    /** Returns whether the storage of this driver type is the node's own. */
    default boolean nodeLocal() {
        return false;
    }

    /** Opens what the factory makes; for the contract. */
    T opened(ConnectionScope scope, ConfigNode config);

    /** Opens what the factory makes of the good configuration; for the contract. */
    default T opened() {
        return opened(scope(), ConfigNode.root(goodConfig(), new Problems("test.yaml")));
    }

    private ConnectionScope scope() {
        return new ConnectionScope(
                new ConnectionName("test"), block(), Optional.empty(), "dev.fairlead.test", nodeLocal());
    }

    /** Opens and closes what the factory makes, and returns the problems of the configuration. */
    private List<Problem> problems(Mapping config) {
        Problems problems = new Problems("test.yaml");
        try {
            opened(scope(), ConfigNode.root(config, problems)).close();
        } catch (Exception e) {
            throw new AssertionError("a configuration is reported on, never thrown at: " + config, e);
        }
        return problems.all();
    }

    @Test
    default void a_good_configuration_has_no_problems() {
        assertThat(problems(goodConfig())).filteredOn(it -> !it.isNote()).isEmpty();
    }

    @Test
    default void a_good_configuration_is_read_to_the_last_key() {
        Problems problems = new Problems("test.yaml");
        ConfigNode node = ConfigNode.root(goodConfig(), problems);
        node.ignore("driver", "instance_id", "fairlead");

        close(opened(scope(), node));
        node.reportUnread(ConfigNode.Unread.ERROR);

        assertThat(problems.all()).filteredOn(it -> !it.isNote()).isEmpty();
    }

    private static void close(AutoCloseable opened) {
        try {
            opened.close();
        } catch (Exception e) {
            throw new AssertionError("closing does not fail", e);
        }
    }

    @Test
    default void every_mistake_is_reported_with_its_path_and_a_remedy() {
        assertThat(badConfigs()).isNotEmpty();
        for (BadConfig bad : badConfigs()) {
            List<Problem> errors =
                    problems(bad.config()).stream().filter(Problem::isError).toList();

            assertThat(errors)
                    .as("%s: %s", bad.mistake(), errors)
                    .extracting(Problem::path)
                    .containsAll(bad.paths());
            assertThat(errors).allSatisfy(error -> {
                assertThat(error.what()).as(error.toString()).isNotBlank();
                assertThat(error.remedy()).as(error.toString()).isNotBlank();
            });
        }
    }

    @Test
    default void a_mapping_or_list_in_the_place_of_a_value_is_reported_there() {
        for (String path : ConfigTrees.paths(goodConfig())) {
            for (Object wrong : List.of(List.of("item"), Map.of("key", "value"))) {
                List<Problem> found = problems(ConfigTrees.with(goodConfig(), path, wrong));

                if (ConfigTrees.isScalar(goodConfig(), path) && !anyShape().contains(path)) {
                    assertThat(found).extracting(Problem::path).contains(path);
                }
            }
        }
    }

    @Test
    default void hostile_values_are_reported_or_taken_and_never_thrown_at() {
        List<String> texts = HostileInput.texts().limit(300).toList();
        for (String path : ConfigTrees.paths(goodConfig())) {
            for (String text : texts) {
                problems(ConfigTrees.with(goodConfig(), path, text));
            }
        }
    }

    @Test
    default void a_missing_value_is_reported_or_has_a_default() {
        for (String path : ConfigTrees.paths(goodConfig())) {
            assertThat(problems(ConfigTrees.without(goodConfig(), path)))
                    .allSatisfy(problem -> assertThat(problem.remedy()).isNotBlank());
        }
        problems(Mapping.EMPTY);
    }

    @Test
    default void no_problem_shows_a_secret() {
        for (BadConfig bad : badConfigs()) {
            for (Problem problem : problems(bad.config())) {
                assertThat(secrets()).noneMatch(problem.toString()::contains);
            }
        }
        for (String path : ConfigTrees.paths(goodConfig())) {
            for (Problem problem : problems(ConfigTrees.with(goodConfig(), path, "\0not a value"))) {
                assertThat(secrets()).noneMatch(problem.toString()::contains);
            }
        }
    }
}
