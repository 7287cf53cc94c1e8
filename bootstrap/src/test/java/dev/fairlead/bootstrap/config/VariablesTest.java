package dev.fairlead.bootstrap.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VariablesTest {
    private final Problems problems = new Problems("main.yaml");

    @Test
    void only_the_form_with_braces_is_replaced_once() {
        ConfigNode file = expand("a: x-${NAME}-${NAME}\nb: pa$word\nc: $${NAME}\nd: ${OTHER}\n");

        assertThat(file.string("a")).contains("x-v4lue-v4lue");
        assertThat(file.string("b")).contains("pa$word");
        assertThat(file.string("c")).contains("${NAME}");
        assertThat(file.string("d")).contains("${NAME}");
        assertThat(problems.all()).isEmpty();
    }

    @Test
    void a_variable_that_is_not_set_is_an_error_at_its_place() {
        expand("a:\n  - x\n  - ${MISSING}\n");

        assertThat(problems.errors())
                .singleElement()
                .hasToString("main.yaml:3: a[1]: the environment variable MISSING is not set"
                        + " (set it, or write $${MISSING} if this text itself is meant)");
    }

    @Test
    void the_bare_form_of_a_variable_that_is_set_is_warned_of_without_its_value() {
        ConfigNode file = expand("a: $NAME\n");

        assertThat(file.string("a")).contains("$NAME");
        assertThat(problems.all()).extracting(Problem::isError).containsExactly(false);
        assertThat(problems.all().toString()).doesNotContain("v4lue");
    }

    @Test
    void rules_of_the_topology_keep_their_own_templates() {
        ConfigNode file = expand("""
                proxy:
                  nodeTopology:
                    prefix: ${NAME}
                    customRules:
                      - resultTemplate: zone-${match:1}-${NAME}
                """);

        ConfigNode topology = file.child("proxy").child("nodeTopology");
        assertThat(topology.string("prefix")).contains("v4lue");
        assertThat(topology.children("customRules").getFirst().string("resultTemplate"))
                .contains("zone-${match:1}-${NAME}");
    }

    private ConfigNode expand(String text) {
        Map<String, String> environment = Map.of("NAME", "v4lue", "OTHER", "${NAME}");
        return YamlReader.read(text.getBytes(StandardCharsets.UTF_8), problems)
                .map(new Variables(environment, problems)::expand)
                .map(mapping -> ConfigNode.root(mapping, problems))
                .orElseThrow();
    }
}
