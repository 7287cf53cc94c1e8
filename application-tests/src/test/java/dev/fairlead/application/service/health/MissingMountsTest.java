package dev.fairlead.application.service.health;

import static dev.fairlead.application.service.ProtocolNode.DRIVER;
import static dev.fairlead.application.service.ProtocolNode.HANDLE;
import static dev.fairlead.application.service.ProtocolNode.STAGING;
import static dev.fairlead.application.service.ProtocolNode.TARGET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.fairlead.application.port.in.node.ReportHealth;
import dev.fairlead.application.port.in.node.ReportHealth.Report;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.StagedHandles;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.application.service.health.StagedMounts.StagedMount;
import dev.fairlead.domain.health.HealthCondition;
import dev.fairlead.domain.health.HealthReason;
import dev.fairlead.domain.health.VolumeHealth;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is told of volumes whose mount is gone. */
class MissingMountsTest {
    private static final String SOURCE = "nas:/tank/v/1";
    private static final Path SHARE =
            Path.of("/var/lib/kubelet/plugins/kubernetes.io/csi", DRIVER, "1".repeat(64), "globalmount");

    private final ProtocolNode on = new ProtocolNode();
    private final Notes notes = new Notes();
    private final ReportHealth health = on.process(notes).reportHealth();
    private final TestWork work = TestWork.patient();

    /** What kubelet has noted: beside staging paths, and in the folders of pods. */
    private static final class Notes implements StagedHandles {
        private final Map<Path, String> staged = new HashMap<>(Map.of(STAGING, HANDLE, SHARE, "nas/pvc-1"));
        private final Set<Path> ofPods = new HashSet<>(Set.of(STAGING, SHARE));
        private int staging = 1;

        @Override
        public Optional<String> at(Path path) {
            return Optional.ofNullable(staged.get(path));
        }

        @Override
        public Optional<String> note(Path path) {
            return at(path).map(it -> it + " " + staging);
        }

        @Override
        public Set<Path> ofPods(Set<Path> paths) {
            return paths.stream().filter(ofPods::contains).collect(Collectors.toSet());
        }
    }

    private void mount() {
        on.mounts.existing(SHARE);
        on.mounts.mount(Filesystem.of("nfs4", SOURCE, List.of()), SHARE, work);
    }

    private void unmount() {
        on.mounts.unmount(SHARE, work);
    }

    private List<List<HealthReason>> told() {
        return health.ofAll(work).stream()
                .map(it -> it.health().conditions().stream()
                        .map(HealthCondition::reason)
                        .toList())
                .toList();
    }

    @Test
    void a_mount_that_went_away_is_told_from_the_second_look_on_until_it_is_back() {
        mount();
        assertThat(told()).containsExactly(List.of());
        unmount();
        assertThat(told()).as("its pod may be about to end").containsExactly(List.of());

        for (int i = 0; i < 3; i++) {
            assertThat(told()).containsExactly(List.of(HealthReason.NOT_MOUNTED));
        }
        assertThat(health.ofAll(work))
                .extracting(Report::subject, Report::protocol)
                .containsExactly(tuple("nas/pvc-1", "nfs"));

        mount();
        assertThat(told()).containsExactly(List.of());
        unmount();
        assertThat(told()).containsExactly(List.of());
    }

    @Test
    void what_was_wrong_with_it_is_not_over_while_nobody_knows() {
        mount();
        on.mounts.silenced(SHARE, true);
        assertThat(told()).containsExactly(List.of(HealthReason.MOUNT_LOST));
        unmount();

        assertThat(told()).containsExactly(List.of(HealthReason.MOUNT_LOST));
        assertThat(told()).containsExactly(List.of(HealthReason.NOT_MOUNTED));
    }

    @Test
    void what_is_unstaged_is_not_missed() {
        mount();
        var _ = told();
        unmount();
        notes.staged.remove(SHARE);

        assertThat(told()).isEmpty();
        notes.staged.put(SHARE, "nas/pvc-1");
        assertThat(told()).isEmpty();
        assertThat(told()).as("what is staged anew is not mounted yet").isEmpty();
    }

    @Test
    void nor_what_was_unstaged_and_is_staged_anew_between_two_looks() {
        mount();
        var _ = told();
        unmount();
        notes.staging++;

        assertThat(told()).isEmpty();
        assertThat(told()).isEmpty();
        mount();
        var _ = told();
        unmount();
        var _ = told();
        assertThat(told()).containsExactly(List.of(HealthReason.NOT_MOUNTED));
    }

    @Test
    void nor_what_no_pod_has() {
        mount();
        var _ = told();
        unmount();
        notes.ofPods.clear();
        assertThat(told()).isEmpty();
        assertThat(told()).isEmpty();

        notes.ofPods.add(SHARE);
        assertThat(told()).isEmpty();
        assertThat(told()).containsExactly(List.of(HealthReason.NOT_MOUNTED));
    }

    @Test
    void nor_what_was_removed_before_it_was_unmounted() {
        MissingMounts missing = new MissingMounts(notes);
        var _ = missing.after(List.of(share("/v/1")));
        assertThat(missing.after(List.of(share("/v/1//deleted")))).isEmpty();

        assertThat(missing.after(List.of())).isEmpty();
        assertThat(missing.after(List.of())).isEmpty();

        var _ = missing.after(List.of(share("/v/1")));
        assertThat(missing.after(List.of())).containsValue(1);
        assertThat(missing.after(List.of())).containsValue(2);
    }

    private static StagedMount share(String root) {
        return new StagedMount(
                "nas/pvc-1",
                new MountEntry(7, 1, "8:1", root, SHARE.toString(), List.of(), "ext4", "/dev/sda1", List.of()),
                Optional.empty());
    }

    /** Local datasets have one too, which nothing else would tell of. */
    @Test
    void a_volume_with_an_entry_of_the_journal_is_missed_if_a_pod_has_it() {
        ProtocolNode.stage(on.process(notes), TARGET, TestVolumes.MOUNT, work);
        assertThat(health.ofAll(work)).containsExactly(new Report(HANDLE, "iscsi", VolumeHealth.GOOD));

        on.mounts.unmount(STAGING, work);
        var _ = told();

        assertThat(told()).containsExactly(List.of(HealthReason.NOT_MOUNTED));
        notes.ofPods.clear();
        assertThat(told()).as("its unstaging may be repeated for long").isEmpty();
    }
}
