package dev.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.Mounter.Usage;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Everything that a {@code Mounter} promises. The test class provides the mounter and a folder to work in; it removes
 * nothing itself, since each test undoes what it mounted and is found out otherwise.
 */
public interface MounterContract {
    Mounter mounter();

    /** An existing, empty folder of this test alone, without symbolic links in its path. */
    Path folder();

    /** Makes a symbolic link, past the mounter. */
    void link(Path link, Path target);

    /** Makes a file, past the mounter. */
    void file(Path file);

    /** Binds past the mounter, on top of whatever is mounted there. */
    void mountOver(Path source, Path target);

    private Path directory(String name) {
        Path path = folder().resolve(name);
        mounter().makeDirectory(path, TestWork.patient());
        return path;
    }

    private void bind(Path source, Path target, String... flags) {
        mounter().bind(source, target, List.of(flags), TestWork.patient());
    }

    private Optional<MountEntry> at(Path path) {
        return mounter().at(path, TestWork.patient());
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

    private List<MountEntry> mounted() {
        return mounter().table(TestWork.patient()).stream()
                .filter(entry -> !entry.mountPoint().equals(folder().toString())
                        && Path.of(entry.mountPoint()).startsWith(folder()))
                .toList();
    }

    @AfterEach
    default void nothing_stays_mounted() {
        List<MountEntry> left = mounted();
        left.reversed().forEach(entry -> mounter().unmount(Path.of(entry.mountPoint()), TestWork.patient()));
        assertThat(left).as("mounts left behind").isEmpty();
    }

    @Test
    default void a_directory_is_made_with_its_parents_once() {
        Path deep = folder().resolve("a/b/c");

        mounter().makeDirectory(deep, TestWork.patient());
        mounter().makeDirectory(deep, TestWork.patient());

        assertThat(mounter().usage(deep, TestWork.patient()).totalBytes()).isPositive();
    }

    @Test
    default void a_file_or_link_in_the_place_of_a_directory_is_refused() {
        Path real = directory("real");
        file(folder().resolve("file"));
        link(folder().resolve("link"), real);

        for (String name : List.of("file", "link")) {
            Path path = folder().resolve(name);
            assertThat(fails(() -> mounter().makeDirectory(path, TestWork.patient())))
                    .as("make directory at a %s", name)
                    .isTrue();
            assertThat(fails(() -> mounter().removeDirectory(path, TestWork.patient())))
                    .as("remove a %s", name)
                    .isTrue();
        }
    }

    @Test
    default void an_empty_directory_is_removed_and_a_missing_one_is_done() {
        Path path = directory("a");

        mounter().removeDirectory(path, TestWork.patient());
        mounter().removeDirectory(path, TestWork.patient());

        assertThat(fails(() -> mounter().usage(path, TestWork.patient()))).isTrue();
    }

    @Test
    default void a_directory_that_holds_something_is_not_removed() {
        directory("a/b");
        file(folder().resolve("c"));
        Path withFile = directory("d");
        file(withFile.resolve("data"));

        assertThat(fails(() -> mounter().removeDirectory(folder().resolve("a"), TestWork.patient())))
                .isTrue();
        assertThat(fails(() -> mounter().removeDirectory(withFile, TestWork.patient())))
                .isTrue();
        assertThat(mounter().usage(folder().resolve("a/b"), TestWork.patient()).totalBytes())
                .isPositive();
    }

    @Test
    default void a_mount_point_is_not_removed() {
        Path target = directory("target");
        bind(directory("source"), target);

        assertThat(fails(() -> mounter().removeDirectory(target, TestWork.patient())))
                .isTrue();
        assertThat(at(target)).isPresent();
        mounter().unmount(target, TestWork.patient());
    }

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

    /** They were given where the file system was mounted; the flags of a claim come to staging and publishing alike. */
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

        Failing.with(Failure.PublishConflict.class, () -> mounter().bind(other, target, List.of(), TestWork.patient()));
        Failing.with(
                Failure.PublishConflict.class, () -> mounter().bind(source, target, List.of("ro"), TestWork.patient()));

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
        HostileInput.texts().filter(MounterContract::isFileName).limit(150).forEach(name -> {
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
    default void usage_adds_up() {
        Usage usage = mounter().usage(folder(), TestWork.patient());

        assertThat(usage.totalBytes()).isPositive();
        assertThat(usage.usedBytes()).isNotNegative();
        assertThat(usage.availableBytes()).isNotNegative();
        assertThat(usage.usedBytes() + usage.availableBytes()).isLessThanOrEqualTo(usage.totalBytes());
        assertThat(usage.freeInodes()).isLessThanOrEqualTo(usage.totalInodes());
        if (usage.totalInodes() > 0) {
            assertThat(usage.usedInodes() + usage.freeInodes()).isEqualTo(usage.totalInodes());
        }
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
