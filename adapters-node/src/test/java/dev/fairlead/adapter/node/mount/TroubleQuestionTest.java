package dev.fairlead.adapter.node.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.health.MountTrouble;
import dev.fairlead.domain.health.MountTrouble.Kind;
import dev.fairlead.linux.BtrfsCalls;
import dev.fairlead.linux.MountCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TroubleQuestionTest {
    private static final String ROOT = "/v/pvc-a";

    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    private static TroubleQuestion space(long blocks, long available, long inodes, long freeInodes) {
        return new TroubleQuestion(
                new SpaceQuestion(
                        _ -> new MountCalls.Space(4096, blocks, available, available, inodes, freeInodes),
                        Duration.ofSeconds(1)),
                _ -> Optional.empty());
    }

    private List<Kind> kinds(TroubleQuestion question) throws IOException {
        return question.ask(sandbox.directory("volume"), ROOT).stream()
                .map(MountTrouble::kind)
                .toList();
    }

    @Test
    void a_volume_is_full_with_less_than_a_thousandth_free_or_of_a_small_one_less_than_a_fiftieth() throws IOException {
        assertThat(kinds(space(1_000_000, 1_000, 0, 0))).isEmpty();
        assertThat(kinds(space(1_000_000, 999, 0, 0))).containsExactly(Kind.FULL);
        assertThat(kinds(space(10_000, 64, 0, 0))).isEmpty();
        assertThat(kinds(space(10_000, 63, 0, 0))).containsExactly(Kind.FULL);
        assertThat(kinds(space(250, 5, 0, 0))).isEmpty();
        assertThat(kinds(space(250, 4, 0, 0))).containsExactly(Kind.FULL);
    }

    @Test
    void inodes_count_where_they_are_limited_and_of_a_full_one_they_are_no_other_trouble() throws IOException {
        assertThat(kinds(space(250, 200, 64, 1))).isEmpty();
        assertThat(kinds(space(250, 200, 64, 0))).containsExactly(Kind.WITHOUT_INODES);
        assertThat(kinds(space(250, 0, 64, 0))).containsExactly(Kind.FULL);
        assertThat(kinds(space(0, 0, 0, 0))).isEmpty();
    }

    @Test
    void what_cannot_be_read_is_told_as_such() throws IOException {
        TroubleQuestion failing = new TroubleQuestion(
                new SpaceQuestion(_ -> new MountCalls.Space(4096, 250, 200, 200, 0, 0), Duration.ofSeconds(1)), _ -> {
                    throw new IOException("permission denied");
                });
        assertThat(failing.ask(sandbox.directory("volume"), ROOT))
                .containsExactly(MountTrouble.untold(
                        Set.of(Kind.DEVICE_ERRORS),
                        "which errors its file system has counted cannot be told: permission denied"));
    }

    @Test
    void a_real_disk_is_full_once_it_is_filled() throws Exception {
        BoundedDisk disk = BoundedDisk.in(sandbox);
        assertThat(TroubleQuestion.OF_KERNEL.ask(disk.folder(), "/")).isEmpty();
        disk.fill();
        assertThat(TroubleQuestion.OF_KERNEL.ask(disk.folder(), "/"))
                .singleElement()
                .satisfies(it -> {
                    assertThat(it.kind()).isEqualTo(Kind.FULL);
                    assertThat(it.detail()).isEqualTo("0 of 65536 bytes are free");
                });
    }

    @Test
    void a_subvolume_of_a_pool_without_a_limit_does_not_hold_its_size() throws Exception {
        Path file = sandbox.directory("files").resolve("disk");
        Path disk = sandbox.directory("btrfs");
        String script = "truncate -s 200M " + file + " && mkfs.btrfs -q " + file + " && mount -o loop " + file + " "
                + disk + " && mkdir " + disk + "/v && btrfs subvolume create " + disk + "/v/pvc-a && mkdir " + disk
                + "/v/pvc-b && btrfs quota enable " + disk;
        Assumptions.assumeTrue(
                new ProcessBuilder("sh", "-c", script).start().waitFor() == 0, "left out: no btrfs is mounted here");
        Path volume = disk.resolve("v/pvc-a");
        assertThat(kinds(volume, "/v/pvc-a")).containsExactly(Kind.SIZE_NOT_HELD);
        assertThat(kinds(volume, "/projects/pvc-a")).isEmpty();
        assertThat(kinds(disk.resolve("v/pvc-b"), "/v/pvc-b")).isEmpty();

        BtrfsCalls.limit(volume, 64 << 20);
        assertThat(kinds(volume, "/v/pvc-a")).isEmpty();

        assertThat(new ProcessBuilder("btrfs", "quota", "disable", disk.toString())
                        .start()
                        .waitFor())
                .isZero();
        assertThat(kinds(volume, "/v/pvc-a")).containsExactly(Kind.SIZE_NOT_HELD);
    }

    private static List<Kind> kinds(Path volume, String root) {
        return TroubleQuestion.OF_KERNEL.ask(volume, root).stream()
                .map(MountTrouble::kind)
                .toList();
    }
}
