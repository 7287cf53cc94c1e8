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
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

    private static Report disk(HealthCondition... conditions) {
        return new Report("v:disks/pvc-2", "local", new VolumeHealth(List.of(conditions)));
    }

    private VolumeHealth lastOnClaim() {
        return Objects.requireNonNull(claims.getLast().get("v:disks/pvc-2"));
    }

    private List<String> announced() {
        return told.stream().map(it -> it.kind() + " " + it.subject()).toList();
    }

    @ParameterizedTest
    @EnumSource(
            value = HealthReason.class,
            names = {"SERVER_SILENT", "TRANSPORT_DEAD", "FILESYSTEM_SHUT_DOWN", "MOUNT_LOST", "LOOK_FAILED"})
    void what_a_look_cannot_tell_goes_on_until_one_can(HealthReason silent) {
        Report errors = disk(new HealthCondition(HealthReason.DEVICE_ERRORS, "3 errors"));
        events.found(List.of(errors));
        events.found(List.of(disk(new HealthCondition(silent, "no answer"))));

        assertThat(announced())
                .containsExactly(
                        "VOLUME_ABNORMAL v:disks/pvc-2 DeviceErrors",
                        "VOLUME_ABNORMAL v:disks/pvc-2 " + silent.camelCase());
        assertThat(lastOnClaim().conditions())
                .extracting(HealthCondition::reason)
                .containsExactly(silent, HealthReason.DEVICE_ERRORS);
        assertThat(metrics.scrape()).contains("fairlead_node_volumes{protocol=\"local\",state=\"device_errors\"} 1");

        events.found(List.of(disk()));

        assertThat(announced()).contains("VOLUME_RECOVERED v:disks/pvc-2 DeviceErrors");
    }

    @Test
    void a_part_that_cannot_be_told_keeps_nothing_else_going_on() {
        events.found(List.of(disk(new HealthCondition(HealthReason.SIZE_NOT_HELD, "quotas are off"))));
        events.found(List.of(disk(new HealthCondition(
                HealthReason.LOOK_FAILED, "its errors cannot be told", Set.of(HealthReason.DEVICE_ERRORS)))));

        assertThat(announced()).contains("VOLUME_RECOVERED v:disks/pvc-2 SizeNotHeld");
    }

    @Test
    void a_volume_that_its_user_fills_and_empties_is_full_until_some_looks_found_room() {
        Report full = disk(new HealthCondition(HealthReason.VOLUME_FULL, "0 bytes are free"));
        for (int i = 0; i < 3; i++) {
            events.found(List.of(full));
            events.found(List.of(disk()));
            events.found(List.of(disk()));
        }
        assertThat(announced()).containsExactly("VOLUME_ABNORMAL v:disks/pvc-2 VolumeFull");

        events.found(List.of(disk()));
        assertThat(announced())
                .containsExactly(
                        "VOLUME_ABNORMAL v:disks/pvc-2 VolumeFull", "VOLUME_RECOVERED v:disks/pvc-2 VolumeFull");
        assertThat(lastOnClaim().isAbnormal()).isFalse();
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
