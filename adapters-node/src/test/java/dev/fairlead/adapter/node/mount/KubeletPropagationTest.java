package dev.fairlead.adapter.node.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mount tables of containers and nodes, in folders that look like those of processes. */
class KubeletPropagationTest {
    @TempDir
    private Path folder = Path.of("/nonexistent");

    private Path kubelet = Path.of("/nonexistent");

    @BeforeEach
    void aContainerThatIsShownTheNode() throws IOException {
        folder = folder.toRealPath();
        kubelet = Files.createDirectories(folder.resolve("kubelet"));
        process("host/1", "mnt:[1]");
        process("proc/1", "mnt:[2]");
        process("proc/50", "mnt:[2]");
        Files.createSymbolicLink(folder.resolve("proc/self"), Path.of("50"));
    }

    private void process(String name, String mounts) throws IOException {
        Path spaces = Files.createDirectories(folder.resolve(name).resolve("ns"));
        Files.createSymbolicLink(spaces.resolve("mnt"), Path.of(mounts));
    }

    private void mounts(String... lines) throws IOException {
        Files.writeString(folder.resolve("proc/50/mountinfo"), String.join("\n", lines) + "\n");
    }

    private static String mount(int id, Path point, String optional) {
        return id + " 0 8:" + id + " / " + point + " rw,noatime" + optional + " - ext4 /dev/sda" + id + " rw";
    }

    private void check() {
        new KubeletPropagation(kubelet, folder.resolve("proc"), folder.resolve("host")).check();
    }

    private void isRefusedFor(Path mountPoint) {
        assertThatThrownBy(this::check)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure())
                                .isEqualTo(new Failure.NotPropagated(kubelet.toString(), mountPoint.toString())));
    }

    @ParameterizedTest
    @ValueSource(strings = {" shared:7", " shared:7 master:1", " master:1 shared:7"})
    void a_folder_that_is_shared_is_fine(String optional) throws IOException {
        mounts(mount(1, Path.of("/"), ""), mount(2, kubelet, optional));

        assertThatCode(this::check).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " master:1", " unbindable", " master:1 propagate_from:2"})
    void a_folder_that_passes_nothing_on_is_refused(String optional) throws IOException {
        mounts(mount(1, Path.of("/"), " shared:1"), mount(2, kubelet, optional));

        isRefusedFor(kubelet);
    }

    @Test
    void a_folder_that_is_no_mount_lies_in_that_of_the_container() throws IOException {
        mounts(mount(1, Path.of("/"), " master:3"));

        isRefusedFor(Path.of("/"));
    }

    @Test
    void the_mount_on_top_counts() throws IOException {
        mounts(mount(1, kubelet, " shared:1"), mount(11, kubelet, ""));

        isRefusedFor(kubelet);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pods", "plugins", "plugins/kubernetes.io/csi"})
    void a_disk_of_its_own_below_it_has_to_be_shared_as_well(String place) throws IOException {
        mounts(mount(1, kubelet, " shared:1"), mount(2, kubelet.resolve(place), " master:4"));

        isRefusedFor(kubelet.resolve(place));
    }

    @Test
    void a_volume_of_a_pod_need_not_be_shared() throws IOException {
        mounts(mount(1, kubelet, " shared:1"), mount(2, kubelet.resolve("pods/u/volumes/x/mount"), ""));

        assertThatCode(this::check).doesNotThrowAnyException();
    }

    @Test
    void mounts_of_the_node_itself_are_fine_however_they_are() throws IOException {
        mounts(mount(1, Path.of("/"), ""));
        Files.delete(folder.resolve("host/1/ns/mnt"));
        Files.createSymbolicLink(folder.resolve("host/1/ns/mnt"), Path.of("mnt:[2]"));

        assertThatCode(this::check).doesNotThrowAnyException();
    }

    @Test
    void a_first_process_that_is_seen_stands_for_the_node_unless_it_is_this_one() throws IOException {
        mounts(mount(1, Path.of("/"), ""));
        Files.delete(folder.resolve("host/1/ns/mnt"));
        Files.delete(folder.resolve("host/1/ns"));
        Files.delete(folder.resolve("host/1"));
        assertThatCode(this::check).doesNotThrowAnyException();

        Files.delete(folder.resolve("proc/self"));
        Files.createSymbolicLink(folder.resolve("proc/self"), Path.of("1"));
        Files.copy(folder.resolve("proc/50/mountinfo"), folder.resolve("proc/1/mountinfo"));

        isRefusedFor(Path.of("/"));
    }

    @Test
    void without_a_folder_of_kubelet_there_is_nothing_to_look_at() throws IOException {
        mounts(mount(1, Path.of("/"), ""));
        Files.delete(kubelet);

        assertThatCode(this::check).doesNotThrowAnyException();
    }
}
