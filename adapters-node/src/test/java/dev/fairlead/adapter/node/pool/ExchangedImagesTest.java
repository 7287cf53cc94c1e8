package dev.fairlead.adapter.node.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.node.block.BlockTree;
import dev.fairlead.adapter.node.hostpath.HostPathAttacher;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.base.VolumeBases;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.LoopDevices;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two pools of images, whose disks are mounted at each other's paths while their volumes are staged or not. */
class ExchangedImagesTest {
    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    private final LoopDevices loops = LoopDevices.ofThisMachine("disk.img");

    @BeforeEach
    void make_two_disks() throws IOException {
        disk("sda", "fast");
        disk("sdb", "slow");
        sandbox.directory("pools/fast");
        sandbox.directory("pools/slow");
        mount("sda", "sdb");
    }

    @AfterEach
    void let_go_of_the_images() throws IOException {
        loops.detach(sandbox.path("sda/v/pvc-1/disk.img"));
        loops.detach(sandbox.path("sdb/v/pvc-1/disk.img"));
    }

    private void disk(String name, String pool) throws IOException {
        Path image = sandbox.directory(name + "/v/pvc-1").resolve("disk.img");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(1 << 20);
        }
        Files.writeString(
                sandbox.directory(name + "/.fairlead").resolve("owner"),
                "{\"installation\": \"a.example\", \"connection\": \"disks\", \"pool\": \"%s\"}".formatted(pool));
    }

    private void mount(String fast, String slow) throws IOException {
        sandbox.mountOver(sandbox.path(fast), sandbox.path("pools/fast"));
        sandbox.mountOver(sandbox.path(slow), sandbox.path("pools/slow"));
    }

    private LocalPoolAttacher attacher() {
        return new LocalPoolAttacher(
                MountSandbox.mounter(),
                MountSandbox.threads(),
                new HostPathAttacher(
                        MountSandbox.mounter(),
                        MountSandbox.threads(),
                        () -> List.of(sandbox.path("pools")),
                        new VolumeBases("a.example", new HandleCodec.Proxied())),
                loops,
                new BlockTree(Path.of("/sys")));
    }

    private Attachment.LocalPool volume(String pool) {
        return new Attachment.LocalPool(
                sandbox.path("pools/" + pool + "/v/pvc-1/disk.img").toString());
    }

    private Attached.Device attach(String pool) {
        Attach<Attachment.LocalPool> request = new Attach<>(
                "v:disks/" + pool + "/pvc-1",
                volume(pool),
                TestVolumes.BLOCK,
                Map.of("provisioner_driver", "local-pool"),
                Map.of(),
                Map.of());
        return (Attached.Device) attacher().attach(request, TestWork.patient());
    }

    private void detach(String pool, Map<String, String> facts) {
        attacher().detach(volume(pool), facts, TestWork.patient());
    }

    private void isLetGoOf(String disk) throws IOException {
        assertThat(loops.of(sandbox.path(disk + "/v/pvc-1/disk.img"))).isEmpty();
    }

    @Test
    void the_other_disk_s_image_gets_no_device() throws IOException {
        mount("sdb", "sda");

        assertThat(Failing.failure(() -> attach("fast")))
                .isInstanceOf(Failure.BackendUnavailable.class)
                .extracting(Failure::message)
                .asString()
                .contains("pool 'slow'");
        isLetGoOf("sdb");

        mount("sda", "sdb");
        assertThat(attach("fast").path())
                .isEqualTo(loops.of(sandbox.path("sda/v/pvc-1/disk.img")).orElseThrow());
    }

    @Test
    void each_volume_s_own_device_is_let_go_of_after_the_disks_were_exchanged() throws IOException {
        Attached.Device fast = attach("fast");
        Attached.Device slow = attach("slow");
        mount("sdb", "sda");

        detach("fast", fast.facts());

        isLetGoOf("sda");
        assertThat(loops.of(sandbox.path("sdb/v/pvc-1/disk.img"))).contains(slow.path());
        detach("fast", fast.facts());
        assertThat(loops.of(sandbox.path("sdb/v/pvc-1/disk.img"))).contains(slow.path());
        detach("slow", slow.facts());
        isLetGoOf("sdb");
    }

    @Test
    void the_device_of_an_image_that_was_removed_is_let_go_of() throws IOException {
        Attached.Device fast = attach("fast");
        Path kept = Files.createLink(sandbox.path("kept"), sandbox.path("sda/v/pvc-1/disk.img"));
        Files.delete(sandbox.path("sda/v/pvc-1/disk.img"));

        detach("fast", fast.facts());

        assertThat(loops.of(kept)).isEmpty();
    }

    /** A file may get the number of one that was removed. */
    @Test
    void a_device_that_has_another_image_s_name_is_left_to_it() throws IOException {
        Attached.Device slow = attach("slow");

        detach("fast", slow.facts());

        assertThat(loops.of(sandbox.path("sdb/v/pvc-1/disk.img"))).contains(slow.path());
    }

    @Test
    void what_an_earlier_version_attached_is_found_by_its_path() throws IOException {
        Attached.Device fast = attach("fast");

        detach(
                "fast",
                Map.of("image", volume("fast").path(), "device", fast.path().toString()));

        isLetGoOf("sda");
    }

    @Test
    void a_device_that_is_used_stays_though_another_disk_is_at_its_path() throws IOException {
        Attached.Device fast = attach("fast");
        mount("sdb", "sda");

        try (FileCalls calls = new FileCalls()) {
            int held = calls.openAlone(fast.path());
            assertThat(Failing.failure(() -> detach("fast", fast.facts()))).isInstanceOf(Failure.InUse.class);
            calls.closeFile(held);
        }
        assertThat(loops.of(sandbox.path("sda/v/pvc-1/disk.img"))).contains(fast.path());

        Path published = Files.createFile(sandbox.path("published"));
        sandbox.mountOver(fast.path(), published);
        assertThat(Failing.failure(() -> detach("fast", fast.facts())))
                .isInstanceOf(Failure.InUse.class)
                .extracting(Failure::message)
                .asString()
                .contains(published.toString());
        assertThat(loops.of(sandbox.path("sda/v/pvc-1/disk.img"))).contains(fast.path());
    }

    @Test
    void a_mount_of_a_volume_is_its_own_though_another_disk_is_at_its_path() throws IOException {
        Attached.Device fast = attach("fast");
        Path published = Files.createFile(sandbox.path("published"));
        sandbox.mountOver(fast.path(), published);
        mount("sdb", "sda");
        Mounter.MountEntry mount = sandbox.mounts().stream()
                .filter(it -> it.mountPoint().equals(published.toString()))
                .findFirst()
                .orElseThrow();

        assertThat(attacher().shows(volume("fast"), fast.facts(), mount, TestWork.patient()))
                .isTrue();
        assertThat(attacher().shows(volume("fast"), mount, TestWork.patient())).isFalse();
    }

    /** The node was restarted, and the pool's disk has another number since. */
    @Test
    void a_device_is_found_by_its_path_if_no_file_has_the_known_numbers() throws IOException {
        Attached.Device fast = attach("fast");
        Attached.Device slow = attach("slow");
        Map<String, String> former = Map.of("file", "1:1");

        detach("fast", former);

        isLetGoOf("sda");
        mount("sdb", "sda");
        detach("fast", former);
        assertThat(loops.of(sandbox.path("sdb/v/pvc-1/disk.img"))).contains(slow.path());
        assertThat(fast.path()).isNotEqualTo(slow.path());
    }

    /** The kernel keeps 63 bytes of a name. */
    @Test
    void a_device_whose_name_is_cut_is_known_by_the_end_of_its_path() throws IOException {
        String folder = sandbox.directory("x".repeat(70)).toString();
        Path one = Files.createDirectories(Path.of(folder, "v/pvc-1")).resolve("disk.img");
        Path two = Files.createDirectories(Path.of(folder, "v/pvc-2")).resolve("disk.img");
        Files.write(one, new byte[1 << 20]);
        Path device = loops.attach(one, one.toString());
        try {
            assertThat(loops.of(loops.file(one).orElseThrow(), two.toString())).isEmpty();
            assertThat(loops.of(loops.file(one).orElseThrow(), one.toString())).contains(device);
        } finally {
            loops.detach(one);
        }
    }
}
