package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.node.ReportHealth.Report;
import dev.fairlead.application.port.out.cluster.Announcement;
import dev.fairlead.application.port.out.cluster.Announcement.Kind;
import dev.fairlead.bootstrap.telemetry.Metrics;
import dev.fairlead.domain.health.HealthCondition;
import dev.fairlead.domain.health.HealthReason;
import dev.fairlead.domain.health.VolumeHealth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VolumeEventsTest {
    private static final Report WELL = new Report("v:san/pvc-1", "iscsi", VolumeHealth.GOOD);
    private static final Report LOST = new Report(
            "v:san/pvc-1",
            "iscsi",
            new VolumeHealth(List.of(new HealthCondition(HealthReason.PATHS_LOST, "1 of 2 ways are lost"))));
    private static final Report SHARE = new Report("/kubelet/globalmount", "nfs", VolumeHealth.GOOD);

    private final List<Announcement> told = new ArrayList<>();
    private final Metrics metrics = new Metrics("1.2.3");
    private final List<Map<String, VolumeHealth>> claims = new ArrayList<>();
    private final VolumeEvents events = new VolumeEvents(metrics, new ToldAnnouncements(told), claims::add);

    @Test
    void claims_are_told_of_each_look_by_handles_that_are_known() {
        events.found(List.of(LOST, SHARE));

        assertThat(claims).containsExactly(Map.of("v:san/pvc-1", LOST.health()));
    }

    @Test
    void what_is_wrong_is_told_once_when_it_begins_and_once_when_it_ends() {
        events.found(List.of(WELL, SHARE));
        assertThat(told).isEmpty();

        events.found(List.of(LOST, SHARE));
        events.found(List.of(LOST, SHARE));

        assertThat(told).singleElement().satisfies(it -> {
            assertThat(it.kind()).isEqualTo(Kind.VOLUME_ABNORMAL);
            assertThat(it.text()).isEqualTo("volume v:san/pvc-1 (PathsLost): 1 of 2 ways are lost");
        });

        events.found(List.of(WELL, SHARE));
        events.found(List.of(WELL, SHARE));

        assertThat(told).extracting(Announcement::kind).containsExactly(Kind.VOLUME_ABNORMAL, Kind.VOLUME_RECOVERED);
        assertThat(told.getLast().text()).isEqualTo("volume v:san/pvc-1 (PathsLost) is over");
    }

    @Test
    void a_volume_that_is_unstaged_while_something_is_wrong_is_told_to_be_gone() {
        events.found(List.of(LOST));

        events.found(List.of());

        assertThat(told.getLast().text()).endsWith("is over: it is not staged on this node any more");
    }

    @Test
    void volumes_are_counted_by_protocol_and_state() {
        events.found(List.of(LOST, SHARE));

        assertThat(metrics.scrape())
                .contains(
                        "fairlead_node_volumes{protocol=\"iscsi\",state=\"paths_lost\"} 1",
                        "fairlead_node_volumes{protocol=\"iscsi\",state=\"healthy\"} 0",
                        "fairlead_node_volumes{protocol=\"nfs\",state=\"healthy\"} 1")
                .doesNotContain("pvc-1", "globalmount");

        events.found(List.of());

        assertThat(metrics.scrape()).doesNotContain("fairlead_node_volumes{");
    }
}
