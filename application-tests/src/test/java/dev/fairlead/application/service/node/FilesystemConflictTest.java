package dev.fairlead.application.service.node;

import static dev.fairlead.application.service.ProtocolNode.DEVICE;
import static dev.fairlead.application.service.ProtocolNode.HANDLE;
import static dev.fairlead.application.service.ProtocolNode.STAGING;
import static dev.fairlead.application.service.ProtocolNode.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.format.DeviceFindings.Kind;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a volume if another file system is found where it was. */
class FilesystemConflictTest {
    private static final long SIZE = 1L << 30;
    private static final String FORMER = "11111111-0000-4000-8000-000000000001";
    private static final String OTHER = "22222222-0000-4000-8000-000000000002";

    private final ProtocolNode on = new ProtocolNode();
    private final NodeUseCases node = on.process();
    private final TestWork work = TestWork.patient();

    private void stage() {
        stage(Map.of());
    }

    private void stage(Map<String, String> context) {
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, context, Map.of(), work);
    }

    /** Stages a volume, and restarts the node: its mounts are gone, and the journal is not. */
    private void stagedBeforeRestart() {
        on.filesystems.written(DEVICE, SIZE, "ext4", FORMER);
        stage();
        on.mounts.unmount(STAGING, work);
    }

    @Test
    void another_file_system_is_not_mounted_however_often_it_is_asked_for() {
        stagedBeforeRestart();
        on.filesystems.written(DEVICE, SIZE, "ext4", OTHER);

        for (int call = 0; call < 2; call++) {
            Failure refused = Failing.failure(this::stage);
            assertThat(refused).isInstanceOf(Failure.FilesystemConflict.class);
            assertThat(refused.message()).contains(FORMER, OTHER, DEVICE.toString());
        }

        assertThat(on.mounts.at(STAGING, work)).isEmpty();
        assertThat(on.filesystems.formats()).isEmpty();
        assertThat(on.targets.dump()).isEmpty();
        on.filesystems.written(DEVICE, SIZE, "ext4", FORMER);
        stage();
        assertThat(on.mounts.at(STAGING, work)).isPresent();
    }

    /** Storage that has lost its way may answer zeros for a while. */
    @Test
    void a_volume_whose_file_system_is_known_is_not_formatted_however_often_it_is_asked_for_while_it_reads_as_zeros() {
        stagedBeforeRestart();
        on.filesystems.blank(DEVICE, SIZE);

        for (int call = 0; call < 3; call++) {
            Failure refused = Failing.failure(this::stage);
            assertThat(refused).isInstanceOf(Failure.FormatRefused.class);
            assertThat(refused.message()).contains("nothing but zeros, although this node has had a ext4 on it");
        }

        assertThat(on.filesystems.formats()).isEmpty();
        assertThat(on.targets.dump()).isEmpty();
        on.filesystems.written(DEVICE, SIZE, "ext4", FORMER);
        stage();
        assertThat(on.mounts.at(STAGING, work)).isPresent();
    }

    @Test
    void what_is_known_of_a_file_system_outlives_a_call_that_failed_for_another_reason() {
        stagedBeforeRestart();
        on.filesystems.damaged();
        Failing.failure(this::stage);
        on.filesystems.blank(DEVICE, SIZE);

        Failing.with(Failure.FormatRefused.class, this::stage);

        assertThat(on.filesystems.formats()).isEmpty();
    }

    /** Not every file system has a UUID: a squashfs has none. */
    @Test
    void a_file_system_of_another_type_is_not_mounted_though_it_has_no_uuid() {
        stagedBeforeRestart();
        on.filesystems.written(DEVICE, SIZE, Kind.FILESYSTEM, "squashfs");

        Failure refused = Failing.failure(this::stage);

        assertThat(refused).isInstanceOf(Failure.FilesystemConflict.class);
        assertThat(refused.message()).contains("a squashfs without a UUID", "ext4 with the UUID " + FORMER);
        assertThat(on.mounts.at(STAGING, work)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void the_journal_keeps_what_it_knows_while_calls_ask_for_the_volume(boolean zeros) {
        stagedBeforeRestart();
        Class<? extends Failure> refusal = zeros ? Failure.FormatRefused.class : Failure.FilesystemConflict.class;
        if (zeros) {
            on.filesystems.blank(DEVICE, SIZE);
        } else {
            on.filesystems.written(DEVICE, SIZE, "ext4", OTHER);
        }
        var reconciler = on.reconciler(new KeyedLocks(SteppingClock.standing()));

        for (int call = 0; call < 3; call++) {
            Failing.with(refusal, this::stage);
            on.clock.advance(Duration.ofMinutes(1));
            for (int look = 1; look < JournalReconciler.LOOKS; look++) {
                assertThat(reconciler.look(work))
                        .extracting(JournalReconciler.Finding::state)
                        .isEqualTo(List.of(JournalReconciler.State.IDLE));
            }
        }

        Failing.with(refusal, this::stage);
    }

    @Test
    void the_journal_keeps_what_it_knows_while_calls_fail_since_the_device_cannot_be_read() {
        stagedBeforeRestart();
        on.filesystems.unreadable();
        var reconciler = on.reconciler(new KeyedLocks(SteppingClock.standing()));
        for (int call = 0; call < 3; call++) {
            Failing.failure(this::stage);
            on.clock.advance(Duration.ofMinutes(1));
            for (int look = 1; look < JournalReconciler.LOOKS; look++) {
                var _ = reconciler.look(work);
            }
        }
        on.filesystems.readable();
        on.filesystems.blank(DEVICE, SIZE);

        Failing.with(Failure.FormatRefused.class, this::stage);

        assertThat(on.filesystems.formats()).isEmpty();
    }

    @Test
    void beside_another_of_its_uuid_only_what_is_known_to_be_a_copy_is_mounted() {
        on.filesystems.written(DEVICE, SIZE, "btrfs", OTHER);
        on.filesystems.taken(OTHER);

        for (Map<String, String> context : List.of(Map.<String, String>of(), Map.of("fairlead.dev/content", "empty"))) {
            Failing.with(Failure.MountFailed.class, () -> stage(context));
            assertThat(on.targets.dump()).isEmpty();
            assertThat(on.journal.all()).isEmpty();
        }

        stage(Map.of("fairlead.dev/content", "snapshot"));
        assertThat(on.mounts.at(STAGING, work)).isPresent();
    }

    @Test
    void once_it_is_unstaged_the_former_one_is_forgotten() {
        stagedBeforeRestart();
        on.filesystems.written(DEVICE, SIZE, "ext4", OTHER);
        Failing.with(Failure.FilesystemConflict.class, this::stage);

        ProtocolNode.unstage(node, work);
        stage();

        assertThat(on.journal
                        .of(HANDLE)
                        .orElseThrow()
                        .filesystem()
                        .orElseThrow()
                        .uuid())
                .contains(OTHER);
    }
}
