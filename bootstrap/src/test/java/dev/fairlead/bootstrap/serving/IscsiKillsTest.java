package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.NodeGrpc.NodeBlockingStub;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node plugin that is killed before and after each program that it runs for a LUN of a real target. The environment
 * is that of {@link IscsiOverSocketTest}; {@code FAIRLEAD_KILLS_EVERY} says that not each of the kills is tried.
 */
@Tag("machine")
@EnabledIfEnvironmentVariable(named = "FAIRLEAD_STOR", matches = ".+")
class IscsiKillsTest {
    private static final String AUTH = "node-db.node.session.auth.";

    /** Runs the program of its name, and kills who started it at the count that is asked for. */
    private static final String SHIM = """
            #!/bin/sh
            tick() {
              count=$(($(cat @DIR@/count) + 1))
              echo $count >@DIR@/count
              [ $count != "$(cat @DIR@/limit)" ] || { echo "$0 $*" >>@DIR@/kills; kill -9 $PPID; exit 1; }
            }
            [ "${0##*/}" != mkfs.ext4 ] || echo "$*" >>@DIR@/mkfs
            tick "$@"
            PATH=/usr/sbin:/usr/bin:/sbin:/bin ${0##*/} "$@"
            code=$?
            tick "$@"
            exit $code
            """;

    private final StorageMachine storage = new StorageMachine(
            Optional.ofNullable(System.getenv("FAIRLEAD_STOR")).orElse(""),
            Optional.ofNullable(System.getenv("FAIRLEAD_STOR_KEY")).orElse(""));
    private final int every = Integer.parseInt(
            Optional.ofNullable(System.getenv("FAIRLEAD_KILLS_EVERY")).orElse("1"));

    @TempDir
    Path folder = Path.of("/nonexistent");

    private void shims() throws IOException {
        Files.createDirectories(folder.resolve("connections"));
        Files.writeString(
                folder.resolve("driver.yaml"),
                "driver: proxy\nproxy:\n  configFolder: " + folder + "/connections\n  nodeTopology: {type: node}\n");
        Path programs = Files.createDirectory(folder.resolve("programs"));
        for (String name : List.of("iscsiadm", "blockdev", "wipefs", "mkfs.ext4", "mount", "resize2fs")) {
            Path shim = Files.writeString(programs.resolve(name), SHIM.replace("@DIR@", folder.toString()));
            Files.setPosixFilePermissions(shim, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private KubeletVolume volume() {
        Map<String, String> context =
                Map.of("node_attach_driver", "iscsi", "portal", storage.host(), "iqn", StorageMachine.IQN, "lun", "0");
        return new KubeletVolume("v:nas/pvc-1", folder, false, context, Map.of())
                .withSecret(AUTH + "username", StorageMachine.USER)
                .withSecret(AUTH + "password", StorageMachine.PASSWORD);
    }

    private void kill(int at) throws IOException {
        Files.writeString(folder.resolve("count"), "0");
        Files.writeString(folder.resolve("limit"), Integer.toString(at));
    }

    /** Does a step until it is done, by a further process once the first has been killed. */
    private void step(Consumer<NodeBlockingStub> step) throws IOException, InterruptedException {
        for (int tries = 0; tries < 3; tries++) {
            try (DriverProcess driver = new DriverProcess(folder, folder.resolve("programs"))) {
                step.accept(driver.node());
                return;
            } catch (StatusRuntimeException e) {
                assertThat(e).as(Files.readString(folder.resolve("driver.log"))).hasMessageContaining("UNAVAILABLE");
            }
        }
        throw new AssertionError("not done: " + Files.readString(folder.resolve("driver.log")));
    }

    @Test
    void a_plugin_that_is_killed_at_any_program_leaves_nothing_and_loses_nothing() throws Exception {
        storage.makeTarget();
        shims();
        KubeletVolume volume = volume();
        int killed = 0;
        for (int tried = 0; killed == tried; tried++) {
            storage.blank();
            kill(1 + tried * every);
            step(node -> {
                volume.stage(node);
                volume.publish(node);
            });
            Files.writeString(volume.pod().resolve("file"), "precious");
            step(node -> {
                volume.unpublish(node);
                volume.unstage(node);
            });
            killed = NodeShell.files(folder.resolve("kills")).isEmpty()
                    ? 0
                    : Files.readAllLines(folder.resolve("kills")).size();

            assertThat(NodeShell.mounts(folder)).isEmpty();
            assertThat(NodeShell.sessions(StorageMachine.IQN)).isEmpty();
            assertThat(NodeShell.files(folder.resolve("csi.sock.staged"))).isEmpty();
            kill(0);
            step(node -> {
                volume.stage(node);
                assertThat(volume.staging().resolve("file")).hasContent("precious");
                volume.unstage(node);
            });
        }
        storage.removeTarget();
        System.out.println("kills: " + killed + "\n" + Files.readString(folder.resolve("kills")));
        assertThat(killed).isGreaterThan(20 / every);
    }
}
