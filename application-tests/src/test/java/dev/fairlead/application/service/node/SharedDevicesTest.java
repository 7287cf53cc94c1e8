package dev.fairlead.application.service.node;

import static dev.fairlead.application.service.ProtocolNode.DRIVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.node.MountVolume;
import dev.fairlead.application.port.in.node.StageVolume;
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
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.FakeTargets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** PersistentVolumes made by hand of which several name one LUN, on one node. */
class SharedDevicesTest {
    private static final Attachment.Iscsi ONE = FakeTargets.target("one");
    private static final Attachment.Iscsi BY_ANOTHER_PORTAL =
            new Attachment.Iscsi("10.0.0.2:3260", List.of(), "", ONE.iqn(), ONE.lun());
    private static final VolumeCapability READING =
            new VolumeCapability(new VolumeCapability.Mount("ext4", List.of()), AccessMode.MULTI_NODE_READER_ONLY);
    private static final VolumeCapability RAW_READING =
            new VolumeCapability(new VolumeCapability.Block(), AccessMode.MULTI_NODE_READER_ONLY);
    private static final VolumeCapability RAW =
            new VolumeCapability(new VolumeCapability.Block(), AccessMode.SINGLE_NODE_WRITER);

    private final ProtocolNode on = new ProtocolNode();
    private final KeyedLocks locks = new KeyedLocks(SteppingClock.standing());
    private final NodeUseCases node = on.process(locks);
    private final TestWork work = TestWork.patient();

    private static Path staging(String handle) {
        return Path.of("/kubelet/plugins/" + handle + "/globalmount");
    }

    private void stage(String handle, Attachment volume, VolumeCapability capability) {
        node.stageVolume()
                .stage(
                        new StageVolume.Command(
                                handle,
                                staging(handle),
                                capability,
                                AttachmentCodec.encode(volume),
                                Map.of(),
                                Map.of()),
                        work);
    }

    private void stage(NodeUseCases by, String handle, VolumeCapability capability, TestWork how) {
        by.stageVolume()
                .stage(
                        new StageVolume.Command(
                                handle, staging(handle), capability, AttachmentCodec.encode(ONE), Map.of(), Map.of()),
                        how);
    }

    private void publish(String handle) {
        node.mountVolume()
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

    private void unstage(String handle) {
        node.unstageVolume().unstage(handle, staging(handle), work);
    }

    private void assertNothingIsLeft() {
        assertThat(on.targets.dump()).isEmpty();
        assertThat(on.journal.all()).isEmpty();
        assertThat(on.mounts.table(work)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"a,b", "b,a"})
    void the_device_goes_with_the_last_of_them(String first, String last) {
        stage("a", ONE, TestVolumes.MOUNT);
        stage("b", BY_ANOTHER_PORTAL, TestVolumes.MOUNT);

        unstage(first);

        assertThat(on.targets.dump()).contains(ONE.iqn());
        assertThat(on.journal.of(first)).isEmpty();
        assertThat(on.mounts.at(staging(first), work)).isEmpty();
        assertThat(on.mounts.at(staging(last), work)).isPresent();
        unstage(last);
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @CsvSource({"a,b", "b,a"})
    void raw_devices_go_with_the_last_of_them(String first, String last) {
        stage("a", ONE, RAW);
        stage("b", ONE, RAW);

        unstage(first);
        unstage(last);

        assertNothingIsLeft();
    }

    /** The journal knows neither of them then: whoever is asked first is written down, and waits for the other. */
    @Test
    void they_go_as_well_if_another_driver_staged_them() {
        stage("a", ONE, TestVolumes.MOUNT);
        stage("b", ONE, TestVolumes.MOUNT);
        on.journal.remove("a", work);
        on.journal.remove("b", work);

        boolean done = Failing.works(() -> unstage("a"));
        unstage("b");
        unstage("a");

        assertThat(done).isFalse();
        assertNothingIsLeft();
    }

    @Test
    void a_session_that_another_driver_began_ends_with_the_last_of_them() {
        on.targets.login(ONE.iqn());
        stage("a", ONE, TestVolumes.MOUNT);
        stage("b", ONE, TestVolumes.MOUNT);
        on.journal.remove("a", work);

        unstage("a");
        unstage("b");

        assertNothingIsLeft();
    }

    @Test
    void a_pod_keeps_the_last_of_them_only() {
        stage("a", ONE, TestVolumes.MOUNT);
        stage("b", ONE, TestVolumes.MOUNT);
        publish("a");

        unstage("b");

        Failing.with(Failure.InUse.class, () -> unstage("a"));
        node.unmountVolume().unmount("a", ProtocolNode.POD, work);
        unstage("a");
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void a_call_that_is_cut_anywhere_is_finished_by_a_retry(String first) {
        boolean cut = true;
        for (int effects = 0; cut; effects++) {
            stage("a", ONE, TestVolumes.MOUNT);
            stage("b", ONE, TestVolumes.MOUNT);
            TestWork some = TestWork.patient().cancelledAfter(effects);

            cut = !Failing.works(() -> {
                node.unstageVolume().unstage(first, staging(first), some);
                node.unstageVolume()
                        .unstage(first.equals("a") ? "b" : "a", staging(first.equals("a") ? "b" : "a"), some);
            });

            unstage("b");
            unstage("a");
            assertNothingIsLeft();
            assertThat(effects).isLessThan(100);
        }
    }

    @Test
    void calls_on_one_device_shut_each_other_out() {
        stage("a", ONE, TestVolumes.MOUNT);
        LockKey device = LockKey.device(on.targets.identity(ONE));

        boolean refused = locks.exclusively(device, work, () -> {
            Failing.with(Failure.OperationPending.class, () -> stage("b", BY_ANOTHER_PORTAL, TestVolumes.MOUNT));
            Failing.with(Failure.OperationPending.class, () -> unstage("a"));
            return true;
        });

        assertThat(refused).isTrue();
        assertThat(on.mounts.at(staging("a"), work)).isPresent();
    }

    @Test
    void a_reader_does_not_take_the_device_from_a_writer() {
        stage("a", ONE, TestVolumes.MOUNT);
        String before = on.dump();

        Failing.with(Failure.InUse.class, () -> stage("b", ONE, READING));
        Failing.with(Failure.InUse.class, () -> stage("b", ONE, RAW_READING));

        assertThat(on.dump()).isEqualTo(before);
    }

    @Test
    void readers_are_beside_each_other() {
        stage("a", ONE, TestVolumes.MOUNT);
        unstage("a");
        stage("a", ONE, READING);

        stage("b", ONE, READING);

        assertThat(on.mounts.at(staging("b"), work)).isPresent();
    }

    /** The other one may be anywhere between attached and mounted, such as in the making of its file system. */
    @Test
    void what_was_forgotten_is_not_detached_under_another_volume() {
        stage("a", ONE, TestVolumes.MOUNT);
        on.mounts.unmount(staging("a"), work);
        JournalReconciler reconciler = new JournalReconciler(on.ports(), Set.of(DRIVER), locks, on.clock);
        for (int i = 1; i < JournalReconciler.LOOKS; i++) {
            var _ = reconciler.look(work);
        }
        stage("b", ONE, TestVolumes.MOUNT);
        on.mounts.unmount(staging("b"), work);

        var _ = reconciler.look(work);

        assertThat(on.journal.of("a")).isEmpty();
        assertThat(on.targets.dump()).contains(ONE.iqn());
    }

    @Test
    void a_stage_that_fails_leaves_the_other_volumes_device_and_nothing_of_its_own() {
        stage("a", ONE, TestVolumes.MOUNT);
        VolumeCapability none = new VolumeCapability(
                new VolumeCapability.Mount("ext4", List.of("no_such_option")), AccessMode.SINGLE_NODE_WRITER);
        on.mounts.withoutShare(FakeTargets.device("one").toString());

        Failing.works(() -> stage("b", ONE, none));

        assertThat(on.journal.of("b")).isEmpty();
        assertThat(on.targets.dump()).contains(ONE.iqn());
        unstage("a");
        assertNothingIsLeft();
    }

    @Test
    void a_session_that_another_driver_began_is_ended_though_who_took_it_over_was_forgotten() {
        on.targets.login(ONE.iqn());
        stage("a", ONE, TestVolumes.MOUNT);
        on.journal.remove("a", work);
        stage("a", ONE, TestVolumes.MOUNT); // recognised by its mount
        stage("b", ONE, TestVolumes.MOUNT);
        on.mounts.unmount(staging("a"), work);
        on.mounts.unmount(staging("b"), work);
        JournalReconciler reconciler = new JournalReconciler(on.ports(), Set.of(DRIVER), locks, on.clock);

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
                stage("a", ONE, RAW);
            }
            return Instant.EPOCH;
        });

        Failing.with(Failure.InUse.class, () -> stage(on.process(asked), "b", RAW_READING, work));

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
                    locks.exclusively(LockKey.device(on.targets.identity(ONE)), work, () -> free.add("the device"));
                } catch (StorageException _) {
                    return false; // the call has it still
                }
            }
            return false;
        });

        Failing.with(Failure.FormatRefused.class, () -> stage(node, "a", TestVolumes.MOUNT, asking));

        assertThat(free).isEmpty();
        assertNothingIsLeft();
    }
}
