package dev.fairlead.application.service.health;

import static dev.fairlead.application.service.ProtocolNode.DRIVER;
import static dev.fairlead.application.service.ProtocolNode.HANDLE;
import static dev.fairlead.application.service.ProtocolNode.POD;
import static dev.fairlead.application.service.ProtocolNode.SHARE;
import static dev.fairlead.application.service.ProtocolNode.STAGING;
import static dev.fairlead.application.service.ProtocolNode.TARGET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.node.ReportHealth.Report;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.application.service.node.Attachers;
import dev.fairlead.application.service.node.StagingPaths;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.health.HealthCondition;
import dev.fairlead.domain.health.HealthReason;
import dev.fairlead.domain.health.Silence;
import dev.fairlead.domain.health.VolumeHealth;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How volumes of each kind are found, one by one and all together. */
class VolumeHealthTest {
    private static final String IQN = ((Attachment.Iscsi) TARGET).iqn();

    private final ProtocolNode on = new ProtocolNode();
    private final NodeUseCases node = on.process();
    private final TestWork work = TestWork.patient();

    private List<HealthReason> reasons(Path... places) {
        return reasons(node.reportHealth().ofVolume(HANDLE, List.of(places), work));
    }

    private static List<HealthReason> reasons(VolumeHealth health) {
        return health.conditions().stream().map(HealthCondition::reason).toList();
    }

    /** Mounts a share where kubelet stages volumes of the driver. */
    private Path share(String server, int number) {
        return export(server + ":/tank/v/" + number, number);
    }

    private Path export(String source, int number) {
        Path staging =
                Path.of("/var/lib/kubelet/plugins/kubernetes.io/csi", DRIVER, "%064x".formatted(number), "globalmount");
        on.mounts.existing(staging);
        on.mounts.mount(Filesystem.of("nfs4", source, List.of()), staging, work);
        return staging;
    }

    @Test
    void a_volume_that_is_staged_and_answers_is_well() {
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);

        assertThat(reasons(STAGING)).isEmpty();
        assertThat(node.reportHealth().ofAll(work)).containsExactly(new Report(HANDLE, "iscsi", VolumeHealth.GOOD));
        assertThat(node.reportHealth().ofStorage(work)).isEmpty();
    }

    @Test
    void a_session_that_is_not_logged_in_is_told_until_it_is() {
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);
        on.targets.failing(IQN, "FAILED");

        assertThat(reasons(STAGING)).containsExactly(HealthReason.TRANSPORT_DEAD);
        assertThat(node.reportHealth().ofAll(work))
                .singleElement()
                .satisfies(it -> assertThat(it.health().message()).contains("portal 10.0.0.1:3260 (session FAILED)"));
        assertThat(node.reportHealth().ofStorage(work))
                .singleElement()
                .satisfies(it -> assertThat(it.message()).contains(HANDLE));

        on.targets.recovered(IQN);
        assertThat(reasons(STAGING)).isEmpty();
    }

    @Test
    void a_portal_without_a_session_is_a_lost_way() {
        Attachment.Iscsi one = (Attachment.Iscsi) TARGET;
        ProtocolNode.stage(
                node,
                new Attachment.Iscsi(one.portal(), List.of("10.0.0.2:3260"), "", one.iqn(), one.lun()),
                TestVolumes.MOUNT,
                work);

        assertThat(reasons(STAGING)).containsExactly(HealthReason.PATHS_LOST);
    }

    @Test
    void a_raw_device_has_no_file_system_that_could_be_read_only() {
        ProtocolNode.stage(node, TARGET, TestVolumes.BLOCK, work);
        on.mounts.changed(STAGING.resolve("block_device"), List.of("ro"));

        assertThat(reasons(STAGING)).isEmpty();
        on.targets.failing(IQN, "FAILED");
        assertThat(reasons(STAGING)).containsExactly(HealthReason.TRANSPORT_DEAD);
        assertThat(node.reportHealth().ofAll(work)).hasSize(1);
    }

    @Test
    void a_file_system_that_the_kernel_made_read_only_is_told() {
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);
        on.mounts.changed(STAGING, List.of("ro", "errors=remount-ro"));

        assertThat(reasons(STAGING)).containsExactly(HealthReason.READ_ONLY_REMOUNT);
        assertThat(node.reportHealth().ofStorage(work)).isEmpty();
    }

    @Test
    void what_was_shut_down_is_told() {
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);
        on.mounts.silenced(STAGING, new Silence(Silence.Kind.BROKEN, "input/output error (EIO)"));

        assertThat(reasons(STAGING)).containsExactly(HealthReason.FILESYSTEM_SHUT_DOWN);
    }

    @Test
    void a_volume_whose_ways_are_dead_is_not_asked_since_that_would_hang() {
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);
        on.targets.failing(IQN, "FAILED");
        on.mounts.silenced(STAGING, false);

        assertThat(reasons(STAGING)).containsExactly(HealthReason.TRANSPORT_DEAD);
    }

    @Test
    void what_cannot_be_looked_at_is_told_and_hides_no_other_volume() {
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);
        on.targets.failing(IQN, "UNREADABLE");
        Path share = share("nas", 1);

        assertThat(node.reportHealth().ofAll(work))
                .extracting(Report::subject, it -> reasons(it.health()))
                .containsExactlyInAnyOrder(
                        tuple(HANDLE, List.of(HealthReason.LOOK_FAILED)), tuple(share.toString(), List.of()));
    }

    @Test
    void shares_are_found_by_where_they_are_mounted() {
        Path well = share("nas", 1);
        Path silent = share("old", 2);
        on.mounts.silenced(silent, false);

        assertThat(node.reportHealth().ofAll(work))
                .extracting(Report::subject, Report::protocol, it -> reasons(it.health()))
                .containsExactlyInAnyOrder(
                        tuple(well.toString(), "nfs", List.of()),
                        tuple(silent.toString(), "nfs", List.of(HealthReason.SERVER_SILENT)));
        assertThat(node.reportHealth().ofStorage(work)).hasSize(1);
    }

    @Test
    void a_share_is_named_by_its_handle_where_that_is_known() {
        Path known = share("nas", 1);
        Path unknown = share("nas", 2);
        StagedMounts staged = new StagedMounts(
                on.ports(),
                new Attachers(on.ports().attachers()),
                new StagingPaths(Set.of(DRIVER)),
                staging -> staging.equals(known) ? Optional.of("nas/pvc-1") : Optional.empty());

        assertThat(staged.all(work))
                .extracting(StagedMounts.StagedMount::subject)
                .containsExactlyInAnyOrder("nas/pvc-1", unknown.toString());
    }

    @Test
    void what_other_drivers_have_staged_is_not_looked_at() {
        Path other =
                Path.of("/var/lib/kubelet/plugins/kubernetes.io/csi/another.example", "a".repeat(64), "globalmount");
        on.mounts.existing(other);
        on.mounts.mount(Filesystem.of("nfs4", "nas:/x", List.of()), other, work);

        assertThat(node.reportHealth().ofAll(work)).isEmpty();
    }

    @Test
    void of_a_server_that_is_silent_few_mounts_are_asked() {
        for (int i = 0; i < 20; i++) {
            on.mounts.silenced(share("dead", i), false);
        }
        Path well = share("nas", 100);

        List<Report> reports = node.reportHealth().ofAll(work);

        assertThat(on.mounts.asked()).hasSize(ServerSilence.MOST + 1).contains(well);
        assertThat(reports.stream().filter(it -> it.health().isAbnormal())).hasSize(20);
        for (int i = 0; i < 20; i++) {
            on.mounts.answering(share("dead", i));
        }
        assertThat(node.reportHealth().ofAll(work)).noneMatch(it -> it.health().isAbnormal());
    }

    @Test
    void what_hangs_does_not_speak_for_the_server_s_other_folders_of_exports() {
        for (int i = 0; i < 4; i++) {
            on.mounts.silenced(share("nas", i), false);
        }
        var _ = node.reportHealth().ofAll(work); // so that those that hang were asked before it, in whatever order
        Path other = export("nas:/other/pool/pvc-1", 100);

        assertThat(node.reportHealth().ofAll(work).stream()
                        .filter(it -> !it.health().isAbnormal()))
                .extracting(Report::subject)
                .containsExactly(other.toString());
    }

    /** A pod's path and the staging path are one export, which may be gone while its server is well. */
    @Test
    void one_export_that_hangs_at_several_places_speaks_for_no_other() {
        for (int i = 0; i < ServerSilence.MOST_OF_SERVER; i++) {
            hanging(share("nas" + i, i), "nas:/tank/v/0");
        }
        var _ = node.reportHealth().ofAll(work);
        Path other = share("nas", 100);

        assertThat(node.reportHealth().ofAll(work).stream()
                        .filter(it -> !it.health().isAbnormal()))
                .extracting(Report::subject)
                .contains(other.toString());
    }

    @Test
    void shares_of_smb_that_hang_speak_for_the_folders_of_their_share_only() {
        for (int i = 0; i < 3; i++) {
            hanging(share("nas" + i, i), "//nas/pool/v-" + i);
            hanging(share("nas" + i, 10 + i), "//nas/pvc-" + i);
        }
        var _ = node.reportHealth().ofAll(work);
        Path alone = share("nas", 100);
        Path beside = share("nas", 101);
        mountedFrom(alone, "//nas/pvc-100");
        mountedFrom(beside, "//nas/pool/v-100");

        assertThat(node.reportHealth().ofAll(work).stream()
                        .filter(it -> !it.health().isAbnormal()))
                .extracting(Report::subject)
                .contains(alone.toString())
                .doesNotContain(beside.toString());
    }

    private void hanging(Path place, String source) {
        mountedFrom(place, source);
        on.mounts.silenced(place, false);
    }

    private void mountedFrom(Path place, String source) {
        on.mounts.unmount(place, work);
        on.mounts.mount(Filesystem.of(source.startsWith("//") ? "cifs" : "nfs4", source, List.of()), place, work);
    }

    @Test
    void many_that_hang_speak_for_all_of_their_server() {
        for (int i = 0; i < 20; i++) {
            on.mounts.silenced(export("dead:/pool-" + i + "/v/pvc", i), false);
        }

        assertThat(node.reportHealth().ofAll(work))
                .hasSize(20)
                .allMatch(it -> it.health().isAbnormal());

        assertThat(on.mounts.asked()).hasSize(ServerSilence.MOST_OF_SERVER);
    }

    @Test
    void mounts_that_answer_late_speak_for_no_other() {
        on.mounts.slowed(share("slow", 1));
        on.mounts.slowed(share("slow", 2));
        var _ = node.reportHealth().ofAll(work); // so that both were asked before it, in whatever order
        Path third = share("slow", 3);

        var _ = node.reportHealth().ofAll(work);

        assertThat(on.mounts.asked()).contains(third);
    }

    @Test
    void a_share_that_the_server_has_lost_is_told_as_such() {
        ProtocolNode.stage(node, SHARE, TestVolumes.MOUNT, work);
        on.mounts.silenced(STAGING, true);

        assertThat(reasons(STAGING)).containsExactly(HealthReason.MOUNT_LOST);
    }

    @Test
    void nothing_mounted_where_it_should_be_is_told_and_a_place_that_nobody_names_is_not_missed() {
        assertThat(reasons(STAGING, POD)).containsExactly(HealthReason.NOT_MOUNTED);
        assertThat(reasons()).isEmpty();
    }

    @Test
    void a_volume_that_nobody_has_is_not_found() {
        Failing.with(
                Failure.VolumeNotFound.class, () -> node.reportHealth().ofVolume("nothing", List.of(STAGING), work));
    }
}
