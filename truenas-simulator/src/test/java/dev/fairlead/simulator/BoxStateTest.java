package dev.fairlead.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

class BoxStateTest {
    private static JsonObject box(String comment, String properties) {
        return JsonParser.parseString("""
                        {"iscsi_target": {"1": {"id": 1, "name": "pvc-1", "groups": [{"initiator": 7}]}},
                         "iscsi_initiator": {"7": {"id": 7, "comment": "fairlead: nodes of pvc-1", "initiators": ["iqn.a"]},
                                             "8": {"id": 8, "comment": "%s", "initiators": ["iqn.b"]}},
                         "dataset": {"tank/pvc-1": {"name": "tank/pvc-1", "user": {%s}}}}""".formatted(comment, properties)).getAsJsonObject();
    }

    @Test
    void only_a_spare_group_that_is_judged_elsewhere_is_passed_over() {
        String clean = BoxState.of(box("fairlead: nodes of pvc-1", ""));

        assertThat(clean).contains("iqn.a").doesNotContain("iqn.b");
        assertThat(BoxState.of(box("by hand", ""))).contains("by hand", "iqn.b");
    }

    @Test
    void notes_of_calls_are_no_part_of_the_state_and_are_told_by_themselves() {
        JsonObject noted = box("by hand", "\"a\": \"b\", \"dev.fairlead:call.1\": \"tank/pvc-1\"");

        assertThat(BoxState.of(noted)).isEqualTo(BoxState.of(box("by hand", "\"a\": \"b\"")));
        assertThat(BoxState.callNotes(noted)).containsExactly("tank/pvc-1 dev.fairlead:call.1=tank/pvc-1");
        assertThat(BoxState.callNotes(box("by hand", "\"a\": \"b\""))).isEmpty();
    }
}
