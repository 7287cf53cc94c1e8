package dev.fairlead.adapter.node.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.kernel.MountTable;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KubeletStagingTest {
    private static final String STAGING = "/var/lib/kubelet/plugins/kubernetes.io/csi/";
    private static final String TABLE = """
            1 0 8:1 / / rw - ext4 /dev/sda1 rw
            2 1 8:1 /srv/v/pvc-1 @csi.example.org/0a1b/globalmount rw - ext4 /dev/sda1 rw
            3 1 8:1 /srv/v/pvc-1 /var/lib/kubelet/pods/u/volumes/kubernetes.io~csi/pvc-1/mount rw - ext4 /dev/sda1 rw
            4 1 8:1 /srv/v/pvc-2 @csi.example.org.other/0a1b/globalmount rw - ext4 /dev/sda1 rw
            5 1 8:1 /srv/v/pvc-3 @second.example.org/0a1c/globalmount rw - ext4 /dev/sda1 rw
            6 1 8:1 /srv/v/pvc-4 /other/plugins/kubernetes.io/csi/csi.example.org/0a/globalmount rw - ext4 /dev/sda1 rw
            """.replace("@", STAGING);

    @Test
    void a_volume_is_held_while_it_is_staged_for_one_of_the_drivers() {
        var staging = new KubeletStaging(Path.of("/var/lib/kubelet"), () -> MountTable.parse(TABLE));

        assertThat(staging.of(Set.of("csi.example.org", "second.example.org")))
                .containsExactly("/srv/v/pvc-1", "/srv/v/pvc-3");
        assertThat(staging.of(Set.of("csi.example"))).isEmpty();
    }

    @Test
    void the_mounts_of_this_process_can_be_read() {
        assertThat(new KubeletStaging(Path.of("/nowhere")).of(Set.of("csi.example.org")))
                .isEmpty();
    }

    @Test
    void a_table_that_cannot_be_read_is_not_an_empty_one() {
        var staging = new KubeletStaging(Path.of("/"), () -> {
            throw new IOException("no /proc");
        });

        assertThatThrownBy(() -> staging.of(Set.of("a")))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("no /proc");
    }
}
