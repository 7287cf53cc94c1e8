package dev.fairlead.testkit.contract.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/**
 * Provides the mounter that a contract is about, and a folder to work in. The test class removes nothing itself: each
 * test undoes what it mounted, and fails if it does not.
 */
public interface MounterSubject {
    Mounter mounter();

    /** Returns an existing, empty folder of this test alone, without symbolic links in its path. */
    Path folder();

    /** Makes a symbolic link, without the mounter. */
    void link(Path link, Path target);

    /** Makes a file, without the mounter. */
    void file(Path file);

    /** Makes a bind mount, without the mounter, on top of whatever is mounted there. */
    void mountOver(Path source, Path target);

    default Path directory(String name) {
        Path path = folder().resolve(name);
        mounter().makeDirectory(path, TestWork.patient());
        return path;
    }

    default void bind(Path source, Path target, String... flags) {
        mounter().bind(source, target, List.of(flags), TestWork.patient());
    }

    default Optional<MountEntry> at(Path path) {
        return mounter().at(path, TestWork.patient());
    }

    default boolean fails(Runnable call) {
        try {
            call.run();
            return false;
        } catch (StorageException e) {
            assertThat(e.failure().message()).isNotBlank();
            return true;
        }
    }

    default List<MountEntry> mounted() {
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
}
