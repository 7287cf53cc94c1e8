package dev.fairlead.application.service.node;

import static dev.fairlead.application.service.node.SharedTargetNode.staging;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.node.MountVolume;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.KeyedLocks.LockKey;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.FakeTargets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** PersistentVolumes made by hand of which several name one LUN, on one node. */
class SharedDevicesTest {
    private static final Attachment.Iscsi ONE = SharedTargetNode.ONE;
    private static final Attachment.Iscsi BY_ANOTHER_PORTAL =
            new Attachment.Iscsi("10.0.0.2:3260", List.of(), "", ONE.iqn(), ONE.lun());
    private static final VolumeCapability READING =
            new VolumeCapability(new VolumeCapability.Mount("ext4", List.of()), AccessMode.MULTI_NODE_READER_ONLY);
    private static final VolumeCapability RAW_READING =
            new VolumeCapability(new VolumeCapability.Block(), AccessMode.MULTI_NODE_READER_ONLY);
    private static final VolumeCapability RAW = SharedTargetNode.RAW;

    private final SharedTargetNode node = new SharedTargetNode();
    private final ProtocolNode on = node.on;
    private final TestWork work = node.work;

    private void publish(String handle) {
        node.node
                .mountVolume()
                .mount(
                        new MountVolume.Command(
                                handle,
                                Optional.of(staging(handle)),
                                ProtocolNode.POD,
                                TestVolumes.MOUNT,
                                false,
                                AttachmentCodec.encode(ONE),
                                Map.of()),
                        work);
    }

    private void assertNothingIsLeft() {
        assertThat(on.targets.dump()).isEmpty();
        assertThat(on.journal.all()).isEmpty();
        assertThat(on.mounts.table(work)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"a,b", "b,a"})
    void the_device_goes_with_the_last_of_them(String first, String last) {
        node.stage("a", TestVolumes.MOUNT);
        node.stage("b", BY_ANOTHER_PORTAL, TestVolumes.MOUNT);

        node.unstage(first);

        assertThat(on.targets.dump()).contains(ONE.iqn());
        assertThat(on.journal.of(first)).isEmpty();
        assertThat(on.mounts.at(staging(first), work)).isEmpty();
        assertThat(on.mounts.at(staging(last), work)).isPresent();
        node.unstage(last);
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @CsvSource({"a,b", "b,a"})
    void raw_devices_go_with_the_last_of_them(String first, String last) {
        node.stage("a", RAW);
        node.stage("b", RAW);

        node.unstage(first);
        node.unstage(last);

        assertNothingIsLeft();
    }

    /** The journal knows neither of them then: whoever is asked first is written down, and waits for the other. */
    @Test
    void they_go_as_well_if_another_driver_staged_them() {
        node.stage("a", TestVolumes.MOUNT);
        node.stage("b", TestVolumes.MOUNT);
        on.journal.remove("a", work);
        on.journal.remove("b", work);

        boolean done = Failing.works(() -> node.unstage("a"));
        node.unstage("b");
        node.unstage("a");

        assertThat(done).isFalse();
        assertNothingIsLeft();
    }

    @Test
    void a_session_that_another_driver_began_ends_with_the_last_of_them() {
        on.targets.login(ONE.iqn());
        node.stage("a", TestVolumes.MOUNT);
        node.stage("b", TestVolumes.MOUNT);
        on.journal.remove("a", work);

        node.unstage("a");
        node.unstage("b");

        assertNothingIsLeft();
    }

    @Test
    void a_pod_keeps_the_last_of_them_only() {
        node.stage("a", TestVolumes.MOUNT);
        node.stage("b", TestVolumes.MOUNT);
        publish("a");

        node.unstage("b");

        Failing.with(Failure.InUse.class, () -> node.unstage("a"));
        node.node.unmountVolume().unmount("a", ProtocolNode.POD, work);
        node.unstage("a");
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void a_call_that_is_cut_anywhere_is_finished_by_a_retry(String first) {
        boolean cut = true;
        for (int effects = 0; cut; effects++) {
            node.stage("a", TestVolumes.MOUNT);
            node.stage("b", TestVolumes.MOUNT);
            TestWork some = TestWork.patient().cancelledAfter(effects);

            cut = !Failing.works(() -> {
                node.node.unstageVolume().unstage(first, staging(first), some);
                node.node
                        .unstageVolume()
                        .unstage(first.equals("a") ? "b" : "a", staging(first.equals("a") ? "b" : "a"), some);
            });

            node.unstage("b");
            node.unstage("a");
            assertNothingIsLeft();
            assertThat(effects).isLessThan(100);
        }
    }

    @Test
    void calls_on_one_device_shut_each_other_out() {
        node.stage("a", TestVolumes.MOUNT);
        LockKey device = LockKey.device(on.targets.identity(ONE));

        boolean refused = node.locks.exclusively(device, work, () -> {
            Failing.with(Failure.OperationPending.class, () -> node.stage("b", BY_ANOTHER_PORTAL, TestVolumes.MOUNT));
            Failing.with(Failure.OperationPending.class, () -> node.unstage("a"));
            return true;
        });

        assertThat(refused).isTrue();
        assertThat(on.mounts.at(staging("a"), work)).isPresent();
    }

    @Test
    void a_reader_does_not_take_the_device_from_a_writer() {
        node.stage("a", TestVolumes.MOUNT);
        String before = on.dump();

        Failing.with(Failure.InUse.class, () -> node.stage("b", READING));
        Failing.with(Failure.InUse.class, () -> node.stage("b", RAW_READING));

        assertThat(on.dump()).isEqualTo(before);
    }

    @Test
    void readers_are_beside_each_other() {
        node.stage("a", TestVolumes.MOUNT);
        node.unstage("a");
        node.stage("a", READING);

        node.stage("b", READING);

        assertThat(on.mounts.at(staging("b"), work)).isPresent();
    }

    /** The other one may be anywhere between attached and mounted, such as in the making of its file system. */
    @Test
    void what_was_forgotten_is_not_detached_under_another_volume() {
        node.stage("a", TestVolumes.MOUNT);
        on.mounts.unmount(staging("a"), work);
        JournalReconciler reconciler = on.reconciler(node.locks);
        for (int i = 1; i < JournalReconciler.LOOKS; i++) {
            var _ = reconciler.look(work);
        }
        node.stage("b", TestVolumes.MOUNT);
        on.mounts.unmount(staging("b"), work);

        var _ = reconciler.look(work);

        assertThat(on.journal.of("a")).isEmpty();
        assertThat(on.targets.dump()).contains(ONE.iqn());
    }

    @Test
    void a_stage_that_fails_leaves_the_other_volumes_device_and_nothing_of_its_own() {
        node.stage("a", TestVolumes.MOUNT);
        VolumeCapability none = new VolumeCapability(
                new VolumeCapability.Mount("ext4", List.of("no_such_option")), AccessMode.SINGLE_NODE_WRITER);
        on.mounts.withoutShare(FakeTargets.device("one").toString());

        Failing.works(() -> node.stage("b", none));

        assertThat(on.journal.of("b")).isEmpty();
        assertThat(on.targets.dump()).contains(ONE.iqn());
        node.unstage("a");
        assertNothingIsLeft();
    }

    @Test
    void a_session_that_another_driver_began_is_ended_though_who_took_it_over_was_forgotten() {
        on.targets.login(ONE.iqn());
        node.stage("a", TestVolumes.MOUNT);
        on.journal.remove("a", work);
        node.stage("a", TestVolumes.MOUNT); // recognised by its mount
        node.stage("b", TestVolumes.MOUNT);
        on.mounts.unmount(staging("a"), work);
        on.mounts.unmount(staging("b"), work);
        JournalReconciler reconciler = on.reconciler(node.locks);

        for (int i = 0; i <= 2 * JournalReconciler.LOOKS; i++) {
            var _ = reconciler.look(work);
        }

        assertNothingIsLeft();
    }

    @Test
    void a_reader_does_not_take_the_device_from_a_writer_that_came_before_it_had_the_lock() {
        List<String> came = new ArrayList<>();
        KeyedLocks asked = new KeyedLocks(() -> {
            if (came.isEmpty() && on.journal.of("b").isPresent()) {
                came.add("a");
                node.stage("a", RAW);
            }
            return Instant.EPOCH;
        });

        Failing.with(Failure.InUse.class, () -> node.stage(on.process(asked), "b", RAW_READING, work));

        assertThat(on.journal.all()).singleElement().matches(it -> it.handle().equals("a"));
        assertThat(on.targets.dump()).contains(ONE.iqn());
    }

    @Test
    void a_volume_that_is_undone_is_forgotten_before_another_one_gets_the_device() {
        on.filesystems.noise(FakeTargets.device("one"), 1L << 30);
        List<String> free = new ArrayList<>();
        TestWork asking = TestWork.patient().cancelledWhen(() -> {
            if (on.targets.dump().isEmpty()
                    && on.journal.of("a").filter(it -> !it.facts().isEmpty()).isPresent()) {
                try {
                    node.locks.exclusively(
                            LockKey.device(on.targets.identity(ONE)), work, () -> free.add("the device"));
                } catch (StorageException _) {
                    return false; // the call has it still
                }
            }
            return false;
        });

        Failing.with(Failure.FormatRefused.class, () -> node.stage(node.node, "a", TestVolumes.MOUNT, asking));

        assertThat(free).isEmpty();
        assertNothingIsLeft();
    }
}
