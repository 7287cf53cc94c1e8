package dev.fairlead.adapter.freenas.iscsi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom a target lets in when calls are cut, others interfere, and the box is as it is. */
class IscsiFencingTest {
    private static final String NODE = "iqn.1993-08.org.debian:01:1";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private @Nullable IscsiFixture open;

    @BeforeEach
    void start() {
        open = fixture(folder);
    }

    IscsiFixture fixture(Path state) {
        return new IscsiFixture(new SimulatedBox(Profile.V25_10, state));
    }

    @AfterEach
    void end() {
        fixture().box().close();
    }

    private IscsiFixture fixture() {
        return Objects.requireNonNull(open);
    }

    private FreenasIscsiExporter exporter() {
        return fixture().exporter(IscsiFixture.BY_NUMBER);
    }

    private static SortedMap<String, Boolean> only(String... initiators) {
        SortedMap<String, Boolean> map = new TreeMap<>();
        for (String each : initiators) {
            map.put(each, false);
        }
        return map;
    }

    @Test
    void an_admission_that_the_box_does_late_lets_nobody_in_who_was_shut_out() {
        StoredVolume volume = fixture().volume(true);
        try (FreenasIscsiExporter exporter = exporter()) {
            exporter.export(volume, TestWork.patient());
            fixture().box().fault(Fault.at("iscsi.target.update", new Fault.CutBefore()));

            Failure cut = Failing.failure(() -> exporter.admit(volume, IscsiFixture.nodes(NODE), TestWork.patient()));
            exporter.revoke(volume, Grants.NONE, TestWork.patient());
            fixture().box().doLate("iscsi.target.update");

            assertThat(cut).isInstanceOf(Failure.OutcomeUnknown.class);
            assertThat(fixture().letIn(volume).orElseThrow()).hasSizeLessThan(2).doesNotContainKey(NODE);
        }
    }

    @Test
    void a_revocation_lets_nobody_in_who_was_not_yet() {
        StoredVolume volume = fixture().volume(true);
        try (FreenasIscsiExporter exporter = exporter()) {
            exporter.admit(volume, IscsiFixture.nodes(NODE, NODE + "-other"), TestWork.patient());

            exporter.revoke(volume, IscsiFixture.nodes(NODE, NODE + "-refused"), TestWork.patient());

            assertThat(fixture().letIn(volume)).contains(only(NODE));
        }
    }

    @Test
    void a_group_whose_deletion_may_still_come_is_not_used_again() {
        StoredVolume volume = fixture().volume(true);
        try (FreenasIscsiExporter exporter = exporter()) {
            exporter.admit(volume, IscsiFixture.nodes(NODE), TestWork.patient());
            fixture().box().fault(Fault.at("iscsi.initiator.delete", new Fault.CutBefore()));
            Failure cut = Failing.failure(
                    () -> exporter.admit(volume, IscsiFixture.nodes(NODE + "-other"), TestWork.patient()));

            exporter.admit(volume, IscsiFixture.nodes(NODE), TestWork.patient());
            fixture().box().doLate("iscsi.initiator.delete");

            assertThat(cut).isInstanceOf(Failure.OutcomeUnknown.class);
            assertThat(fixture().letIn(volume)).contains(only(NODE));
            assertThat(fixture().box().rows("iscsi_initiator")).hasSize(1);
        }
    }

    @Test
    void a_group_that_another_controller_has_given_to_the_target_meanwhile_is_not_deleted_as_an_old_one() {
        StoredVolume volume = fixture().volume(true);
        var other = exporter();
        var one = fixture()
                .exporter(fixture()
                        .box()
                        .interrupted(
                                "iscsi.initiator.delete",
                                () -> other.admit(volume, IscsiFixture.nodes(NODE + "-other"), TestWork.patient())));
        try (other;
                one) {
            other.admit(volume, IscsiFixture.nodes(NODE), TestWork.patient());

            boolean _ = Failing.works(() -> one.admit(volume, IscsiFixture.nodes(NODE + "-new"), TestWork.patient()));

            assertThat(fixture().letIn(volume)).isPresent();
        }
    }

    @Test
    void a_group_that_was_deleted_by_hand_lets_everybody_in_only_until_the_next_admission() {
        StoredVolume volume = fixture().volume(true);
        try (FreenasIscsiExporter exporter = exporter()) {
            exporter.admit(volume, IscsiFixture.nodes(NODE), TestWork.patient());
            long group =
                    fixture().box().rows("iscsi_initiator").getFirst().get("id").getAsLong();
            fixture().box().tamper("iscsi_initiator", Long.toString(group), _ -> new JsonObject());
            assertThat(fixture().letIn(volume)).isEmpty();

            exporter.admit(volume, IscsiFixture.nodes(NODE), TestWork.patient());

            assertThat(fixture().letIn(volume)).contains(only(NODE));
        }
    }

    @Test
    void a_target_goes_before_its_group() {
        StoredVolume volume = fixture().volume(true);
        try (FreenasIscsiExporter exporter = exporter()) {
            exporter.admit(volume, IscsiFixture.nodes(NODE), TestWork.patient());
            fixture().box().forgetCalls();

            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());

            assertThat(fixture().box().calls().stream().filter(call -> call.endsWith(".delete")))
                    .containsExactly("iscsi.target.delete", "iscsi.extent.delete", "iscsi.initiator.delete");
        }
    }

    @Test
    void nobody_is_let_in_by_a_record_that_has_changed_meanwhile() {
        StoredVolume volume = fixture().volume(true);
        fixture().volumes().record(volume, "none-of-this");
        try (FreenasIscsiExporter exporter = exporter()) {
            Failure failure =
                    Failing.failure(() -> exporter.admit(volume, IscsiFixture.nodes(NODE), TestWork.patient()));

            assertThat(failure).isInstanceOf(Failure.BackendUnavailable.class);
            assertThat(fixture().letIn(volume)).contains(only());
        }
    }

    @Test
    void what_democratic_csi_has_made_is_found_and_not_made_again() {
        StoredVolume volume = fixture().volume(false);
        JsonObject target = JsonParser.parseString(
                        "{'name':'csi-pvc-a','alias':null,'mode':'ISCSI','groups':[{'portal':1,'initiator':null,"
                                + "'authmethod':'NONE','auth':null}]}")
                .getAsJsonObject();
        fixture().box().put("iscsi_target", target);
        try (FreenasIscsiExporter exporter = exporter()) {
            var export = exporter.export(volume, TestWork.patient());
            fixture().box().forgetCalls();
            var again = exporter.export(volume, TestWork.patient());

            assertThat(again).isEqualTo(export);
            // The target is loaded once more, as a call that was cut may have written its row.
            assertThat(fixture().box().calls())
                    .noneMatch(call -> call.endsWith(".create") || call.endsWith("extent.update"));
            assertThat(export.notes())
                    .containsEntry("freenas/iscsi_assets_name", "csi-pvc-a")
                    .containsEntry("freenas/iscsi_target_id", target.get("id").getAsString())
                    .containsKeys("freenas/iscsi_extent_id", "freenas/iscsi_targettoextent_id");
            assertThat(export.attachment())
                    .isEqualTo(new Attachment.Iscsi(
                            "10.0.0.100:3260", List.of(), "", "iqn.2005-10.org.freenas.ctl:csi-pvc-a", 0));
        }
    }

    @Test
    void a_target_of_the_name_that_leads_to_something_else_is_left_alone() {
        StoredVolume volume = fixture().volume(false);
        fixture().box().putDataset("tank/theirs", "VOLUME", new JsonObject());
        fixture().box().put("iscsi_target", named("csi-pvc-a"));
        JsonObject extent = named("theirs");
        extent.addProperty("disk", "zvol/tank/theirs");
        fixture().box().put("iscsi_extent", extent);
        JsonObject link =
                JsonParser.parseString("{'target':1,'extent':1,'lunid':0}").getAsJsonObject();
        fixture().box().put("iscsi_targetextent", link);
        String before = fixture().box().rows("iscsi_target").toString()
                + fixture().box().rows("iscsi_extent");
        try (FreenasIscsiExporter exporter = exporter()) {
            Failure failure = Failing.failure(() -> exporter.export(volume, TestWork.patient()));
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());

            assertThat(failure).isInstanceOf(Failure.NotOurs.class);
            assertThat(fixture().box().rows("iscsi_target").toString()
                            + fixture().box().rows("iscsi_extent"))
                    .isEqualTo(before);
        }
    }

    private static JsonObject named(String name) {
        var row = new JsonObject();
        row.addProperty("name", name);
        row.add("groups", new JsonArray());
        return row;
    }

    @Test
    void a_portal_group_is_found_by_its_address_in_whatever_form() {
        StoredVolume volume = fixture().volume(false);
        Map<String, Object> block = new HashMap<>(IscsiFixture.BY_NUMBER);
        block.remove("targetGroups");
        block.put("targetPortal", "[fd00:0:0::0:100]:3260");
        try (FreenasIscsiExporter exporter = fixture().exporter(block)) {
            exporter.export(volume, TestWork.patient());

            assertThat(TargetCalls.groups(fixture().target("csi-pvc-a").orElseThrow()))
                    .containsExactly(new TargetGroup(2, Optional.empty(), "NONE", Optional.empty()));
        }
    }

    @Test
    void a_portal_that_the_box_has_not_is_refused_before_anything_is_made() {
        StoredVolume volume = fixture().volume(false);
        Map<String, Object> block = new HashMap<>(IscsiFixture.BY_NUMBER);
        block.remove("targetGroups");
        block.put("targetPortal", "10.9.9.9");
        try (FreenasIscsiExporter exporter = fixture().exporter(block)) {
            Failure failure = Failing.failure(() -> exporter.export(volume, TestWork.patient()));

            assertThat(failure).isInstanceOf(Failure.BackendRejected.class);
            assertThat(failure.message()).contains("10.9.9.9", "iscsi.targetGroups");
            assertThat(fixture().exports()).isZero();
        }
    }

    @Test
    void a_target_in_use_is_tried_again_and_stays_until_then() {
        StoredVolume volume = fixture().volume(false);
        try (FreenasIscsiExporter exporter = exporter()) {
            exporter.export(volume, TestWork.patient());
            fixture()
                    .box()
                    .fault(Fault.at("iscsi.target.delete", new Fault.Refusal(14, "Target csi-pvc-a is in use.")));
            Runnable unexport = () -> exporter.unexport(
                    volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());

            Failure failure = Failing.failure(unexport);
            int left = fixture().exports();
            unexport.run();

            assertThat(failure).isInstanceOf(Failure.BackendUnavailable.class);
            assertThat(failure.message()).contains("Target csi-pvc-a is in use.");
            assertThat(left).isEqualTo(3);
            assertThat(fixture().exports()).isZero();
        }
    }
}
