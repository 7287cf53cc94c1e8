package dev.fairlead.adapter.k8s.volume;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

class VolumeAffinityTest {
    private static final String KEY = "kubernetes.io/hostname";

    @Test
    void the_node_that_every_term_asks_for_is_the_only_one() {
        VolumeAffinity affinity = affinity(term("In", "\"a\""), term("In", "\"a\""));

        assertThat(affinity.only(KEY)).contains("a");
    }

    @Test
    void a_volume_of_several_nodes_has_no_only_one() {
        assertThat(affinity(term("In", "\"a\", \"b\"")).only(KEY)).isEmpty();
        assertThat(affinity(term("In", "\"a\""), term("In", "\"b\"")).only(KEY)).isEmpty();
        assertThat(affinity().only(KEY)).isEmpty();
    }

    @Test
    void a_term_that_names_no_node_or_excludes_one_admits_others() {
        assertThat(affinity(term("NotIn", "\"a\"")).only(KEY)).isEmpty();
        assertThat(affinity(term("In", "\"a\""), "{\"matchExpressions\": []}").only(KEY))
                .isEmpty();
    }

    private static VolumeAffinity affinity(String... terms) {
        return VolumeAffinity.of(JsonParser.parseString("{\"spec\": {\"nodeAffinity\": {\"required\": "
                        + "{\"nodeSelectorTerms\": [" + String.join(", ", terms) + "]}}}}")
                .getAsJsonObject());
    }

    private static String term(String operator, String values) {
        return "{\"matchExpressions\": [{\"key\": \"" + KEY + "\", \"operator\": \"" + operator + "\", \"values\": ["
                + values + "]}]}";
    }
}
