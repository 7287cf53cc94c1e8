package dev.fairlead.adapter.kernel.lio;

import static dev.fairlead.adapter.kernel.lio.TargetFixture.IQN;
import static dev.fairlead.adapter.kernel.lio.TargetFixture.TPG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the scripts do for targets that are closed, beyond what every exporter promises. */
class TargetAdmissionTest {
    private static final String NODE = "iqn.1993-08.org.debian:01:";

    @TempDir
    private Path folder;

    private FakeLio lio() {
        return new FakeLio(folder);
    }

    private static Grant grant(int node, boolean readonly) {
        return new Grant("node-" + node, NODE + node, readonly, AccessMode.MULTI_NODE_MULTI_WRITER, true);
    }

    private static Grants grants(int... nodes) {
        Grants grants = Grants.NONE;
        for (int node : nodes) {
            grants = grants.with(grant(node, false));
        }
        return grants;
    }

    private static StoredVolume closed(TargetFixture fixture, String name) {
        Map<String, String> notes = new HashMap<>(Access.CLOSED);
        notes.put("iscsi-asset", name);
        return fixture.volume(fixture.birth(name), notes);
    }

    /** The kernel asks an initiator that has an entry of its own for the credentials of that entry. */
    @Test
    void who_is_let_in_proves_it_by_the_connections_credentials() {
        TargetFixture fixture = new TargetFixture(lio());
        StoredVolume volume = closed(fixture, "pvc-1");
        try (TargetcliExporter exporter = fixture.exporter(TargetFixture.CHAP)) {
            exporter.admit(volume, grants(1).with(grant(2, true)), TestWork.patient());
        }

        for (String node : List.of(NODE + "1", NODE + "2")) {
            assertThat(lio().read(TPG + "acls/" + node + "/auth/userid")).isEqualTo("alice\n");
            assertThat(lio().read(TPG + "acls/" + node + "/auth/password")).isEqualTo("wonderland-1\n");
            assertThat(lio().read(TPG + "acls/" + node + "/auth/password_mutual"))
                    .isEqualTo("builder-22\n");
        }
        assertThat(lio().read(TPG + "attrib/authentication")).isEqualTo("1\n");
        assertThat(lio().read(TPG + "attrib/generate_node_acls")).isEqualTo("0\n");
        assertThat(lio().saved()).contains(NODE + "1", NODE + "2");
    }

    @Test
    void no_credential_is_ever_in_the_arguments_nor_in_a_failure() {
        FakeLio lio = lio();
        TargetFixture fixture = new TargetFixture(lio);
        StoredVolume volume = closed(fixture, "pvc-1");
        lio.write("bin/targetcli", "#!/bin/sh\ntee /dev/stderr\necho wonderland-1 >&2\n");
        try (TargetcliExporter exporter = fixture.exporter(TargetFixture.CHAP)) {
            assertThatThrownBy(() -> exporter.admit(volume, grants(1), TestWork.patient()))
                    .hasMessageNotContaining("wonderland-1")
                    .hasMessageNotContaining("builder-22");
        }
        assertThat(lio.seen().toString()).doesNotContain("wonderland-1").doesNotContain("builder-22");
    }

    @Test
    void targetcli_killed_after_any_of_its_steps_leaves_what_a_retry_finishes() {
        FakeLio lio = lio();
        TargetFixture fixture = new TargetFixture(lio);
        StoredVolume volume = closed(fixture, "pvc-1");
        Grants before = grants(1, 2);
        Grants after = grants(2).with(grant(3, true));
        int steps = 0;
        try (TargetcliExporter exporter = fixture.exporter(TargetFixture.CHAP)) {
            boolean cut = true;
            for (; cut; steps++) {
                exporter.admit(volume, before, TestWork.patient());
                lio.cutAfter(steps);
                boolean done = Failing.works(() -> exporter.admit(volume, after, TestWork.patient()));
                cut = !lio.cutIsLeft();
                assertThat(done).isEqualTo(!cut);
                assertThat(lio.names(TPG + "acls")).as("after %d steps", steps).contains(NODE + "2");

                exporter.admit(volume, after, TestWork.patient());

                assertThat(fixture.letIn(volume)).contains(after.initiators());
                assertThat(lio.saved()).contains(NODE + "3").doesNotContain(NODE + "1\"");
            }
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }
        assertThat(steps).isGreaterThan(20);
        assertThat(fixture.exports()).isZero();
    }

    @Test
    void targetcli_killed_while_it_makes_or_removes_a_closed_target_is_finished_by_a_retry() {
        FakeLio lio = lio();
        TargetFixture fixture = new TargetFixture(lio);
        StoredVolume volume = closed(fixture, "pvc-1");
        int steps = 0;
        try (TargetcliExporter exporter = fixture.exporter(Map.of())) {
            boolean cut = true;
            for (; cut; steps++) {
                lio.cutAfter(steps);
                Failing.works(() -> exporter.admit(volume, grants(1, 2), TestWork.patient()));
                cut = !lio.cutIsLeft();
                assertThat(lio.read(TPG + "attrib/generate_node_acls"))
                        .as("open at no moment, after %d steps", steps)
                        .isIn("", "0\n");
                exporter.admit(volume, grants(1, 2), TestWork.patient());
                assertThat(fixture.letIn(volume)).contains(grants(1, 2).initiators());

                lio.cutAfter(steps);
                Failing.works(() -> exporter.unexport(
                        volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient()));
                cut |= !lio.cutIsLeft();
                exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
                assertThat(fixture.exports()).as("after %d steps", steps).isZero();
            }
        }
        assertThat(steps).isGreaterThan(20);
    }

    /** A script that waits for its turn may outlive its call, and others may overtake it. */
    @Test
    void a_script_that_comes_late_does_not_bring_an_old_record_back() {
        TargetFixture fixture = new TargetFixture(lio());
        StoredVolume volume = closed(fixture, "pvc-1");
        try (TargetcliExporter exporter = fixture.exporter(Map.of())) {
            lio().write("grants/tank/v/pvc-1", grants(2).text() + "\n");
            exporter.admit(recorded(volume, grants(2)), grants(2), TestWork.patient());
            String saved = lio().saved();

            assertThatThrownBy(() -> exporter.admit(recorded(volume, grants(1)), grants(1), TestWork.patient()))
                    .hasMessageContaining("changed meanwhile who is let in")
                    .hasMessageContaining("tried again");
            assertThatThrownBy(() -> exporter.export(volume, TestWork.patient()))
                    .hasMessageContaining("changed meanwhile who is let in");
            assertThat(fixture.letIn(volume)).contains(grants(2).initiators());
            assertThat(lio().saved()).isEqualTo(saved);
        }
        FakeLio broken = lio();
        broken.write("bin/record", "#!/bin/sh\necho 'no pool tank' >&2\nexit 1\n");
        try (TargetcliExporter exporter = new TargetFixture(broken).exporter(Map.of())) {
            assertThatThrownBy(() -> exporter.admit(volume, Grants.NONE, TestWork.patient()))
                    .hasMessageContaining("no pool tank");
        }
    }

    private static StoredVolume recorded(StoredVolume volume, Grants grants) {
        Map<String, String> notes = new HashMap<>(volume.notes());
        notes.putAll(grants.note());
        return new StoredVolume(
                volume.id(), volume.name(), volume.capacity(), volume.medium(), volume.content(), notes);
    }

    @Test
    void whom_somebody_else_let_in_to_a_closed_target_is_shut_out() {
        FakeLio lio = lio();
        TargetFixture fixture = new TargetFixture(lio);
        StoredVolume volume = closed(fixture, "pvc-1");
        try (TargetcliExporter exporter = fixture.exporter(Map.of())) {
            exporter.admit(volume, grants(1), TestWork.patient());
            lio.targetcli("/iscsi/" + IQN + "/tpg1/acls create iqn.2003-01.org.example:stranger");

            exporter.admit(volume, grants(1), TestWork.patient());

            assertThat(fixture.letIn(volume)).contains(grants(1).initiators());
        }
    }

    @Test
    void whom_an_administrator_let_in_to_an_open_target_stays() {
        FakeLio lio = lio();
        TargetFixture fixture = new TargetFixture(lio);
        StoredVolume volume = fixture.volume("pvc-1");
        try (TargetcliExporter exporter = fixture.exporter(Map.of())) {
            exporter.export(volume, TestWork.patient());
            lio.targetcli("/iscsi/" + IQN + "/tpg1/acls create iqn.2003-01.org.example:theirs");

            exporter.export(volume, TestWork.patient());

            assertThat(lio.names(TPG + "acls")).containsExactly("iqn.2003-01.org.example:theirs");
        }
    }

    @Test
    void a_targetcli_that_lets_nobody_in_is_seen_through() {
        FakeLio lio = lio();
        TargetFixture fixture = new TargetFixture(lio);
        StoredVolume volume = closed(fixture, "pvc-1");
        try (TargetcliExporter exporter = fixture.exporter(Map.of())) {
            exporter.admit(volume, grants(1), TestWork.patient());
            String real = lio.read("bin/targetcli");
            lio.write("bin/targetcli", real.replace("create_acl() {", "create_acl() { return;"));
            assertThatThrownBy(() -> exporter.admit(volume, grants(1, 2), TestWork.patient()))
                    .hasMessageContaining("does not read back")
                    .hasMessageContaining(NODE + "2");

            lio.write("bin/targetcli", real.replace("delete_acl() {", "delete_acl() { return;"));
            assertThatThrownBy(() -> exporter.admit(volume, Grants.NONE, TestWork.patient()))
                    .hasMessageContaining(NODE + "1");
        }
    }

    @Test
    void two_controllers_that_let_nodes_in_lose_none_of_each_others() {
        TargetFixture fixture = new TargetFixture(lio());
        List<StoredVolume> volumes = List.of(
                closed(fixture, "pvc-1"), closed(fixture, "pvc-2"), closed(fixture, "pvc-3"), closed(fixture, "pvc-4"));
        try (TargetcliExporter one = fixture.exporter(TargetFixture.CHAP);
                TargetcliExporter two = fixture.exporter(TargetFixture.CHAP)) {
            Concurrently.run(List.of(
                    () -> one.admit(volumes.get(0), grants(1, 2), TestWork.patient()),
                    () -> two.admit(volumes.get(1), grants(2, 3), TestWork.patient()),
                    () -> one.admit(volumes.get(2), grants(1, 3), TestWork.patient()),
                    () -> two.admit(volumes.get(3), grants(4), TestWork.patient())));
        }

        assertThat(fixture.letIn(volumes.get(0))).contains(grants(1, 2).initiators());
        assertThat(fixture.letIn(volumes.get(3))).contains(grants(4).initiators());
        assertThat(lio().saved()).contains(NODE + "1", NODE + "2", NODE + "3", NODE + "4");
    }
}
