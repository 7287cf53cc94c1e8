package dev.fairlead.adapter.freenas.smb;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom a share lets in when calls are cut, and what shares are made of by release. */
class SmbFencingTest {
    private static final String AUXILIARY = "shareAuxiliaryConfigurationTemplate";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static StoredVolume volume(SmbFixture fixture, Map<String, String> notes) {
        return fixture.volumes().volume(fixture.volumes().birth("pvc-a"), notes);
    }

    private static Grants node(String address) {
        return Grants.NONE.with(new Grant("node-1", address, false, AccessMode.MULTI_NODE_MULTI_WRITER, false));
    }

    @Test
    void an_admission_that_the_box_does_late_lets_nobody_in_who_was_shut_out() {
        for (Profile profile : new Profile[] {Profile.SCALE_24_10, Profile.V25_10_0, Profile.V25_10}) {
            try (var box = new SimulatedBox(profile, folder.resolve(profile.name()))) {
                var fixture = SmbFixture.of(box);
                FreenasSmbExporter exporter = fixture.exporter(SmbFixture.PLAIN);
                StoredVolume volume = volume(fixture, Access.CLOSED);
                exporter.export(volume, TestWork.patient());
                box.fault(Fault.at("sharing.smb.update", new Fault.CutBefore()));

                Failing.failure(() -> exporter.admit(volume, node("10.0.0.1"), TestWork.patient()));
                exporter.revoke(volume, Grants.NONE, TestWork.patient());
                box.doLate("sharing.smb.update");

                assertThat(fixture.letIn(volume)).contains(new TreeMap<>());
                assertThat(fixture.exports()).isEqualTo(1);
            }
        }
    }

    @Test
    void a_revocation_lets_nobody_in_who_was_not_yet() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            var fixture = SmbFixture.of(box);
            FreenasSmbExporter exporter = fixture.exporter(SmbFixture.PLAIN);
            StoredVolume volume = volume(fixture, Access.CLOSED);
            exporter.admit(volume, nodes("10.0.0.1", "10.0.0.2"), TestWork.patient());

            exporter.revoke(volume, nodes("10.0.0.2", "not-found.example"), TestWork.patient());

            assertThat(fixture.letIn(volume)).contains(new TreeMap<>(Map.of("10.0.0.2", false)));
        }
    }

    @Test
    void one_of_several_nodes_that_is_shut_out_is_cut_off_once_it_cannot_come_back() {
        for (Profile profile : new Profile[] {Profile.CORE_13_0, Profile.SCALE_24_10, Profile.V25_10_0, Profile.V26}) {
            try (var box = new SimulatedBox(profile, folder.resolve(profile.name()))) {
                var fixture = SmbFixture.of(box);
                FreenasSmbExporter exporter = fixture.exporter(SmbFixture.PLAIN);
                StoredVolume volume = volume(fixture, Access.CLOSED);
                exporter.admit(volume, nodes("10.0.0.1", "10.0.0.2"), TestWork.patient());
                fixture.connect("10.0.0.1");
                box.forgetCalls();

                exporter.revoke(volume, nodes("10.0.0.2"), TestWork.patient());

                assertThat(fixture.connected()).as(profile.title()).isEmpty();
                assertThat(fixture.letIn(volume)).contains(new TreeMap<>(Map.of("10.0.0.2", false)));
                assertThat(enabledBy(box)).containsExactly(true, false, true);
            }
        }
    }

    private static List<Boolean> enabledBy(SimulatedBox box) {
        return box.entries().stream()
                .filter(entry -> entry.method().equals("sharing.smb.update"))
                .map(entry -> entry.params().get(1).getAsJsonObject())
                .map(fields -> fields.get("enabled").getAsBoolean())
                .toList();
    }

    @Test
    void a_node_that_is_let_in_cuts_nobody_off() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            var fixture = SmbFixture.of(box);
            FreenasSmbExporter exporter = fixture.exporter(SmbFixture.PLAIN);
            StoredVolume volume = volume(fixture, Access.CLOSED);
            exporter.admit(volume, nodes("10.0.0.1"), TestWork.patient());
            fixture.connect("10.0.0.1");

            exporter.admit(volume, nodes("10.0.0.1", "10.0.0.2"), TestWork.patient());

            assertThat(fixture.connected()).containsExactly("10.0.0.1");
        }
    }

    private static Grants nodes(String... addresses) {
        Grants all = Grants.NONE;
        for (String each : addresses) {
            all = all.with(new Grant("node-" + each, each, false, AccessMode.MULTI_NODE_MULTI_WRITER, false));
        }
        return all;
    }

    @Test
    void the_purpose_of_a_share_follows_the_release_and_its_options() {
        assertThat(purpose(Profile.V25_04, SmbFixture.PLAIN)).isEmpty();
        assertThat(purpose(Profile.V25_10_0, SmbFixture.PLAIN)).isEqualTo("LEGACY_SHARE");
        assertThat(purpose(Profile.V25_10, SmbFixture.PLAIN)).isEqualTo("DEFAULT_SHARE");
        assertThat(purpose(Profile.V26, SmbFixture.with("shareRecycleBin", true)))
                .isEqualTo("LEGACY_SHARE");
    }

    private String purpose(Profile profile, Map<String, Object> block) {
        try (var box = new SimulatedBox(profile, folder.resolve(profile.name() + block.size()))) {
            var fixture = SmbFixture.of(box);
            fixture.exporter(block).export(volume(fixture, Map.of()), TestWork.patient());
            return fixture.shares().getFirst().purpose();
        }
    }

    @Test
    void a_list_of_denied_hosts_lets_nobody_in_beside_the_nodes_of_a_closed_volume() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            var fixture = SmbFixture.of(box);
            FreenasSmbExporter exporter = fixture.exporter(SmbFixture.with("shareDeniedHosts", List.of("10.0.0.9")));
            StoredVolume volume = volume(fixture, Access.CLOSED);

            exporter.admit(volume, node("10.0.0.1"), TestWork.patient());

            assertThat(fixture.letIn(volume)).contains(new TreeMap<>(Map.of("10.0.0.1", false)));
        }
    }

    @Test
    void a_share_of_the_name_that_has_another_path_is_left_alone() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            var fixture = SmbFixture.of(box);
            FreenasSmbExporter exporter = fixture.exporter(SmbFixture.PLAIN);
            box.putDataset("tank/theirs", "FILESYSTEM", new JsonObject());
            var theirs = fixture.volumes().birth("pvc-a").made();
            var row = new JsonObject();
            row.addProperty("name", "CSI-pvc-a");
            row.addProperty("path", "/mnt/tank/theirs");
            row.addProperty("enabled", true);
            box.put("smb_share", row);
            StoredVolume volume = volume(fixture, Map.of());

            Failure failure = Failing.failure(() -> exporter.export(volume, TestWork.patient()));
            exporter.unexport(theirs.id(), Optional.of(theirs.medium()), Optional.of(volume), TestWork.patient());

            assertThat(failure).isInstanceOf(Failure.NotOurs.class);
            assertThat(box.rows("smb_share")).containsExactly(row);
        }
    }

    @Test
    void an_auxiliary_configuration_that_is_all_comments_is_none() {
        String example = "#guest ok = yes\n; guest only = yes\n\n";

        assertThat(purpose(Profile.V25_10, SmbFixture.with(AUXILIARY, example))).isEqualTo("DEFAULT_SHARE");
    }

    @Test
    void an_auxiliary_configuration_is_rendered_for_each_volume_and_stays_as_it_was_planned() {
        for (Profile profile : new Profile[] {Profile.V25_04, Profile.V25_10}) {
            try (var box = new SimulatedBox(profile, folder.resolve(profile.name()))) {
                var fixture = SmbFixture.of(box);
                String template = "# of {{ name }}\nveto files = /{{ parameters.x }}{{ name }}/\n";
                var birth = fixture.volumes().birth("pvc-a");
                Map<String, String> notes = fixture.exporter(SmbFixture.with(AUXILIARY, template))
                        .plan(birth)
                        .notes();

                fixture.exporter(SmbFixture.with(AUXILIARY, "{{ name }}"))
                        .export(fixture.volumes().volume(birth, notes), TestWork.patient());

                assertThat(notes).containsEntry("smb-auxiliary", "veto files = /pvc-a/");
                assertThat(box.rows("smb_share").toString()).contains("\"veto files = /pvc-a/\"");
            }
        }
    }

    @Test
    void a_literal_auxiliary_configuration_is_sent_without_a_note() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            var fixture = SmbFixture.of(box);
            var exporter = fixture.exporter(SmbFixture.with(AUXILIARY, "# a\n  read only = yes\n"));

            assertThat(exporter.plan(fixture.volumes().birth("pvc-a")).notes()).isEmpty();
            exporter.export(volume(fixture, Map.of()), TestWork.patient());

            assertThat(box.rows("smb_share").toString()).contains("\"read only = yes\"");
        }
    }
}
