package dev.fairlead.adapter.node.nfs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.mount.KernelNode;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.adapter.node.share.ShareAttacher;
import dev.fairlead.adapter.node.share.ShareServerContract;
import dev.fairlead.application.config.Secret;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code FAIRLEAD_NFS} names an exported folder that can be written, such as {@code stor:/srv/nfs}. */
@Tag("machine")
@EnabledIfEnvironmentVariable(named = "FAIRLEAD_NFS", matches = ".+:/.+")
class NfsServerTest implements ShareServerContract {
    private final String export =
            Optional.ofNullable(System.getenv("FAIRLEAD_NFS")).orElse("none:/none");

    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    private final KernelNode kernel = KernelNode.of(Duration.ofSeconds(30));

    static List<String> versions() {
        return List.of("nfsvers=4.2", "nfsvers=4.0", "nfsvers=3,nolock");
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
        return new ShareAttacher<>(kernel.mounter(), new NfsProtocol());
    }

    @Override
    public Map<String, String> context(String below) {
        int colon = export.indexOf(":/");
        return Map.of(
                "node_attach_driver",
                "nfs",
                "server",
                export.substring(0, colon),
                "share",
                export.substring(colon + 1) + below,
                "storage.kubernetes.io/csiProvisionerIdentity",
                "x");
    }

    @Override
    public Map<String, Secret> login() {
        return Map.of();
    }

    @Override
    public VolumeCapability capability(String... flags) {
        return new VolumeCapability(
                new VolumeCapability.Mount("nfs", List.of(flags)), AccessMode.SINGLE_NODE_SINGLE_WRITER);
    }

    @Test
    void a_volume_of_one_pod_is_published_once() {
        Path staging = sandbox.path("staging");
        stage(staging, "/pvc-1", login());
        publish(staging, "/pvc-1", sandbox.path("pod-1"), false);

        assertThatThrownBy(() -> publish(staging, "/pvc-1", sandbox.path("pod-2"), false))
                .extracting("failure")
                .isInstanceOf(Failure.MountedElsewhere.class);
    }
}
