package dev.fairlead.lab.soak.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceDecisionsTest {
    private final DeviceDecisions decisions = new DeviceDecisions(new Machines());

    @Test
    void only_what_is_new_is_added() {
        decisions.count("own-1", metric("format", "3.0"));
        decisions.count("own-1", metric("format", "5.0") + metric("use", "1.0"));
        decisions.count("own-2", metric("format", "2.0"));

        assertThat(decisions.totals()).isEqualTo(Map.of("format", 7L, "use", 1L));
    }

    @Test
    void a_process_that_counts_less_is_another_one() {
        decisions.count("own-1", metric("format", "5.0") + metric("use", "3.0"));
        decisions.count("own-1", metric("format", "1.0") + metric("use", "4.0"));

        assertThat(decisions.totals()).isEqualTo(Map.of("format", 6L, "use", 7L));
    }

    @Test
    void a_process_that_was_killed_counts_no_more() {
        decisions.count("own-1", metric("format", "5.0"));
        decisions.killed("own-1");
        decisions.count("own-1", metric("format", "6.0"));

        assertThat(decisions.totals()).isEqualTo(Map.of("format", 11L));
    }

    @Test
    void what_was_decided_before_the_beginning_is_not_counted() {
        decisions.count("own-1", metric("format", "5.0"));
        decisions.begin();
        decisions.count("own-1", metric("format", "6.0"));

        assertThat(decisions.totals()).isEqualTo(Map.of("format", 1L));
    }

    private static String metric(String decision, String count) {
        return "fairlead_node_device_decisions_total{decision=\"%s\"} %s\n".formatted(decision, count);
    }
}
