package dev.fairlead.adapter.node.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeletHandlesTest {
    /** The SHA-256 of {@code fast/pvc-a}, as sha256sum has it. */
    private static final String HASH = "ac590bd79add8f172dc53ed21c8fecc7b744e7554607bff547d0e5f9f697b84e";

    @TempDir
    Path kubelet;

    private Path staging(String folder, String note) throws IOException {
        Path own = Files.createDirectories(kubelet.resolve(folder));
        Files.writeString(own.resolve("vol_data.json"), note);
        return own.resolve("globalmount");
    }

    @Test
    void the_handle_is_what_kubelet_has_noted() throws IOException {
        Path staging = staging(HASH, "{\"driverName\":\"disks.example\",\"volumeHandle\":\"fast/pvc-a\"}");
        assertThat(new KubeletHandles().at(staging)).contains("fast/pvc-a");
    }

    @Test
    void a_note_of_another_volume_and_none_at_all_tell_nothing() throws IOException {
        assertThat(new KubeletHandles().at(staging("a".repeat(64), "{\"volumeHandle\":\"fast/pvc-a\"}")))
                .isEmpty();
        assertThat(new KubeletHandles().at(staging(HASH, "{\"volumeHandle\":\"fast/pvc-b\"}")))
                .isEmpty();
        assertThat(new KubeletHandles().at(staging(HASH, "x".repeat(100_000) + "\"volumeHandle\":\"fast/pvc-a\"")))
                .isEmpty();
        assertThat(new KubeletHandles().at(kubelet.resolve("gone/globalmount"))).isEmpty();
    }

    private Path staged() throws IOException {
        return staging("plugins/kubernetes.io/csi/disks.example/" + HASH, "{\"volumeHandle\":\"fast/pvc-a\"}");
    }

    @Test
    void a_volume_that_is_staged_anew_has_another_note() throws IOException {
        Path staging = staged();
        Path note = staging.resolveSibling("vol_data.json");
        Optional<String> before = new KubeletHandles().note(staging);
        assertThat(before).isPresent().isEqualTo(new KubeletHandles().note(staging));

        Files.setLastModifiedTime(note, FileTime.fromMillis(1));
        assertThat(new KubeletHandles().note(staging)).isPresent().isNotEqualTo(before);
        Files.writeString(note, "{}");
        assertThat(new KubeletHandles().note(staging)).isEmpty();
        Files.delete(note);
        assertThat(new KubeletHandles().note(staging)).isEmpty();
    }

    @Test
    void a_pod_has_a_volume_if_a_note_in_its_folder_names_it() throws IOException {
        Path staging = staged();
        assertThat(new KubeletHandles().ofPods(Set.of(staging))).isEmpty();
        Files.createDirectories(kubelet.resolve("pods/without/volumes/kubernetes.io~csi/empty"));
        Files.createDirectories(kubelet.resolve("pods/none"));
        Files.writeString(kubelet.resolve("pods/file"), "");
        Path other = staging("pods/a/volumes/kubernetes.io~csi/pvc-a", "{\"volumeHandle\":\"fast/pvc-b\"}");
        assertThat(new KubeletHandles().ofPods(Set.of(staging))).isEmpty();

        Files.writeString(other.resolveSibling("vol_data.json"), "{\"volumeHandle\":\"fast/pvc-a\"}");

        assertThat(new KubeletHandles().ofPods(Set.of(staging, Path.of("/globalmount"))))
                .containsExactly(staging);
        Files.delete(staging.resolveSibling("vol_data.json"));
        assertThat(new KubeletHandles().ofPods(Set.of(staging))).isEmpty();
    }
}
