package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pool whose file system the kernel or somebody has made read-only (a tmpfs; mounting needs root). */
class ReadOnlyPoolTest {
    @TempDir
    Path folder = Path.of("/nowhere");

    private Path disk = Path.of("/nowhere");

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(folder.resolve("disk"));
        Assumptions.assumeTrue(run("mount", "-t", "tmpfs", "none", disk.toString()), "left out: mounting needs root");
        Files.createDirectories(disk.resolve("v"));
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", disk.toString());
    }

    private static boolean run(String... command) throws Exception {
        return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    }

    private static Capacity available(VolumeStore store) {
        return store.room(Map.of(), TestWork.patient()).available();
    }

    @Test
    void nothing_is_promised_until_it_can_be_written_to_again() throws Exception {
        try (VolumeStore store = new PoolFixture("prepared").open(PoolFixture.pool("legacy", disk, "directory"))) {
            assertThat(available(store)).isNotEqualTo(Capacity.ZERO);
            assertThat(run("mount", "-o", "remount,ro", disk.toString())).isTrue();

            assertThatThrownBy(() -> available(store))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.failure()).isInstanceOf(Failure.StorageReadOnly.class))
                    .hasMessageContaining("pool 'legacy'");

            assertThat(run("mount", "-o", "remount,rw", disk.toString())).isTrue();
            assertThat(available(store)).isNotEqualTo(Capacity.ZERO);
        }
    }
}
