package dev.fairlead.adapter.kernel.lio;

import static dev.fairlead.adapter.kernel.lio.TargetFixture.IQN;
import static dev.fairlead.adapter.kernel.lio.TargetFixture.TPG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Shutting initiators out of targets to which an administrator has added another device, or that he has made himself.
 */
class SharedTargetRevocationTest {
    private static final String NODE = "iqn.1993-08.org.debian:01:";
    private static final String BACKUP = "iqn.1993-08.org.debian:backup";

    private final FakeLio lio;
    private final TargetFixture fixture;

    SharedTargetRevocationTest(@TempDir Path folder) {
        lio = new FakeLio(folder);
        fixture = new TargetFixture(lio);
        lio.write("dev/other", "");
    }

    private static Grants grants(int... nodes) {
        Grants grants = Grants.NONE;
        for (int node : nodes) {
            grants = grants.with(
                    new Grant("node-" + node, NODE + node, false, AccessMode.MULTI_NODE_MULTI_WRITER, true));
        }
        return grants;
    }

    private StoredVolume recorded(int... nodes) {
        Map<String, String> notes = new HashMap<>(Access.CLOSED);
        notes.put("iscsi-asset", "pvc-1");
        notes.put(Access.GRANTS, grants(nodes).text());
        lio.write("grants/tank/v/pvc-1", grants(nodes).text() + "\n");
        return fixture.volume(fixture.birth("pvc-1"), notes);
    }

    private StoredVolume admit(int... nodes) {
        StoredVolume volume = recorded(nodes);
        try (TargetcliExporter exporter = fixture.exporter(TargetFixture.CHAP)) {
            exporter.admit(volume, grants(nodes), TestWork.patient());
        }
        return volume;
    }

    private void revoke(StoredVolume volume, int... remaining) {
        try (TargetcliExporter exporter = fixture.exporter(TargetFixture.CHAP)) {
            exporter.revoke(volume, grants(remaining), TestWork.patient());
        }
    }

    private void addAnotherDevice() {
        lio.targetcli(
                "/backstores/block create other " + lio.root().resolve("dev/other"),
                "/iscsi/" + IQN + "/tpg1/luns create /backstores/block/other 1");
    }

    @Test
    void an_initiator_is_shut_out_of_a_target_that_shows_another_device_too() {
        StoredVolume volume = admit(1, 2);
        addAnotherDevice();

        revoke(volume, 2);

        assertThat(lio.names(TPG + "acls")).containsExactly(NODE + "2");
        assertThat(lio.names(TPG + "lun")).containsExactly("lun_0", "lun_1");
        assertThat(lio.saved()).contains(NODE + "2", "/backstores/block/other").doesNotContain(NODE + "1");
    }

    @Test
    void targetcli_killed_after_any_of_its_steps_leaves_what_a_retry_finishes() {
        boolean cut = true;
        int steps = 0;
        for (; cut; steps++) {
            lio.targetcli("/iscsi delete " + IQN, "/backstores/block delete other");
            StoredVolume volume = admit(1, 2);
            addAnotherDevice();
            lio.cutAfter(steps);
            boolean done = Failing.works(() -> revoke(volume, 2));
            cut = !lio.cutIsLeft();
            assertThat(done).isEqualTo(!cut);

            revoke(volume, 2);

            assertThat(lio.names(TPG + "acls")).containsExactly(NODE + "2");
            assertThat(lio.saved())
                    .contains(NODE + "2", "/backstores/block/other")
                    .doesNotContain(NODE + "1");
        }
        assertThat(steps).isGreaterThan(4);
    }

    /** He may be there for the other device; but he has the volume as well, so it is not done. */
    @Test
    void whom_an_administrator_lets_in_stays_and_is_told() {
        StoredVolume volume = admit(1);
        addAnotherDevice();
        lio.targetcli("/iscsi/" + IQN + "/tpg1/acls create " + BACKUP);

        assertThatThrownBy(() -> revoke(volume)).hasMessageContaining(BACKUP);
        Failing.with(Failure.NotOurs.class, () -> revoke(volume));

        assertThat(lio.names(TPG + "acls")).containsExactly(BACKUP);
        assertThat(lio.saved()).contains(BACKUP).doesNotContain(NODE);
    }

    @Test
    void an_initiator_of_a_target_that_shows_only_another_device_stays_and_is_told() {
        StoredVolume volume = recorded(1);
        lio.targetcli(
                "/backstores/block create other " + lio.root().resolve("dev/other"),
                "/iscsi create " + IQN,
                "/iscsi/" + IQN + "/tpg1/luns create /backstores/block/other 0",
                "/iscsi/" + IQN + "/tpg1/acls create " + NODE + "1");

        Failing.with(Failure.NotOurs.class, () -> revoke(volume));

        assertThat(lio.names(TPG + "acls")).containsExactly(NODE + "1");
    }

    @Test
    void a_target_that_anybody_may_use_is_told() {
        StoredVolume volume = admit(1);
        addAnotherDevice();
        lio.targetcli("/iscsi/" + IQN + "/tpg1 set attribute generate_node_acls=1");

        Failing.with(Failure.NotOurs.class, () -> revoke(volume));

        assertThat(lio.names(TPG + "acls")).isEmpty();
    }

    @Test
    void a_target_whose_name_is_no_word_for_targetcli_is_told_once_the_others_are_shut() {
        StoredVolume volume = admit(1);
        String odd = TargetFixture.BASE + ":a+b";
        lio.targetcli("/iscsi create " + odd, "/iscsi/" + odd + "/tpg1/luns create /backstores/block/pvc-1 0");

        Failing.with(Failure.NotOurs.class, () -> revoke(volume));

        assertThat(lio.names(TPG + "acls")).isEmpty();
        assertThat(lio.saved()).doesNotContain(NODE);
    }
}
