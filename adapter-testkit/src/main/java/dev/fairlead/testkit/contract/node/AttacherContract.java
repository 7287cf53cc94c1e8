package dev.fairlead.testkit.contract.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.health.VolumePath;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Everything that an {@code Attacher} promises. The test class provides the attacher, volumes to attach, and the node's
 * mounts; the contract mounts what was attached as the use cases do.
 */
public interface AttacherContract<A extends Attachment> {
    /** Returns the attacher under test. Each call gives a new instance over the same node. */
    Attacher<A> attacher();

    /** Returns an attachment of an existing volume of this name; the same one for the same name. */
    A volume(String name);

    /** Returns an attachment of a volume that does not exist. */
    A absent();

    /** Returns the mounter of the node, which shows its mounts without the attacher. */
    Mounter mounter();

    /** Returns a folder of this test alone, in which staging paths are made. */
    Path folder();

    /** Returns as what the volumes are used; raw devices for a protocol that has them. */
    default VolumeCapability capability() {
        return attacher().offersBlock() ? TestVolumes.BLOCK : TestVolumes.MOUNT;
    }

    private Attach<A> request(A attachment) {
        return new Attach<>(
                "v:test/one", attachment, capability(), AttachmentCodec.encode(attachment), Map.of(), Map.of());
    }

    private Attached attach(A attachment, Work work) {
        Attach<A> request = request(attachment);
        attacher().check(request);
        return attacher().attach(request, work);
    }

    private MountEntry mounted(A attachment, String name) {
        Path place = folder().resolve(name);
        mounter().makeDirectory(place, TestWork.patient());
        switch (attach(attachment, TestWork.patient())) {
            case Attached.Directory directory -> mounter().bind(directory, place, List.of(), TestWork.patient());
            case Attached.Share(Mounter.Filesystem share) -> mounter().mount(share, place, TestWork.patient());
            case Attached.Device device -> {
                place = place.resolve("block_device");
                mounter().bindDevice(device.path(), place, List.of(), TestWork.patient());
            }
        }
        return mounter().at(place, TestWork.patient()).orElseThrow();
    }

    private void unmount(MountEntry mount) {
        mounter().unmount(Path.of(mount.mountPoint()), TestWork.patient());
        mounter().removeDirectory(Path.of(mount.mountPoint()), TestWork.patient());
    }

    private boolean shows(A attachment, MountEntry mount) {
        return attacher().shows(attachment, mount, TestWork.patient());
    }

    private boolean fails(Runnable call) {
        try {
            call.run();
            return false;
        } catch (StorageException e) {
            assertThat(e.failure().message()).isNotBlank();
            return true;
        }
    }

    @AfterEach
    default void nothing_stays_mounted() {
        List<MountEntry> left = mounter().table(TestWork.patient()).stream()
                .filter(entry -> Path.of(entry.mountPoint()).startsWith(folder()))
                .toList();
        left.reversed().forEach(entry -> mounter().unmount(Path.of(entry.mountPoint()), TestWork.patient()));
        assertThat(left).as("mounts left behind").isEmpty();
    }

    @Test
    default void it_handles_the_attachments_it_is_for() {
        assertThat(volume("pvc-a")).isInstanceOf(attacher().handles());
    }

    @Test
    default void a_mount_of_what_was_attached_shows_the_volume() {
        MountEntry mount = mounted(volume("pvc-a"), "a");

        assertThat(shows(volume("pvc-a"), mount)).isTrue();
        unmount(mount);
        attacher().detach(volume("pvc-a"), Map.of(), TestWork.patient());
    }

    @Test
    default void attaching_mounts_nothing() {
        List<MountEntry> before = mounter().table(TestWork.patient());

        Attached attached = attach(volume("pvc-a"), TestWork.patient());

        assertThat(mounter().table(TestWork.patient())).isEqualTo(before);
        assertThat(attached).isNotNull();
        attacher().detach(volume("pvc-a"), Map.of(), TestWork.patient());
    }

    @Test
    default void attaching_twice_is_as_once() {
        Attached once = attach(volume("pvc-a"), TestWork.patient());

        Attached twice = attach(volume("pvc-a"), TestWork.patient());

        assertThat(twice).isEqualTo(once);
        attacher().detach(volume("pvc-a"), Map.of(), TestWork.patient());
    }

    @Test
    default void two_volumes_are_told_apart() {
        MountEntry one = mounted(volume("pvc-1"), "one");
        MountEntry two = mounted(volume("pvc-2"), "two");

        assertThat(one.showsSameAs(two)).isFalse();
        assertThat(shows(volume("pvc-1"), two)).isFalse();
        assertThat(shows(volume("pvc-2"), one)).isFalse();
        unmount(one);
        attacher().detach(volume("pvc-1"), Map.of(), TestWork.patient());
        assertThat(shows(volume("pvc-2"), two)).isTrue();
        unmount(two);
        attacher().detach(volume("pvc-2"), Map.of(), TestWork.patient());
    }

    @Test
    default void a_mount_of_something_else_does_not_show_the_volume() {
        for (MountEntry mount : mounter().table(TestWork.patient())) {
            assertThat(shows(volume("pvc-a"), mount))
                    .as("mount at %s", mount.mountPoint())
                    .isFalse();
        }
    }

    @Test
    default void what_outlives_its_mount_is_recognised_by_it_and_can_be_detached() {
        MountEntry mount = mounted(volume("pvc-a"), "a");

        var recognised = attacher().recognise(mount, TestWork.patient());

        assertThat(recognised.isPresent() || !attacher().outlivesMount()).isTrue();
        recognised.ifPresent(it -> assertThat(shows(it, mount)).isTrue());
        unmount(mount);
        attacher()
                .detach(
                        recognised.orElse(volume("pvc-a")),
                        Map.of(Attacher.RECOGNISED, mount.mountPoint()),
                        TestWork.patient());
        attacher().detach(volume("pvc-a"), Map.of(), TestWork.patient());
    }

    @Test
    default void the_ways_to_a_volume_are_usable_while_it_is_attached_and_looking_changes_nothing() {
        var _ = attach(volume("pvc-a"), TestWork.patient());
        List<MountEntry> before = mounter().table(TestWork.patient());

        List<VolumePath> attached =
                attacher().paths(volume("pvc-a"), TestWork.patient().cancelledAfter(0));

        assertThat(attached).allMatch(VolumePath::usable).doesNotHaveDuplicates();
        assertThat(mounter().table(TestWork.patient())).isEqualTo(before);
        attacher().detach(volume("pvc-a"), Map.of(), TestWork.patient());
        assertThat(attacher().paths(volume("pvc-a"), TestWork.patient()))
                .hasSameSizeAs(attached)
                .noneMatch(VolumePath::usable);
    }

    @Test
    default void detaching_what_was_never_attached_does_nothing() {
        attacher().detach(volume("pvc-a"), Map.of(), TestWork.patient());
        attacher().detach(absent(), Map.of(), TestWork.patient());
    }

    @Test
    default void a_volume_that_does_not_exist_is_told_and_nothing_is_mounted() {
        assertThat(fails(() -> mounted(absent(), "a"))).isTrue();

        assertThat(mounter().at(folder().resolve("a"), TestWork.patient())).isEmpty();
        attacher().detach(absent(), Map.of(), TestWork.patient());
    }

    @Test
    default void an_attachment_that_was_cut_is_finished_by_the_next() {
        for (int effects = 0; effects < 4; effects++) {
            TestWork cut = TestWork.patient().cancelledAfter(effects);
            var _ = fails(() -> attach(volume("pvc-a"), cut));

            MountEntry mount = mounted(volume("pvc-a"), "a");

            assertThat(shows(volume("pvc-a"), mount)).isTrue();
            unmount(mount);
            attacher().detach(volume("pvc-a"), Map.of(), TestWork.patient());
        }
    }
}
