package dev.fairlead.adapter.node.smb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.mount.KernelNode;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.adapter.node.share.ShareAttacher;
import dev.fairlead.adapter.node.share.ShareServerContract;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * {@code FAIRLEAD_SMB} names a share that can be written, such as {@code //stor/srv}, and {@code FAIRLEAD_SMB_PASSWORD}
 * the password of its user {@code keeper}.
 */
@Tag("machine")
@EnabledIfEnvironmentVariable(named = "FAIRLEAD_SMB", matches = "//.+/.+")
class SmbServerTest implements ShareServerContract {
    private final List<String> share = List.of(Optional.ofNullable(System.getenv("FAIRLEAD_SMB"))
            .orElse("//none/none")
            .split("/", -1));
    private final String password =
            Optional.ofNullable(System.getenv("FAIRLEAD_SMB_PASSWORD")).orElse("");

    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    private final KernelNode kernel = KernelNode.of(Duration.ofSeconds(30));

    static List<String> versions() {
        return List.of("vers=default", "vers=2.1", "vers=3.0,seal", "vers=3.1.1,uid=1000,gid=1001");
    }

    @Override
    public MountSandbox sandbox() {
        return sandbox;
    }

    @Override
    public KernelNode kernel() {
        return kernel;
    }

    @Override
    public ShareAttacher<?> attacher() {
        return new ShareAttacher<>(kernel.mounter(), new SmbProtocol());
    }

    @Override
    public Map<String, String> context(String below) {
        return Map.of("node_attach_driver", "smb", "server", share.get(2), "share", share.get(3) + below);
    }

    @Override
    public Map<String, Secret> login() {
        return Map.of("username", new Secret("keeper"), "password", new Secret(password));
    }

    @Override
    public VolumeCapability capability(String... flags) {
        return new VolumeCapability(
                new VolumeCapability.Mount("cifs", List.of(flags)), AccessMode.MULTI_NODE_MULTI_WRITER);
    }

    @Test
    void a_mount_shows_who_logged_in_and_not_the_password() throws IOException {
        stage(sandbox.path("staging"), "/pvc-1", login());

        MountEntry mount = sandbox.mounts().getFirst();
        assertThat(mount.superOptions()).contains("username=keeper");
        assertThat(mount.toString()).doesNotContain(password);
    }

    @Test
    void a_guest_needs_no_secret() throws IOException {
        stage(sandbox.path("staging"), "/pvc-1", Map.of());

        assertThat(sandbox.mounts()).hasSize(1);
    }

    @Test
    void democratic_csi_s_secret_logs_in_as_well() throws IOException {
        stage(
                sandbox.path("staging"),
                "/pvc-1",
                Map.of(
                        "democratic-csi.org/mount_flags",
                        new Secret("username=keeper,password=" + password + ",vers=3.0")));

        assertThat(sandbox.mounts().getFirst().superOptions()).contains("username=keeper", "vers=3.0");
    }

    @Test
    void a_wrong_password_is_refused_in_the_server_s_words() throws IOException {
        Map<String, Secret> wrong = Map.of("username", new Secret("keeper"), "password", new Secret("hunter2"));

        assertThatThrownBy(() -> stage(sandbox.path("staging"), "", wrong, "vers=3.1.1"))
                .hasMessageContaining("Permission denied")
                .hasMessageNotContaining("hunter2")
                .extracting("failure")
                .isInstanceOf(Failure.MountFailed.class);
        assertThat(sandbox.mounts()).isEmpty();
    }
}
