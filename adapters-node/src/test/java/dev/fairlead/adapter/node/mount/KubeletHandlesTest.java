package dev.fairlead.adapter.node.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
