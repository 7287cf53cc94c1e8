package dev.fairlead.adapter.local.pool.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.linux.FileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlaceInVolumeTest {
    @TempDir
    Path folder = Path.of("/nowhere");

    private Path pool = Path.of("/nowhere");

    @BeforeEach
    void layOut() throws IOException {
        pool = folder.resolve("pool");
        Files.createDirectories(pool.resolve("v/pvc-1/data"));
        Files.createDirectories(pool.resolve("beside"));
        Files.createDirectories(pool.resolve(".fairlead"));
        Files.createFile(pool.resolve(".fairlead/owner"));
    }

    private PlaceInVolume places() {
        return new PlaceInVolume(folder.resolve("devices"));
    }

    private String told(Path place) throws IOException {
        return places().of(place).orElse("");
    }

    @Test
    void a_folder_in_what_a_pool_keeps_is_told_with_that_pool_also_by_a_link_and_before_it_is_made()
            throws IOException {
        assertThat(told(pool.resolve("v/pvc-1/data"))).contains("a pool or base folder at " + pool);
        assertThat(told(pool.resolve("v/pvc-1/data/new/pool"))).contains("at " + pool);
        assertThat(told(pool.resolve("v"))).contains("at " + pool);
        assertThat(told(pool.resolve("s/snapshot"))).contains("at " + pool);
        assertThat(told(pool.resolve(".fairlead/trash"))).contains("at " + pool);
        Path link = Files.createSymbolicLink(folder.resolve("link"), pool.resolve("v/pvc-1"));
        assertThat(told(link)).contains("at " + pool);
    }

    @Test
    void a_pool_itself_and_what_is_beside_its_volumes_is_in_none() throws IOException {
        assertThat(told(pool)).isEmpty();
        assertThat(told(pool.resolve("beside"))).isEmpty();
        assertThat(told(pool.resolve("pvc-1"))).isEmpty();
        assertThat(told(folder.resolve("new"))).isEmpty();
    }

    @Test
    void a_folder_called_v_of_what_is_no_pool_is_no_volume() throws IOException {
        assertThat(told(Files.createDirectories(folder.resolve("other/v/data"))))
                .isEmpty();
    }

    @Test
    void volumes_of_another_program_in_a_pool_that_serves_them_are_volumes_too() throws IOException {
        Files.createDirectories(pool.resolve(".fairlead/hostpath/volumes"));
        assertThat(told(pool.resolve("pvc-1a2b3c4d-0000-4000-8000-000000000000/data")))
                .contains("at " + pool);
    }

    @Test
    void what_kubernetes_has_mounted_is_a_volume_whatever_is_in_it() throws IOException {
        Path pods = folder.resolve("kubelet/pods/1/volumes/kubernetes.io~csi/pvc-1/mount/data");
        Path staged = folder.resolve("kubelet/plugins/kubernetes.io/csi/fairlead/1/globalmount");
        Path other = folder.resolve("kubelet/pods/1/volumes/kubernetes.io~local-volume/data");
        Path part = folder.resolve("kubelet/pods/1/volume-subpaths/pvc-1/main/0");
        Path neither = folder.resolve("kubelet/plugins/kubernetes.io/other");

        assertThat(told(Files.createDirectories(pods))).contains("Kubernetes has mounted");
        assertThat(told(Files.createDirectories(staged))).contains("Kubernetes has mounted");
        assertThat(told(Files.createDirectories(other))).contains("Kubernetes has mounted");
        assertThat(told(Files.createDirectories(part))).contains("Kubernetes has mounted");
        assertThat(told(Files.createDirectories(neither))).isEmpty();
    }

    @Test
    void a_folder_on_an_image_of_a_volume_is_in_it_wherever_that_is_mounted() throws IOException {
        backed("/elsewhere/pool/v/pvc-1/disk.img");
        assertThat(told(pool.resolve("beside"))).contains("/elsewhere/pool/v/pvc-1/disk.img");
        backed("/elsewhere/pool/s/snapshot/disk.img (deleted)");
        assertThat(told(pool.resolve("beside"))).contains("/s/snapshot/disk.img of a volume");
        backed("/elsewhere/disks/disk.img");
        assertThat(told(pool.resolve("beside"))).isEmpty();
    }

    /** Lets the device that the folder is on be a loop device of a file. */
    private void backed(String file) throws IOException {
        try (FileCalls calls = new FileCalls()) {
            Path device = folder.resolve("devices").resolve(calls.stat(folder).filesystemDevice());
            Files.writeString(Files.createDirectories(device.resolve("loop")).resolve("backing_file"), file + "\n");
        }
    }
}
