package dev.fairlead.adapter.node.iscsi;

import static dev.fairlead.testkit.Failing.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.node.mount.BoundedDisk;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of a node record on a disk of the node that takes nothing. */
class NodeRecordsTest {
    private static final String IQN = "iqn.2026-11.test.lab:stor";
    private static final String PASSWORD = "once-upon-a-time";

    @RegisterExtension
    private final MountSandbox sandbox = new MountSandbox();

    private static void attach(ScriptedInitiator node) {
        var _ = AttachCalls.device(
                node.attacher(),
                new Attachment.Iscsi("10.0.0.1:3260", List.of(), "", IQN, 0),
                ScriptedInitiator.chap(PASSWORD));
    }

    @Test
    void a_full_disk_is_told_keeps_the_record_and_takes_the_values_once_it_has_room() throws Exception {
        ScriptedInitiator node = new ScriptedInitiator(sandbox.directory("node"));
        BoundedDisk disk = BoundedDisk.in(sandbox);
        Files.createDirectories(node.root().resolve("var/lib"));
        Files.createSymbolicLink(node.root().resolve("var/lib/iscsi"), disk.folder());
        node.targets.put(IQN, List.of(0));
        Path record = disk.folder().resolve("nodes").resolve(IQN).resolve("10.0.0.1,3260");
        Files.createDirectories(record.getParent());
        Files.writeString(record, "node.startup = manual\nnode.session.scan = manual\n# END RECORD\n");
        Path filling = disk.fill();

        Failure failure = failure(() -> attach(node));

        assertThat(failure).isInstanceOf(Failure.NodeDiskUnusable.class);
        assertThat(failure.message())
                .contains("10.0.0.1,3260", "nodes/" + IQN, "make room")
                .doesNotContain(PASSWORD);
        assertThat(record).content().doesNotContain(PASSWORD);
        Files.delete(filling);
        attach(node);
        assertThat(record).content().contains(PASSWORD);
    }
}
