package dev.fairlead.testkit.contract.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.HostileInput;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A bind mount is in the mount table with its flags, once, and is unmounted with all its layers. */
public interface MountBindingContract extends MounterSubject {
    @Test
    default void what_is_bound_is_in_the_table_and_shows_its_source() {
        Path source = directory("source");
        Path target = directory("target");
        Path other = directory("other");

        bind(source, target);
        bind(source, other);

        MountEntry entry = at(target).orElseThrow();
        assertThat(entry.mountPoint()).isEqualTo(target.toString());
        assertThat(entry.root()).endsWith("source");
        assertThat(entry.readOnly()).isFalse();
        assertThat(entry.showsSameAs(at(other).orElseThrow())).isTrue();
        assertThat(mounted()).hasSize(2).contains(entry);
        mounter().unmount(target, TestWork.patient());
        mounter().unmount(other, TestWork.patient());
    }

    @Test
    default void flags_are_in_force_and_only_there() {
        Path source = directory("source");
        Path readOnly = directory("read-only");
        Path writable = directory("writable");

        bind(source, readOnly, "ro", "noexec", "nosuid", "nodev");
        bind(source, writable);

        assertThat(at(readOnly).orElseThrow().options()).contains("ro", "noexec", "nosuid", "nodev");
        assertThat(at(writable).orElseThrow().options()).contains("rw").doesNotContain("ro", "noexec");
        mounter().unmount(readOnly, TestWork.patient());
        mounter().unmount(writable, TestWork.patient());
    }

    /**
     * Checks that flags of a file system are ignored, since staging gave them when it mounted that; the mount flags of
     * a volume come to staging and to publishing alike.
     */
    @Test
    default void flags_of_a_file_system_are_passed_over_and_the_others_in_force() {
        Path source = directory("source");
        Path target = directory("target");

        bind(source, target, "nfsvers=4.2", "ro", "noatime");

        assertThat(at(target).orElseThrow().options()).contains("ro", "noatime");
        mounter().unmount(target, TestWork.patient());
    }

    @Test
    default void binding_what_is_bound_so_already_is_done() {
        Path source = directory("source");
        Path target = directory("target");
        bind(source, target, "ro");

        bind(source, target, "ro");

        assertThat(mounted()).hasSize(1);
        mounter().unmount(target, TestWork.patient());
    }

    @Test
    default void something_else_at_the_target_is_a_conflict_and_stays() {
        Path source = directory("source");
        Path other = directory("other");
        Path target = directory("target");
        bind(source, target);
        List<MountEntry> before = mounted();

        Failing.with(Failure.MountConflict.class, () -> mounter().bind(other, target, List.of(), TestWork.patient()));
        Failing.with(
                Failure.MountConflict.class, () -> mounter().bind(source, target, List.of("ro"), TestWork.patient()));

        assertThat(mounted()).isEqualTo(before);
        mounter().unmount(target, TestWork.patient());
    }

    @Test
    default void binding_what_is_not_there_mounts_nothing() {
        Path there = directory("there");

        assertThat(fails(() -> bind(folder().resolve("absent"), there))).isTrue();
        assertThat(fails(() -> bind(there, folder().resolve("absent")))).isTrue();

        assertThat(mounted()).isEmpty();
    }

    @Test
    default void unmounting_takes_all_layers_and_nothing_mounted_is_done() {
        Path target = directory("target");
        Path below = directory("source/below");
        Path source = folder().resolve("source");
        bind(source, target);
        mountOver(below, target);
        assertThat(at(target).orElseThrow().root()).endsWith("below");

        mounter().unmount(target, TestWork.patient());
        mounter().unmount(target, TestWork.patient());
        mounter().unmount(folder().resolve("absent"), TestWork.patient());

        assertThat(at(target)).isEmpty();
        assertThat(mounted()).isEmpty();
        mounter().removeDirectory(target, TestWork.patient());
    }

    @Test
    default void unmounting_one_path_leaves_the_others() {
        Path source = directory("source");
        Path one = directory("pod-1");
        Path ten = directory("pod-10");
        bind(source, one);
        bind(source, ten);

        mounter().unmount(one, TestWork.patient());

        assertThat(at(one)).isEmpty();
        assertThat(at(ten)).isPresent();
        mounter().unmount(ten, TestWork.patient());
    }

    @Test
    default void paths_of_any_characters_are_mounted_and_found() {
        Path source = directory("source");
        HostileInput.texts().filter(MountBindingContract::isFileName).limit(150).forEach(name -> {
            Path target = directory(name);
            bind(source, target);
            assertThat(at(target).map(MountEntry::mountPoint))
                    .as("mounted at %s", name)
                    .contains(target.toString());
            mounter().unmount(target, TestWork.patient());
            assertThat(at(target)).isEmpty();
            mounter().removeDirectory(target, TestWork.patient());
        });
    }

    private static boolean isFileName(String text) {
        boolean plain = text.chars().allMatch(c -> c < 0x7F);
        boolean encodable = plain || "UTF-8".equals(System.getProperty("sun.jnu.encoding"));
        return encodable
                && !Stream.of("", ".", "..").toList().contains(text)
                && text.indexOf('/') < 0
                && text.indexOf('\0') < 0
                && text.getBytes(StandardCharsets.UTF_8).length <= 255;
    }

    @Test
    default void a_cancelled_call_mounts_nothing() {
        Path source = directory("source");
        Path target = directory("target");
        TestWork gone = TestWork.patient().cancelledWhen(() -> true);

        assertThat(fails(() -> mounter().bind(source, target, List.of("ro"), gone)))
                .isTrue();
        assertThat(fails(() -> mounter().makeDirectory(folder().resolve("new"), gone)))
                .isTrue();

        assertThat(mounted()).isEmpty();
    }

    @Test
    default void different_targets_are_mounted_at_once() {
        Path source = directory("source");
        List<Path> targets = Stream.of("1", "2", "3", "4", "5", "6")
                .map(name -> folder().resolve("target-" + name))
                .toList();

        Concurrently.run(targets.stream()
                .<Runnable>map(target -> () -> {
                    mounter().makeDirectory(target, TestWork.patient());
                    bind(source, target, "ro");
                    assertThat(at(target).orElseThrow().readOnly()).isTrue();
                    mounter().unmount(target, TestWork.patient());
                    mounter().removeDirectory(target, TestWork.patient());
                })
                .toList());

        assertThat(mounted()).isEmpty();
    }
}
