package dev.fairlead.testkit.contract.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.node.Mounter.Usage;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Directories are made and removed, and anything else at their paths is refused. */
public interface MountDirectoriesContract extends MounterSubject {
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
}
