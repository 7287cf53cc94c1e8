package dev.fairlead.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoMountsTest {
    @Test
    void only_what_is_mounted_below_the_folder_is_taken_down() {
        List<String> table = List.of(
                "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw",
                "40 22 8:1 /v/a /tmp/demo.1/kubelet/pod rw - ext4 /dev/sda1 rw",
                "41 22 8:1 /v/b /tmp/demo.12/kubelet/pod rw - ext4 /dev/sda1 rw",
                "42 22 8:1 / /tmp/demo.1 rw - ext4 /dev/sda1 rw",
                "43 22 8:1 /v/c /tmp/demo.1/with\\040blank rw - ext4 /dev/sda1 rw",
                "");

        List<Path> below = DemoMounts.below(Path.of("/tmp/demo.1"), table);

        assertThat(below).containsExactly(Path.of("/tmp/demo.1/kubelet/pod"), Path.of("/tmp/demo.1/with blank"));
    }
}
