package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.PoolStates.PoolFinding;
import dev.fairlead.application.port.out.store.PoolStates.PoolReport;
import dev.fairlead.application.port.out.store.PoolStates.PoolState;
import dev.fairlead.linux.FileCalls;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How pools are, on a small disk of their own (a tmpfs; mounting needs root). */
class PoolHealthTest {
    @TempDir
    Path folder = Path.of("/nowhere");

    private final PoolFixture fixture = new PoolFixture("existing");
    private Path disk = Path.of("/nowhere");

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(folder.resolve("disk"));
        Assumptions.assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=1m,nr_inodes=64", "none", disk.toString()),
                "left out: mounting needs root");
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", disk.toString());
    }

    private static boolean run(String... command) throws Exception {
        return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    }

    private List<PoolState> states() {
        List<PoolReport> reports = fixture.places().health().look();
        assertThat(reports)
                .singleElement()
                .satisfies(it -> assertThat(it.pool()).isEqualTo("legacy"));
        return reports.getFirst().findings().stream().map(PoolFinding::state).toList();
    }

    private void fill() throws IOException {
        try (OutputStream out = Files.newOutputStream(disk.resolve("filling"))) {
            for (int i = 0; i < 1000; i++) {
                out.write(new byte[4096]);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }

    @Test
    void a_pool_is_well_full_without_inodes_read_only_or_away() throws Exception {
        fixture.open(PoolFixture.pool("legacy", disk, "directory")).close();
        assertThat(states()).containsExactly(PoolState.UNUSED);
        Files.createDirectories(disk.resolve("v/pvc-a"));
        assertThat(states()).isEmpty();

        fill();
        assertThat(states()).containsExactly(PoolState.FULL);
        Files.delete(disk.resolve("filling"));
        assertThat(states()).isEmpty();

        Path many = Files.createDirectory(disk.resolve("many"));
        try {
            for (int i = 0; i < 100; i++) {
                Files.createFile(many.resolve("file" + i));
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
        assertThat(states()).containsExactly(PoolState.INODES_EXHAUSTED);
        assertThat(run("rm", "-r", many.toString())).isTrue();

        assertThat(run("mount", "-o", "remount,ro", disk.toString())).isTrue();
        assertThat(states()).containsExactly(PoolState.READ_ONLY);

        assertThat(run("umount", disk.toString())).isTrue();
        assertThat(states()).containsExactly(PoolState.AWAY);
    }

    @Test
    void a_pool_that_cannot_be_looked_at_is_neither_well_nor_away() throws Exception {
        Files.createDirectories(disk.resolve("v/pvc-a"));
        fixture.open(PoolFixture.pool("legacy", disk, "directory")).close();
        fixture.hang(disk);

        assertThat(states()).containsExactly(PoolState.UNKNOWN);
    }

    @Test
    void quotas_that_cannot_be_asked_for_are_unknown_and_not_held_is_told() throws Exception {
        Files.createDirectories(disk.resolve("v/pvc-a"));
        fixture.openTold(PoolFixture.pool("legacy", disk, "xfs")).close();
        assertThat(states()).containsExactly(PoolState.SIZES_NOT_HELD);

        fixture.openTold(PoolFixture.pool("legacy", disk, "btrfs")).close();
        assertThat(states()).containsExactly(PoolState.UNKNOWN);
        PoolReport report = fixture.places().health().look().getFirst();
        assertThat(report.tells(PoolState.SIZES_NOT_HELD)).isFalse();
        assertThat(report.tells(PoolState.FULL)).isTrue();
    }

    @Test
    void a_pool_whose_file_system_has_counted_an_error_is_told_with_it_and_goes_on() throws Exception {
        Path image = folder.resolve("disk.raw");
        assertThat(run("umount", disk.toString())).isTrue();
        Assumptions.assumeTrue(
                run(
                        "sh",
                        "-c",
                        "truncate -s 64M '" + image + "' && mkfs.ext4 -q '" + image
                                + "' && mount -o loop,errors=continue '" + image + "' '" + disk + "'"),
                "left out: no image with ext4 is mounted here");
        Files.createDirectories(disk.resolve("v/pvc-a"));
        fixture.open(PoolFixture.pool("legacy", disk, "directory")).close();
        assertThat(states()).isEmpty();
        Path trigger = trigger();
        Assumptions.assumeTrue(Files.isWritable(trigger), "left out: this kernel's ext4 makes no error on demand");

        Files.writeString(trigger, "1");

        PoolReport report = fixture.places().health().look().getFirst();
        assertThat(report.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.state()).isEqualTo(PoolState.DEVICE_ERRORS);
            assertThat(finding.detail()).contains("1 errors", "trigger_test_error");
        });
    }

    private Path trigger() throws IOException {
        try (FileCalls calls = new FileCalls()) {
            Path device = Path.of("/sys/dev/block", calls.stat(disk).filesystemDevice());
            return Path.of("/sys/fs/ext4")
                    .resolve(String.valueOf(device.toRealPath().getFileName()))
                    .resolve("trigger_fs_error");
        }
    }
}
