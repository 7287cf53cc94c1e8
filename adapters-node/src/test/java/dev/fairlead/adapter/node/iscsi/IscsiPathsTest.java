package dev.fairlead.adapter.node.iscsi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.health.VolumePath;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What sysfs says of the ways to a LUN, when sessions fail, disks go and maps lose paths. */
class IscsiPathsTest {
    private static final String IQN = "iqn.2026-11.test.lab:stor";
    private static final Attachment.Iscsi BOTH =
            new Attachment.Iscsi("10.0.0.1:3260", List.of("10.0.0.2:3260"), "", IQN, 0);

    @TempDir
    private Path folder;

    @AutoClose
    private ScriptedInitiator node;

    @BeforeEach
    void attachedByBothPortals() throws IOException {
        node = new ScriptedInitiator(folder.toRealPath());
        node.multipathd = true;
        node.targets.put(IQN, List.of(0));
        var _ = AttachCalls.device(node.attacher(), BOTH, Map.of());
    }

    private Path disk(String block) throws IOException {
        return node.root()
                .resolve("sys/class/block")
                .resolve(block)
                .toRealPath()
                .resolve("../..")
                .normalize();
    }

    private void state(String block, String state) throws IOException {
        Files.writeString(disk(block).resolve("state"), state + "\n");
    }

    /** Returns the session of a portal, as the class of sessions has it. */
    private Path session(String address) throws IOException {
        try (Stream<Path> all = Files.list(node.root().resolve("sys/class/iscsi_session"))) {
            for (Path entry : all.toList()) {
                try (Stream<Path> below = Files.walk(entry.resolve("device").toRealPath())) {
                    for (Path file : below.filter(it -> it.endsWith("persistent_address"))
                            .toList()) {
                        if (Files.readString(file).equals(address)) {
                            return entry;
                        }
                    }
                }
            }
        }
        throw new AssertionError("no session at " + address);
    }

    private List<VolumePath> paths() {
        return node.attacher().paths(BOTH, TestWork.patient());
    }

    private List<String> lost() {
        return paths().stream()
                .filter(it -> !it.usable())
                .map(VolumePath::toString)
                .toList();
    }

    @Test
    void each_session_with_its_disk_is_a_way() {
        assertThat(paths())
                .extracting(VolumePath::name)
                .containsExactlyInAnyOrder("portal 10.0.0.1:3260", "portal 10.0.0.2:3260");
        assertThat(lost()).isEmpty();
    }

    @Test
    void a_session_that_is_not_logged_in_is_a_lost_way() throws IOException {
        Files.writeString(session("10.0.0.2").resolve("state"), "FAILED\n");

        assertThat(lost()).containsExactly("portal 10.0.0.2:3260 (session FAILED)");
    }

    @Test
    void a_disk_that_is_not_running_is_a_lost_way() throws IOException {
        state("sda", "transport-offline");

        assertThat(lost()).singleElement().asString().contains("disk sda transport-offline");
    }

    @Test
    void a_portal_without_a_session_is_a_lost_way() throws IOException {
        Path gone = session("10.0.0.2");
        node.logOut(gone.getFileName().toString().substring("session".length()));

        assertThat(lost()).containsExactly("portal 10.0.0.2:3260 (no session)");
    }

    @Test
    void a_disk_that_the_map_does_not_use_is_a_lost_way() throws IOException {
        Files.delete(node.root().resolve("sys/class/block/dm-0/slaves/sdb"));

        assertThat(lost()).singleElement().asString().contains("disk sdb is not in the multipath map");
    }

    @Test
    void a_volume_without_a_session_has_its_portals_as_lost_ways() {
        assertThat(node.attacher()
                        .paths(
                                new Attachment.Iscsi("10.0.0.9:3260", List.of(), "", "iqn.2026-11.test.lab:none", 0),
                                TestWork.patient()))
                .containsExactly(new VolumePath("portal 10.0.0.9:3260", "no session", false));
    }

    @Test
    void multipathd_keeps_the_ids_that_it_knew_by_itself() throws IOException {
        node = new ScriptedInitiator(folder.toRealPath().resolve("known"));
        node.multipathd = true;
        node.targets.put(IQN, List.of(0));
        var request = new Attach<>("v:0", BOTH, TestVolumes.BLOCK, Map.of(), Map.of(), Map.of());
        IscsiAttacher attacher = node.attacher();
        Attached.Device device = (Attached.Device) attacher.attach(request, TestWork.patient());

        attacher.detach(BOTH, device.facts(), TestWork.patient());

        assertThat(node.commands).contains("multipath -f mpatha").noneMatch(it -> it.startsWith("multipath -w"));
    }

    @Test
    void multipathd_forgets_the_id_that_it_was_told_once_the_map_is_gone() throws IOException {
        node = new ScriptedInitiator(folder.toRealPath().resolve("strict"));
        node.multipathd = true;
        node.strict = true;
        node.targets.put(IQN, List.of(0));
        var request = new Attach<>("v:0", BOTH, TestVolumes.BLOCK, Map.of(), Map.of(), Map.of());
        IscsiAttacher attacher = node.attacher();
        Attached.Device device = (Attached.Device) attacher.attach(request, TestWork.patient());

        attacher.detach(BOTH, device.facts(), TestWork.patient());

        assertThat(node.commands)
                .containsSubsequence(
                        "multipath -f mpatha", "multipath -w " + node.root().resolve("dev/sda"));
    }
}
