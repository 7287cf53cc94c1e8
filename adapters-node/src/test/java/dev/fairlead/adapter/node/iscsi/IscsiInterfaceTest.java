package dev.fairlead.adapter.node.iscsi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of sessions by another interface than a volume names, as those of democratic-csi are. */
class IscsiInterfaceTest {
    private static final String IQN = "iqn.2026-11.test.lab:stor";

    @TempDir
    private Path folder;

    @Test
    void a_session_by_another_interface_than_the_volume_names_is_used() throws IOException {
        ScriptedInitiator node = new ScriptedInitiator(folder.toRealPath());
        node.targets.put(IQN, List.of(0));
        Path faces = Files.createDirectories(folder.resolve("var/lib/iscsi/ifaces"));
        Files.writeString(faces.resolve("eth0"), "iface.iscsi_ifacename = eth0\n");
        node.logInByHand(IQN, "10.0.0.1:3260");

        Path device = AttachCalls.device(
                node.attacher(), new Attachment.Iscsi("10.0.0.1", List.of(), "eth0", IQN, 0), Map.of());

        assertThat(device).hasFileName("sda");
        assertThat(node.commands).noneMatch(it -> it.contains("--login"));
    }
}
