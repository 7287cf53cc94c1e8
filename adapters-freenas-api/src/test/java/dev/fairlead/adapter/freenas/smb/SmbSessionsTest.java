package dev.fairlead.adapter.freenas.smb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
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
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose sessions end when nodes are shut out of a share, and who can come back. */
class SmbSessionsTest {
    private static final String STATUS = "smb.status";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static Grants nodes(String... addresses) {
        Grants all = Grants.NONE;
        for (String each : addresses) {
            all = all.with(new Grant("node-" + each, each, false, AccessMode.MULTI_NODE_MULTI_WRITER, false));
        }
        return all;
    }

    private static StoredVolume volume(SmbFixture fixture) {
        return fixture.volumes().volume(fixture.volumes().birth("pvc-a"), Access.CLOSED);
    }

    /** Publishes a volume to nodes, has it used, and shuts all but some of them out of it. */
    private static SmbFixture revoked(
            SimulatedBox box, Grants before, Consumer<SmbFixture> use, boolean isYoung, Grants after) {
        var fixture = SmbFixture.of(box);
        StoredVolume volume = volume(fixture);
        fixture.exporter(SmbFixture.PLAIN).admit(volume, before, TestWork.patient());
        use.accept(fixture);
        box.forgetCalls();
        LateCalls late = isYoung ? new LateCalls(fixture.now()::get) : fixture.pending();
        new SmbFixture(box, fixture.turns(), fixture.now(), late)
                .exporter(SmbFixture.PLAIN)
                .revoke(volume, after, TestWork.patient());
        assertThat(fixture.letIn(volume)).contains(new TreeMap<>(after.initiators()));
        return fixture;
    }

    private static List<Boolean> switched(SimulatedBox box) {
        return box.entries().stream()
                .filter(entry -> entry.method().equals("sharing.smb.update"))
                .map(entry -> entry.params().get(1).getAsJsonObject())
                .map(fields -> fields.get("enabled").getAsBoolean())
                .toList();
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_04", "V26_BETA", "V26", "V27"})
    void a_node_that_has_unmounted_is_shut_out_without_a_break_for_the_others(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            SmbFixture fixture = revoked(
                    box, nodes("10.0.0.1", "10.0.0.2"), used -> used.connect("10.0.0.2"), false, nodes("10.0.0.2"));

            assertThat(fixture.connected()).containsExactly("10.0.0.2");
            assertThat(switched(box)).containsExactly(true);
            assertThat(box.calls()
                            .subList(
                                    box.calls().indexOf("sharing.smb.update"),
                                    box.calls().size()))
                    .contains(STATUS);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CORE_13_0", "V25_10_0", "V25_10"})
    void a_box_that_cannot_be_asked_ends_all_sessions(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            SmbFixture fixture = revoked(
                    box, nodes("10.0.0.1", "10.0.0.2"), used -> used.connect("10.0.0.2"), false, nodes("10.0.0.2"));

            assertThat(fixture.connected()).isEmpty();
            assertThat(switched(box)).containsExactly(true, false, true);
            assertThat(box.calls()).doesNotContain(STATUS);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "{}",
                "[null]",
                "[\"csi-pvc-a\"]",
                "[{}]",
                "[{\"service\":\"csi-pvc-a\"}]",
                "[{\"service\":\"csi-pvc-a\",\"machine\":7}]",
                "[{\"service\":\"CSI-pvc-a\",\"machine\":\"node-2.example.org\"}]",
                "[{\"machine\":\"10.0.0.1\"}]",
                "[{\"service\":\"other\",\"machine\":\"10.0.0.1\"},{\"machine\":\"::ffff:10.0.0.1\"}]"
            })
    void an_answer_that_does_not_say_that_only_those_are_there_who_remain_ends_all_sessions(String answer) {
        try (var box = new SimulatedBox(Profile.V26, folder)) {
            box.fault(Fault.at(STATUS, new Fault.Result(answer)));

            revoked(box, nodes("10.0.0.1", "10.0.0.2"), _ -> {}, false, nodes("10.0.0.2"));

            assertThat(switched(box)).containsExactly(true, false, true);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "[{\"service\":\"other\",\"machine\":\"10.0.0.1\"}]",
                "[{\"service\":\"CSI-PVC-A\",\"machine\":\"10.0.0.2\"}]",
                "[{\"service\":\"csi-pvc-a\",\"machine\":\"::ffff:10.0.0.2\"}]",
                "[{\"service\":\"csi-pvc-a\",\"machine\":\"::FFFF:a00:2\"}]",
                "[{\"service\":\"csi-pvc-a\",\"machine\":\"FD00:0:0::00:2\"}]"
            })
    void those_who_remain_are_known_by_their_addresses_in_any_spelling(String answer) {
        try (var box = new SimulatedBox(Profile.V26, folder)) {
            box.fault(Fault.at(STATUS, new Fault.Result(answer)));

            revoked(box, nodes("10.0.0.1", "10.0.0.2", "fd00::2"), _ -> {}, false, nodes("10.0.0.2", "fd00::2"));

            assertThat(switched(box)).containsExactly(true);
        }
    }

    @Test
    void a_box_that_refuses_or_cuts_the_question_ends_all_sessions() {
        for (Fault.Injury injury : List.of(new Fault.Refusal(13, "Not authorized"), new Fault.CutBefore())) {
            try (var box = new SimulatedBox(
                    Profile.V26, folder.resolve(injury.getClass().getSimpleName()))) {
                box.fault(Fault.at(STATUS, injury));

                SmbFixture fixture = revoked(
                        box, nodes("10.0.0.1", "10.0.0.2"), used -> used.connect("10.0.0.1"), false, nodes("10.0.0.2"));

                assertThat(fixture.connected()).isEmpty();
            }
        }
    }

    /** As of a box whose Samba does not answer: it changes the share all the same, and says nothing of that. */
    @Test
    void a_revocation_is_not_done_while_a_node_that_may_not_still_uses_the_share() {
        try (var box = new SimulatedBox(Profile.V26, folder)) {
            String answer = "[{\"service\":\"csi-pvc-a\",\"machine\":\"10.0.0.1\"}]";
            box.fault(Fault.at(STATUS, new Fault.Result(answer)).times(99));

            Failure failure = Failing.failure(
                    () -> revoked(box, nodes("10.0.0.1", "10.0.0.2"), _ -> {}, false, nodes("10.0.0.2")));

            assertThat(failure).isInstanceOf(Failure.BackendUnavailable.class);
            assertThat(failure.message()).contains("still uses it");
        }
    }

    @Test
    void a_node_that_was_granted_by_a_name_ends_all_sessions_by_its_own() {
        try (var box = new SimulatedBox(Profile.V26, folder)) {
            SmbFixture fixture = revoked(
                    box,
                    nodes("10.0.0.1", "node-2.example.org"),
                    used -> used.connect("10.0.0.2"),
                    false,
                    nodes("node-2.example.org"));

            assertThat(fixture.connected()).isEmpty();
        }
    }

    @Test
    void a_share_of_home_directories_is_used_by_other_names_and_ends_all_sessions() {
        try (var box = new SimulatedBox(Profile.V26, folder)) {
            var fixture = SmbFixture.of(box);
            FreenasSmbExporter exporter = fixture.exporter(SmbFixture.with("shareHome", true));
            StoredVolume volume = volume(fixture);
            exporter.admit(volume, nodes("10.0.0.1", "10.0.0.2"), TestWork.patient());
            box.forgetCalls();

            exporter.revoke(volume, nodes("10.0.0.2"), TestWork.patient());

            assertThat(switched(box)).containsExactly(true, false, true);
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_last_node_does_not_come_back_while_its_session_is_ended(Profile profile) {
        for (boolean isYoung : new boolean[] {false, true}) {
            try (var box = new SimulatedBox(profile, folder.resolve("young-" + isYoung))) {
                SmbFixture fixture =
                        revoked(box, nodes("10.0.0.1"), used -> used.connectForEver("10.0.0.1"), isYoung, Grants.NONE);

                assertThat(fixture.connected()).as("young: " + isYoung).isEmpty();
                assertThat(fixture.shares()).noneMatch(SmbShareEntry::enabled);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void one_of_several_nodes_does_not_come_back_and_the_others_do(Profile profile) {
        for (boolean isYoung : new boolean[] {false, true}) {
            try (var box = new SimulatedBox(profile, folder.resolve("young-" + isYoung))) {
                SmbFixture fixture = revoked(
                        box,
                        nodes("10.0.0.1", "10.0.0.2"),
                        used -> List.of("10.0.0.1", "10.0.0.2").forEach(used::connectForEver),
                        isYoung,
                        nodes("10.0.0.2"));

                assertThat(fixture.connected()).as("young: " + isYoung).containsExactly("10.0.0.2");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"V27"})
    void a_share_whose_row_is_off_already_ends_the_sessions_that_a_cut_call_left(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            SmbFixture fixture = revoked(
                    box,
                    nodes("10.0.0.1"),
                    used -> {
                        used.connect("10.0.0.1");
                        box.tamper("smb_share", "1", row -> {
                            row.addProperty("enabled", false);
                            return row;
                        });
                    },
                    false,
                    Grants.NONE);

            assertThat(fixture.connected()).isEmpty();
        }
    }

    @Test
    void the_question_is_for_the_share_alone_and_for_no_names_of_users() {
        try (var box = new SimulatedBox(Profile.V26, folder)) {
            revoked(box, nodes("10.0.0.1"), used -> used.connect("10.0.0.9"), false, Grants.NONE);

            assertThat(box.entries())
                    .filteredOn(entry -> entry.method().equals(STATUS))
                    .singleElement()
                    .satisfies(entry -> assertThat(entry.params().toString())
                            .isEqualTo("[\"SHARES\",[[\"service\",\"C=\",\"csi-pvc-a\"]],"
                                    + "{\"select\":[\"service\",\"machine\"]},{\"resolve_uids\":false}]"));
        }
    }
}
