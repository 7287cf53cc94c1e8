package dev.fairlead.adapter.node.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.service.node.ForgottenStaging;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What kubelet forgot to unstage, as the kernel's own mount table shows it. */
class ForgottenStagingTest {
    private static final String DRIVER = "csi.example.org";

    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    private Path staged(String driver, String volume, char hash) throws IOException {
        Path source = sandbox.directory("base/v/" + volume);
        Path target = sandbox.directory("kubelet/plugins/kubernetes.io/csi/" + driver + "/"
                + String.valueOf(hash).repeat(64) + "/globalmount");
        return sandbox.mountOver(source, target);
    }

    private void delete(String volume) throws IOException {
        Files.delete(sandbox.path("base/v/" + volume + "/is-" + volume));
        Files.delete(sandbox.path("base/v/" + volume));
    }

    private static boolean isMounted(Path path) {
        return MountSandbox.mounter().at(path, TestWork.patient()).isPresent();
    }

    @Test
    void what_is_staged_of_a_deleted_volume_is_unmounted_and_nothing_else() throws IOException {
        Path forgotten = staged(DRIVER, "gone", 'a');
        Path whole = staged(DRIVER, "whole", 'b');
        Path foreign = staged("other.example.org", "foreign", 'c');
        Path used = staged(DRIVER, "used", 'd');
        Path pod = sandbox.mountOver(sandbox.path("base/v/used"), sandbox.directory("kubelet/pods/p/mount"));
        delete("gone");
        delete("foreign");
        delete("used");
        var sweep = new ForgottenStaging(MountSandbox.mounter(), Set.of(DRIVER));

        assertThat(sweep.unmount(TestWork.patient())).containsExactly(forgotten.toString());

        assertThat(isMounted(forgotten)).isFalse();
        assertThat(isMounted(whole)).isTrue();
        assertThat(isMounted(foreign)).isTrue();
        assertThat(isMounted(used)).isTrue();
        assertThat(isMounted(pod)).isTrue();
        assertThat(sweep.unmount(TestWork.patient())).isEmpty();
    }

    @Test
    void once_the_last_pod_has_gone_it_is_nobodys() throws IOException {
        Path staging = staged(DRIVER, "used", 'd');
        Path pod = sandbox.mountOver(sandbox.path("base/v/used"), sandbox.directory("kubelet/pods/p/mount"));
        delete("used");
        var sweep = new ForgottenStaging(MountSandbox.mounter(), Set.of(DRIVER));
        assertThat(sweep.unmount(TestWork.patient())).isEmpty();

        MountSandbox.mounter().unmount(pod, TestWork.patient());

        assertThat(sweep.unmount(TestWork.patient())).containsExactly(staging.toString());
    }
}
