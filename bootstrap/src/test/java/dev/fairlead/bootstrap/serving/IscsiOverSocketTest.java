package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import csi.v1.NodeGrpc.NodeBlockingStub;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node plugin that is asked over its socket for a LUN of a real target; {@code FAIRLEAD_STOR} names the machine with
 * LIO on which the test makes it, and {@code FAIRLEAD_STOR_KEY} the file of a key that lets in there as root.
 */
@Tag("machine")
@EnabledIfEnvironmentVariable(named = "FAIRLEAD_STOR", matches = ".+")
class IscsiOverSocketTest {
    private static final String AUTH = "node-db.node.session.auth.";
    private static final long MIB = 1 << 20;
    private static final List<Path> RECORDS = List.of(Path.of("/etc/iscsi/nodes"), Path.of("/var/lib/iscsi/nodes"));

    private final StorageMachine storage = new StorageMachine(
            Optional.ofNullable(System.getenv("FAIRLEAD_STOR")).orElse(""),
            Optional.ofNullable(System.getenv("FAIRLEAD_STOR_KEY")).orElse(""));

    @TempDir
    Path folder = Path.of("/nonexistent");

    @BeforeEach
    void make_the_target() throws Exception {
        storage.makeTarget();
    }

    @AfterEach
    void nothing_is_left() throws Exception {
        List<String> left = left();
        for (Path place :
                List.of(folder.resolve("pod"), folder.resolve("staging/block_device"), folder.resolve("staging"))) {
            var _ = NodeShell.run("umount", "-l", place.toString());
        }
        var _ = NodeShell.run("iscsiadm", "-m", "node", "-T", StorageMachine.IQN, "--logout");
        var _ = NodeShell.run("iscsiadm", "-m", "node", "-T", StorageMachine.IQN, "-o", "delete");
        storage.removeTarget();
        assertThat(left).isEmpty();
    }

    /** Returns mounts, sessions, records and journal entries. */
    private List<String> left() throws IOException {
        return Stream.of(
                        NodeShell.mounts(folder).stream(),
                        NodeShell.sessions(StorageMachine.IQN).stream(),
                        RECORDS.stream().flatMap(place -> NodeShell.files(place.resolve(StorageMachine.IQN)).stream()),
                        NodeShell.files(folder.resolve("csi.sock.staged")).stream())
                .flatMap(it -> it)
                .toList();
    }

    private KubeletVolume volume(boolean block) {
        return new KubeletVolume(
                        "v:nas/pvc-1",
                        folder,
                        block,
                        Map.of(
                                "node_attach_driver",
                                "iscsi",
                                "provisioner_driver",
                                "zfs-generic-iscsi",
                                "portal",
                                storage.host() + ":3260",
                                "portals",
                                "",
                                "interface",
                                "",
                                "iqn",
                                StorageMachine.IQN,
                                "lun",
                                "0",
                                "storage.kubernetes.io/csiProvisionerIdentity",
                                "x"),
                        Map.of())
                .withSecret(AUTH + "authmethod", "CHAP")
                .withSecret("democratic-csi.org/" + AUTH + "username", StorageMachine.USER)
                .withSecret("democratic-csi.org/zfs-generic-iscsi/" + AUTH + "password", StorageMachine.PASSWORD)
                .withSecret(AUTH + "username_in", StorageMachine.TARGET_USER)
                .withSecret(AUTH + "password_in", StorageMachine.TARGET_PASSWORD)
                .withSecret("node-db.node.session.timeo.replacement_timeout", "8");
    }

    /** Does something with a plugin of its own. */
    @FunctionalInterface
    private interface Step {
        void by(NodeBlockingStub node) throws Exception;
    }

    private void step(Step step) throws Exception {
        try (RunningDriver driver = RunningDriver.proxy(folder).start("node")) {
            step.by(driver.node());
        }
    }

    private static Path content(KubeletVolume volume) {
        return volume.block() ? volume.pod() : volume.pod().resolve("file");
    }

    private static void write(KubeletVolume volume, String text) {
        try (FileChannel file =
                FileChannel.open(content(volume), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            var _ = file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 4096);
            file.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(KubeletVolume volume, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        try (FileChannel file = FileChannel.open(content(volume), StandardOpenOption.READ)) {
            var _ = file.read(bytes, 4096);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new String(bytes.array(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_volume_lives_though_the_plugin_is_restarted_between_all_of_its_steps(boolean block) throws Exception {
        KubeletVolume volume = volume(block).with("portals", "10.255.255.1:3260");
        step(volume::stage);
        step(volume::stage);
        step(volume::publish);
        step(volume::publish);
        write(volume, "precious");
        storage.grow(128);

        step(node -> assertThat(volume.expand(node, 128 * MIB)).isEqualTo(128 * MIB));

        step(node -> assertThat(volume.totalBytes(node)).isCloseTo(128 * MIB, within(28 * MIB)));
        assertThat(NodeShell.sessions(StorageMachine.IQN)).hasSize(1);
        step(volume::unpublish);
        step(volume::unpublish);
        step(volume::unstage);
        step(volume::unstage);
        assertThat(left()).isEmpty();
        step(node -> {
            volume.stage(node);
            volume.publish(node);
            assertThat(read(volume, 8)).isEqualTo("precious");
            volume.unpublish(node);
            volume.unstage(node);
        });
        assertThat(volume.staging()).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "username, nobody, FL-CON-004",
        "password, wrong-word-12, FL-CON-004",
        "password_in, wrong-word-12, FL-CON-004",
        "username, '', FL-REQ-001"
    })
    void who_is_not_let_in_is_told_and_nothing_is_left(String key, String value, String code) throws Exception {
        KubeletVolume volume = volume(false).withSecret("democratic-csi.org/zfs-generic-iscsi/" + AUTH + key, value);

        step(node -> assertThatThrownBy(() -> volume.stage(node))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining(code)
                .hasMessageNotContaining("-word-12"));

        assertThat(left()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "portal, -x, FL-REQ-001",
        "portals, 'stor:3260,-o', FL-REQ-001",
        "iqn, -T, FL-REQ-001",
        "lun, -1, FL-REQ-001",
        "lun, 9, FL-CON-004",
        "iqn, iqn.2026-11.test.lab:absent, FL-CON-003",
        "portal, 10.255.255.1:3260, FL-CON-003"
    })
    void what_cannot_be_attached_is_refused_and_nothing_is_left(String key, String value, String code)
            throws Exception {
        step(node -> assertThatThrownBy(() -> volume(false).with(key, value).stage(node))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining(code));

        step(volume(false)::unstage);
        assertThat(left()).isEmpty();
    }

    @Test
    void a_disk_with_partitions_is_neither_formatted_nor_kept() throws Exception {
        storage.partition();

        step(node -> assertThatThrownBy(() -> volume(false).stage(node)).hasMessageContaining("FL-NODE-008"));

        assertThat(left()).isEmpty();
        assertThat(storage.run("wipefs --no-act --noheadings --output TYPE $loop"))
                .contains("dos");
    }

    @Test
    void what_democratic_csi_staged_is_taken_over_and_given_back() throws Exception {
        KubeletVolume volume = volume(false);
        step(node -> {
            volume.stage(node);
            volume.publish(node);
            write(volume, "precious");
            volume.unpublish(node);
            volume.unstage(node);
        });
        String portal = storage.host() + ":3260";
        NodeShell.must("iscsiadm", "-m", "node", "-T", StorageMachine.IQN, "-p", portal, "-o", "new");
        for (Map.Entry<String, String> setting : Map.of(
                        "node.startup",
                        "manual",
                        "node.session.auth.authmethod",
                        "CHAP",
                        "node.session.auth.username",
                        StorageMachine.USER,
                        "node.session.auth.password",
                        StorageMachine.PASSWORD)
                .entrySet()) {
            NodeShell.must(
                    "iscsiadm",
                    "-m",
                    "node",
                    "-T",
                    StorageMachine.IQN,
                    "-p",
                    portal,
                    "-o",
                    "update",
                    "--name",
                    setting.getKey(),
                    "--value",
                    setting.getValue());
        }
        NodeShell.must("iscsiadm", "-m", "node", "-T", StorageMachine.IQN, "-p", portal, "-l");
        Path device = NodeShell.disk(StorageMachine.IQN);
        Files.createDirectories(volume.staging());
        NodeShell.must(
                "mount", "-t", "ext4", device.toString(), volume.staging().toString());

        step(volume::publish);
        assertThat(read(volume, 8)).isEqualTo("precious");
        step(volume::unpublish);
        step(volume::unstage);

        assertThat(left()).isEmpty();
    }
}
