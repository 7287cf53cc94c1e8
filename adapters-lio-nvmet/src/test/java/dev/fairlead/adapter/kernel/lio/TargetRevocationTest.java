package dev.fairlead.adapter.kernel.lio;

import static dev.fairlead.adapter.kernel.lio.TargetFixture.IQN;
import static dev.fairlead.adapter.kernel.lio.TargetFixture.TPG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.kernel.Warnings;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shutting initiators out, beyond what every exporter promises. */
class TargetRevocationTest {
    private static final String NODE = "iqn.1993-08.org.debian:01:";
    private static final String CLI = "iscsi.shareStrategyTargetCli.";

    private final FakeLio lio;
    private final TargetFixture fixture;
    private final StoredVolume volume;

    TargetRevocationTest(@TempDir Path folder) {
        lio = new FakeLio(folder);
        fixture = new TargetFixture(lio);
        volume = closed("pvc-1");
    }

    private StoredVolume closed(String name) {
        Map<String, String> notes = new HashMap<>(Access.CLOSED);
        notes.put("iscsi-asset", name);
        return fixture.volume(fixture.birth(name), notes);
    }

    private static Grants grants(int... nodes) {
        Grants grants = Grants.NONE;
        for (int node : nodes) {
            grants = grants.with(
                    new Grant("node-" + node, NODE + node, false, AccessMode.MULTI_NODE_MULTI_WRITER, true));
        }
        return grants;
    }

    private static Mapping edited(String key, Object value) {
        return ConfigTrees.with(ConfigTrees.of(TargetFixture.settings(TargetFixture.CHAP)), CLI + key, value);
    }

    private void admit(Mapping file, int... nodes) {
        try (TargetcliExporter exporter = fixture.exporter(file)) {
            exporter.admit(volume, grants(nodes), TestWork.patient());
        }
    }

    private void admit(int... nodes) {
        admit(ConfigTrees.of(TargetFixture.settings(TargetFixture.CHAP)), nodes);
    }

    private void revoke(Mapping file, int... remaining) {
        try (TargetcliExporter exporter = fixture.exporter(file)) {
            exporter.revoke(volume, grants(remaining), TestWork.patient());
        }
    }

    private void revoke(int... remaining) {
        revoke(ConfigTrees.of(TargetFixture.settings(TargetFixture.CHAP)), remaining);
    }

    @Test
    void an_initiator_is_shut_out_where_the_file_has_another_base_of_names_by_now() {
        admit(1, 2);

        revoke(edited("basename", "iqn.2003-01.org.example.other"), 2);

        assertThat(fixture.letIn(volume)).contains(grants(2).initiators());
        assertThat(lio.saved()).contains(NODE + "2").doesNotContain(NODE + "1");
    }

    @Test
    void an_initiator_is_shut_out_of_a_volume_whose_device_is_gone() {
        admit(1);
        fixture.remove(volume);

        revoke();

        assertThat(fixture.letIn(volume)).contains(grants().initiators());
        assertThat(lio.saved()).doesNotContain(NODE);
    }

    @Test
    void targetcli_killed_after_any_of_its_steps_leaves_what_a_retry_finishes() {
        boolean cut = true;
        int steps = 0;
        for (; cut; steps++) {
            admit(1, 2);
            lio.cutAfter(steps);
            boolean done = Failing.works(() -> revoke(2));
            cut = !lio.cutIsLeft();
            assertThat(done).isEqualTo(!cut);

            revoke(2);

            assertThat(fixture.letIn(volume)).contains(grants(2).initiators());
            assertThat(lio.saved()).contains(NODE + "2").doesNotContain(NODE + "1");
        }
        assertThat(steps).isGreaterThan(4);
    }

    /** Their configuration would be lost by saving; the node is shut out of what runs all the same. */
    @Test
    void others_that_are_saved_and_do_not_run_keep_nobody_in() {
        admit(1);
        lio.write(
                "etc/saveconfig.json",
                lio.saved()
                        .replaceFirst(
                                "\"storage_objects\": \\[",
                                "$0\n    {\n      \"name\": \"other\",\n"
                                        + "      \"plugin\": \"block\",\n      \"wwn\": \"1\"\n    },"));

        assertThatThrownBy(this::revoke).hasMessageContaining("would lose others");

        assertThat(fixture.letIn(volume)).contains(grants().initiators());
        assertThat(lio.saved()).contains("\"other\"");
    }

    @Test
    void a_script_that_comes_late_does_nothing() {
        admit(1, 2);
        lio.write("grants/tank/v/pvc-1", grants(1, 2, 3).text() + "\n");

        assertThatThrownBy(() -> revoke(1)).hasMessageContaining("changed meanwhile who is let in");

        assertThat(fixture.letIn(volume)).contains(grants(1, 2).initiators());
    }

    @Test
    void a_targetcli_that_shuts_nobody_out_is_seen_through() {
        admit(1);
        lio.write("bin/targetcli", lio.read("bin/targetcli").replace("delete_acl() {", "delete_acl() { return;"));

        assertThatThrownBy(this::revoke)
                .hasMessageContaining("does not read back")
                .hasMessageContaining(NODE + "1");
    }

    @Test
    void a_target_that_was_opened_by_hand_is_closed() {
        admit(1);
        lio.targetcli("/iscsi/" + IQN + "/tpg1 set attribute generate_node_acls=1");

        revoke();

        assertThat(lio.read(TPG + "attrib/generate_node_acls")).isEqualTo("0\n");
    }

    /** As after a start of the host whose targets were not restored. */
    @Test
    void a_target_that_is_saved_and_not_there_is_not_lost_to_those_who_stay() {
        admit(1, 2);
        String saved = lio.saved();
        lio.targetcli("set global auto_save_on_exit=false", "/iscsi delete " + IQN, "/backstores/block delete pvc-1");

        assertThatThrownBy(() -> revoke(2)).hasMessageContaining("targetcli restoreconfig");
        assertThat(lio.saved()).isEqualTo(saved);

        revoke();
        assertThat(fixture.exports()).isZero();
    }

    @Test
    void an_initiator_is_let_in_to_a_disk_that_does_not_take_an_attribute_any_more() {
        admit(1);

        admit(edited("block.attributes.emulate_colour", 1), 1, 2);

        assertThat(fixture.letIn(volume)).contains(grants(1, 2).initiators());
        assertThat(lio.saved()).contains(NODE + "2");
    }

    @Test
    void an_attribute_that_the_disk_does_not_take_any_more_is_told_and_holds_up_no_shutting_out() {
        Mapping file = edited("block.attributes.emulate_colour", 1);
        admit(1);

        try (Warnings warnings = new Warnings(TargetcliExporter.class)) {
            admit(file, 1, 2);
            revoke(file, 2);

            assertThat(warnings.texts())
                    .singleElement()
                    .asString()
                    .contains("connection nas", IQN, "[emulate_colour]", "block.attributes", "stays as it is");
        }
        assertThat(fixture.letIn(volume)).contains(grants(2).initiators());
        assertThat(lio.saved()).contains(NODE + "2").doesNotContain(NODE + "1");
    }

    @Test
    void attributes_that_the_disk_takes_are_not_warned_of() {
        admit(1);

        try (Warnings warnings = new Warnings(TargetcliExporter.class)) {
            admit(1, 2);

            assertThat(warnings.texts()).isEmpty();
        }
    }

    /** They decide who is let in. */
    @Test
    void nobody_is_let_in_while_the_target_does_not_take_its_own_attributes() {
        admit(1);

        Failing.with(Failure.BackendRejected.class, () -> admit(edited("tpg.attributes.login_colour", 1), 1));
    }

    @Test
    void a_new_disk_has_all_its_attributes_or_is_not_exported() {
        Failing.with(Failure.BackendRejected.class, () -> admit(edited("block.attributes.emulate_colour", 1), 1));

        assertThat(lio.names(TPG + "lun")).isEmpty();
    }

    /** As a script leaves it that was killed between targetcli and its own look. */
    @Test
    void a_disk_that_was_never_saved_has_all_its_attributes_or_is_not_exported() {
        lio.targetcli(
                "set global auto_save_on_exit=false",
                "/backstores/block create pvc-1 " + fixture.device("pvc-1"),
                "/iscsi create " + IQN,
                "/iscsi/" + IQN + "/tpg1/luns create /backstores/block/pvc-1 0");

        Failing.with(Failure.BackendRejected.class, () -> admit(edited("block.attributes.emulate_colour", 1), 1));

        assertThat(lio.names(TPG + "lun")).isEmpty();
        assertThat(lio.saved()).doesNotContain("lun");
    }
}
