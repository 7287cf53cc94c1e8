package dev.fairlead.adapter.node.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.base.BaseMark;
import dev.fairlead.domain.base.VolumeBases;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.linux.MountCalls;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two disks, each with a volume of the same id, of which either may be mounted at the paths of both pools. */
class ExchangedBasesTest {
    private static final Map<String, String> POOLED = Map.of("provisioner_driver", "local-pool");
    private static final String FAST = "v:disks/fast/pvc-1";

    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    @BeforeEach
    void mount_each_disk_at_its_path() throws IOException {
        disk("sda", "a.example,b.example", "disks", "fast");
        disk("sdb", "a.example", "disks", "slow");
        sandbox.directory("pools/fast");
        sandbox.directory("pools/slow");
        mount("sda", "sdb");
    }

    private void disk(String name, String installation, String connection, String pool) throws IOException {
        sandbox.directory(name + "/v/pvc-1");
        mark(
                name,
                "{\"installation\": \"%s\", \"connection\": \"%s\", \"pool\": \"%s\"}"
                        .formatted(installation, connection, pool));
    }

    private Path mark(String disk, String text) throws IOException {
        Path folder = Files.createDirectories(sandbox.path(disk).resolve(BaseMark.FOLDER));
        return Files.writeString(folder.resolve(BaseMark.FILE), text);
    }

    private void mount(String fast, String slow) throws IOException {
        sandbox.mountOver(sandbox.path(fast), sandbox.path("pools/fast"));
        sandbox.mountOver(sandbox.path(slow), sandbox.path("pools/slow"));
    }

    private HostPathAttacher attacher(String root) {
        return new HostPathAttacher(
                MountSandbox.mounter(),
                MountSandbox.threads(),
                () -> List.of(sandbox.path(root)),
                new VolumeBases("b.example,a.example", new HandleCodec.Proxied()));
    }

    private Attachment.HostPath at(String path) {
        return new Attachment.HostPath(sandbox.path(path).toString());
    }

    private Attached attach(String handle, String path, Map<String, String> context) {
        return attach("pools", handle, path, context);
    }

    private Attached attach(String root, String handle, String path, Map<String, String> context) {
        Attach<Attachment.HostPath> request =
                new Attach<>(handle, at(path), TestVolumes.BLOCK, context, Map.of(), Map.of());
        return attacher(root).attach(request, TestWork.patient());
    }

    private void refused(String handle, String path, String... words) {
        Failure told = Failing.failure(() -> attach(handle, path, POOLED));
        assertThat(told).isInstanceOf(Failure.BackendUnavailable.class);
        assertThat(told.code()).isEqualTo("FL-CON-003");
        assertThat(told.message()).contains(words);
    }

    /** Checks that a volume is attached to be bound from the file system that was looked at. */
    private void isAttached(String handle, String path) {
        assertThat(attach(handle, path, POOLED))
                .isInstanceOfSatisfying(
                        Attached.Directory.class,
                        directory -> assertThat(directory.filesystem()).isPresent());
    }

    @Test
    void the_content_of_the_other_disk_is_refused_until_each_is_at_its_path_again() throws IOException {
        isAttached(FAST, "pools/fast/v/pvc-1");
        isAttached("v:disks/slow/pvc-1", "pools/slow/v/pvc-1");
        mount("sdb", "sda");

        refused(FAST, "pools/fast/v/pvc-1", "connection disks ", "pool 'slow'", "pool 'fast'", "UUID");
        refused("v:disks/slow/pvc-1", "pools/slow/v/pvc-1", "pool 'fast' of connection 'disks'");

        mount("sda", "sdb");
        isAttached(FAST, "pools/fast/v/pvc-1");
    }

    @Test
    void a_volume_that_the_other_disk_has_not_is_not_said_to_be_missing() throws IOException {
        Files.delete(sandbox.path("sdb/v/pvc-1/is-pvc-1"));
        Files.delete(sandbox.path("sdb/v/pvc-1"));
        mount("sdb", "sda");

        refused(FAST, "pools/fast/v/pvc-1", "pool 'slow'");
    }

    @Test
    void another_connection_s_base_is_refused_whatever_type_it_has() throws IOException {
        mark("sdb", "{\"installation\": \"a.example\", \"connection\": \"other\"}");
        mount("sdb", "sda");

        refused(FAST, "pools/fast/v/pvc-1", "connection 'other'");
    }

    @Test
    void a_volume_of_another_program_directly_in_a_pool_is_refused_too() throws IOException {
        sandbox.directory("sda/csi");
        sandbox.directory("sdb/csi");
        isAttached("v:disks/fast/csi", "pools/fast/csi");
        mount("sdb", "sda");

        refused("v:disks/fast/csi", "pools/fast/csi", "pool 'slow'");
    }

    @Test
    void a_base_above_the_allowed_folder_is_looked_at_as_well() throws IOException {
        mount("sdb", "sda");

        assertThat(Failing.failure(() -> attach("pools/fast/v", FAST, "pools/fast/v/pvc-1", POOLED)))
                .isInstanceOf(Failure.BackendUnavailable.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"installation\": \"another.example\", \"connection\": \"disks\", \"pool\": \"slow\"}",
                "{\"installation\": \"a.example\", \"connection\": \"disks\"}",
                "{\"installation\": \"a.example\", \"connection\": \"di",
                "version: 7\npool: slow\n",
                ""
            })
    void a_mark_that_is_foreign_or_says_less_or_cannot_be_read_refuses_nothing(String text) throws IOException {
        mark("sdb", text);
        mount("sdb", "sda");

        isAttached(FAST, "pools/fast/v/pvc-1");
    }

    @Test
    void a_mark_that_is_too_long_or_no_text_is_not_read_to_its_end() throws IOException {
        String same = Files.readString(sandbox.path("sdb/.fairlead/owner"));
        mark("sdb", same + " ".repeat(1 << 16));
        mount("sdb", "sda");
        isAttached(FAST, "pools/fast/v/pvc-1");

        Files.write(mark("sdb", ""), "{\"pool\":\"\u00ff\"".getBytes(StandardCharsets.ISO_8859_1));
        isAttached(FAST, "pools/fast/v/pvc-1");
    }

    @Test
    @Timeout(20)
    void a_link_a_folder_or_a_pipe_in_the_place_of_the_mark_is_not_followed_or_waited_for() throws Exception {
        Path owner = mark("sdb", "");
        Files.move(mark("sdb", Files.readString(sandbox.path("sdb/.fairlead/owner"))), sandbox.path("elsewhere"));
        mount("sdb", "sda");
        Files.createSymbolicLink(owner, sandbox.path("elsewhere"));
        isAttached(FAST, "pools/fast/v/pvc-1");

        Files.delete(owner);
        Files.createDirectory(owner);
        isAttached(FAST, "pools/fast/v/pvc-1");

        Files.delete(owner);
        assertThat(new ProcessBuilder("mkfifo", owner.toString()).start().waitFor())
                .isZero();
        isAttached(FAST, "pools/fast/v/pvc-1");
    }

    @Test
    void a_base_without_a_mark_is_refused_to_nobody() throws IOException {
        Files.delete(sandbox.path("sdb/.fairlead/owner"));
        mount("sdb", "sda");
        isAttached(FAST, "pools/fast/v/pvc-1");

        Files.delete(sandbox.path("sdb/.fairlead"));
        isAttached(FAST, "pools/fast/v/pvc-1");
    }

    @Test
    void a_volume_that_was_made_by_hand_is_compared_with_nothing() throws IOException {
        mount("sdb", "sda");
        Attached compared = attach("mine", "pools/fast/v/pvc-1", Map.of());

        assertThat(compared)
                .isInstanceOfSatisfying(
                        Attached.Directory.class,
                        directory -> assertThat(directory.filesystem()).isEmpty());
        attach(FAST, "pools/fast/v/pvc-1", Map.of("provisioner_driver", "node-manual"));
        attach("v:disks/mine", "pools/fast/v/pvc-1", POOLED);
    }

    /** What is staged is unstaged whatever is there. */
    @Test
    void a_mount_shows_its_volume_whatever_the_mark_says() throws IOException {
        Path staged = sandbox.directory("staged");
        sandbox.mountOver(sandbox.path("pools/fast/v/pvc-1"), staged);
        mark("sda", "{\"installation\": \"a.example\", \"connection\": \"other\"}");
        Optional<MountEntry> mount = MountSandbox.mounter().at(staged, TestWork.patient());

        assertThat(attacher("pools").shows(at("pools/fast/v/pvc-1"), mount.orElseThrow(), TestWork.patient()))
                .isTrue();
        MountCalls.unmount(staged);
    }
}
