package dev.fairlead.testkit.contract.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Attacher.Stage;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Everything that an {@code Attacher} promises. The test class provides the attacher, volumes to attach, and the node's
 * mounts.
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

    private Stage<A> stage(A attachment, String path, String... flags) {
        Path staging = folder().resolve(path);
        mounter().makeDirectory(staging, TestWork.patient());
        return new Stage<>("v:test/" + path, attachment, staging, List.of(flags), Map.of());
    }

    private List<MountEntry> mountsAt(Stage<A> stage) {
        return mounter().table(TestWork.patient()).stream()
                .filter(entry -> entry.mountPoint().equals(stage.staging().toString()))
                .toList();
    }

    private boolean fails(Stage<A> stage, Work work) {
        try {
            attacher().stage(stage, work);
            return false;
        } catch (StorageException e) {
            assertThat(e.failure().message()).isNotBlank();
            return true;
        }
    }

    private void unstage(Stage<A> stage) {
        mounter().unmount(stage.staging(), TestWork.patient());
        assertThat(attacher().isStaged(stage, TestWork.patient())).isFalse();
        mounter().removeDirectory(stage.staging(), TestWork.patient());
    }

    @AfterEach
    default void nothing_stays_staged() {
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
    default void a_staged_volume_appears_at_its_path() {
        Stage<A> stage = stage(volume("pvc-a"), "a");
        assertThat(attacher().isStaged(stage, TestWork.patient())).isFalse();

        attacher().stage(stage, TestWork.patient());

        assertThat(attacher().isStaged(stage, TestWork.patient())).isTrue();
        assertThat(mountsAt(stage)).hasSize(1);
        unstage(stage);
    }

    @Test
    default void staging_twice_stages_once() {
        Stage<A> stage = stage(volume("pvc-a"), "a");
        attacher().stage(stage, TestWork.patient());
        List<MountEntry> once = mountsAt(stage);

        attacher().stage(stage, TestWork.patient());

        assertThat(mountsAt(stage)).isEqualTo(once);
        unstage(stage);
    }

    @Test
    default void two_volumes_are_told_apart() {
        Stage<A> one = stage(volume("pvc-1"), "one");
        Stage<A> two = stage(volume("pvc-2"), "two");

        attacher().stage(one, TestWork.patient());
        attacher().stage(two, TestWork.patient());

        assertThat(mountsAt(one).getFirst().showsSameAs(mountsAt(two).getFirst()))
                .isFalse();
        unstage(one);
        assertThat(attacher().isStaged(two, TestWork.patient())).isTrue();
        unstage(two);
    }

    @Test
    default void another_volume_at_the_path_is_a_conflict_and_stays() {
        Stage<A> first = stage(volume("pvc-1"), "a");
        Stage<A> second = stage(volume("pvc-2"), "a");
        attacher().stage(first, TestWork.patient());
        List<MountEntry> before = mountsAt(first);

        Failing.with(Failure.MountConflict.class, () -> attacher().isStaged(second, TestWork.patient()));
        Failing.with(Failure.MountConflict.class, () -> attacher().stage(second, TestWork.patient()));

        assertThat(mountsAt(first)).isEqualTo(before);
        unstage(first);
    }

    @Test
    default void a_volume_that_does_not_exist_is_told_and_nothing_is_mounted() {
        Stage<A> stage = stage(absent(), "a");

        assertThat(fails(stage, TestWork.patient())).isTrue();

        assertThat(mountsAt(stage)).isEmpty();
    }

    @Test
    default void mount_flags_are_in_force() {
        Stage<A> stage = stage(volume("pvc-a"), "a", "noatime");

        attacher().stage(stage, TestWork.patient());

        assertThat(mountsAt(stage).getFirst().options()).contains("noatime");
        unstage(stage);
    }

    @Test
    default void a_call_that_was_cut_anywhere_is_finished_by_a_retry() {
        boolean cut = true;
        for (int effects = 0; cut; effects++) {
            Stage<A> stage = stage(volume("pvc-a"), "a" + effects);

            cut = fails(stage, TestWork.patient().cancelledAfter(effects));

            attacher().stage(stage, TestWork.patient());
            assertThat(mountsAt(stage)).hasSize(1);
            unstage(stage);
            assertThat(effects).isLessThan(1000);
        }
    }
}
