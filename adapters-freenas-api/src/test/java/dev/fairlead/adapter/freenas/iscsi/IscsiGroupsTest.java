package dev.fairlead.adapter.freenas.iscsi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** That no order of calls leaves a target without its group of initiators, by which it would let everybody in. */
class IscsiGroupsTest {
    private static final String NODE = "iqn.1993-08.org.debian:01:1";
    private static final String OTHER = "iqn.1993-08.org.debian:01:2";

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

    private boolean isOpenToAll(StoredVolume volume) {
        return fixture().target("csi-" + volume.id()).isPresent()
                && fixture().letIn(volume).isEmpty();
    }

    @Test
    void a_late_call_that_gives_a_group_while_it_is_taken_away_opens_nothing_at_any_moment() {
        StoredVolume volume = fixture().volume(true);
        List<String> open = new ArrayList<>();
        var came = new AtomicBoolean();
        try (FreenasIscsiExporter exporter = fixture().exporter(IscsiFixture.BY_NUMBER)) {
            exporter.export(volume, TestWork.patient());
            fixture().box().fault(Fault.at("iscsi.target.update", new Fault.CutBefore()));
            Failure cut = Failing.failure(() -> exporter.admit(volume, IscsiFixture.nodes(NODE), TestWork.patient()));
            assertThat(cut).isInstanceOf(Failure.OutcomeUnknown.class);
        }
        String late = "iscsi.target.update";
        var calls = fixture().box().watched(method -> {
            if (isOpenToAll(volume)) {
                open.add(method);
            }
            boolean isRetiring = method.equals("iscsi.initiator.delete") || method.equals("iscsi.initiator.update");
            if (isRetiring && !came.getAndSet(true)) {
                fixture().box().doLate(late);
            }
        });
        try (FreenasIscsiExporter other = fixture().exporter(calls)) {
            other.admit(volume, IscsiFixture.nodes(OTHER), TestWork.patient());

            assertThat(came).isTrue();
            assertThat(open).isEmpty();
            assertThat(fixture().letIn(volume).orElseThrow()).containsOnlyKeys(OTHER);
        }
    }

    @Test
    void a_group_that_may_be_given_late_is_kept_to_the_nodes_that_are_let_in() {
        StoredVolume volume = fixture().volume(true);
        try (FreenasIscsiExporter exporter = fixture().exporter(IscsiFixture.BY_NUMBER)) {
            exporter.admit(volume, IscsiFixture.nodes(OTHER), TestWork.patient());
            fixture().box().fault(Fault.at("iscsi.target.update", new Fault.CutBefore()));
            Failure cut =
                    Failing.failure(() -> exporter.admit(volume, IscsiFixture.nodes(OTHER, NODE), TestWork.patient()));
            exporter.revoke(volume, IscsiFixture.nodes(OTHER), TestWork.patient());

            fixture().box().doLate("iscsi.target.update");

            assertThat(cut).isInstanceOf(Failure.OutcomeUnknown.class);
            assertThat(fixture().letIn(volume).orElseThrow()).containsOnlyKeys(OTHER);
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
            assertThat(fixture().exports()).isZero();
        }
    }

    @Test
    void a_group_that_the_box_refuses_to_give_is_not_left() {
        StoredVolume volume = fixture().volume(true);
        try (FreenasIscsiExporter exporter = fixture().exporter(IscsiFixture.BY_NUMBER)) {
            exporter.export(volume, TestWork.patient());
            fixture()
                    .box()
                    .fault(Fault.at("iscsi.target.update", new Fault.Refusal(14, "Invalid argument"))
                            .times(3));
            for (int attempt = 0; attempt < 3; attempt++) {
                Failing.with(
                        Failure.BackendRejected.class,
                        () -> exporter.admit(volume, IscsiFixture.nodes(NODE), TestWork.patient()));

                assertThat(fixture().box().rows("iscsi_initiator")).isEmpty();
            }
        }
    }

    @Test
    void calls_that_are_cut_again_and_again_leave_few_groups() {
        StoredVolume volume = fixture().volume(true);
        try (FreenasIscsiExporter exporter = fixture().exporter(IscsiFixture.BY_NUMBER)) {
            exporter.export(volume, TestWork.patient());
            fixture()
                    .box()
                    .fault(Fault.at("iscsi.target.update", new Fault.CutBefore())
                            .times(6));
            for (int attempt = 0; attempt < 6; attempt++) {
                Failing.with(
                        Failure.OutcomeUnknown.class,
                        () -> exporter.admit(volume, IscsiFixture.nodes(NODE), TestWork.patient()));
            }

            assertThat(fixture().box().rows("iscsi_initiator")).hasSize(3);
            exporter.admit(volume, IscsiFixture.nodes(NODE), TestWork.patient());
            assertThat(fixture().letIn(volume).orElseThrow()).containsOnlyKeys(NODE);
            assertThat(fixture().box().rows("iscsi_initiator")).hasSize(3);
        }
    }

    @Test
    void two_controllers_that_admit_at_once_open_nothing_at_any_moment() {
        StoredVolume volume = fixture().volume(true);
        List<String> open = new ArrayList<>();
        var came = new AtomicBoolean();
        FreenasIscsiExporter other = fixture().exporter(IscsiFixture.BY_NUMBER);
        var calls = fixture().box().watched(method -> {
            if (isOpenToAll(volume)) {
                open.add(method);
            }
            if (method.equals("iscsi.initiator.delete") && !came.getAndSet(true)) {
                other.admit(volume, IscsiFixture.nodes(NODE), TestWork.patient());
            }
        });
        try (other;
                FreenasIscsiExporter one = fixture().exporter(calls)) {
            one.admit(volume, IscsiFixture.nodes(NODE), TestWork.patient());

            one.admit(volume, IscsiFixture.nodes(OTHER), TestWork.patient());

            assertThat(came).isTrue();
            assertThat(open).isEmpty();
            assertThat(fixture().letIn(volume)).isPresent();
        }
    }

    @Test
    void a_target_that_an_administrator_renamed_keeps_its_group() {
        StoredVolume volume = fixture().volume(true);
        try (FreenasIscsiExporter exporter = fixture().exporter(IscsiFixture.BY_NUMBER)) {
            exporter.admit(volume, IscsiFixture.nodes(NODE), TestWork.patient());
            JsonObject target = fixture().box().rows("iscsi_target").getFirst();
            fixture().box().tamper("iscsi_target", target.get("id").getAsString(), row -> {
                row.addProperty("name", "theirs");
                return row;
            });
            JsonObject link = fixture().box().rows("iscsi_targetextent").getFirst();
            fixture().box().tamper("iscsi_targetextent", link.get("id").getAsString(), _ -> new JsonObject());

            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());

            JsonObject theirs = fixture().target("theirs").orElseThrow();
            JsonArray ways = theirs.getAsJsonArray("groups");
            assertThat(ways).isNotEmpty();
            assertThat(fixture().box().rows("iscsi_initiator"))
                    .extracting(row -> row.get("id"))
                    .containsExactly(ways.get(0).getAsJsonObject().get("initiator"));
        }
    }

    @Test
    void the_ways_and_other_extents_of_an_administrators_target_stay_when_a_volume_is_shut_and_removed() {
        StoredVolume volume = fixture().volume(true);
        try (FreenasIscsiExporter exporter = fixture().exporter(IscsiFixture.BY_NUMBER)) {
            exporter.admit(volume, IscsiFixture.nodes(NODE), TestWork.patient());
            var box = fixture().box();
            box.putDataset("tank/theirs", "VOLUME", new JsonObject());
            JsonObject extent = JsonParser.parseString("{'name':'theirs','type':'DISK','disk':'zvol/tank/theirs'}")
                    .getAsJsonObject();
            box.put("iscsi_extent", extent);
            JsonObject target = box.rows("iscsi_target").getFirst();
            String theirs = "{'target':" + target.get("id") + ",'extent':" + extent.get("id") + ",'lunid':1}";
            box.put("iscsi_targetextent", JsonParser.parseString(theirs).getAsJsonObject());

            exporter.revoke(volume, Grants.NONE, TestWork.patient());
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());

            assertThat(box.rows("iscsi_target")).containsExactly(target);
            assertThat(box.rows("iscsi_extent")).containsExactly(extent);
            assertThat(box.rows("iscsi_targetextent"))
                    .extracting(row -> row.get("extent"))
                    .containsExactly(extent.get("id"));
        }
    }

    /** An extended copy asks nobody whom the other volume lets in. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_closed_volume_is_made_without_copies_that_pass_by_access_control(boolean closed) {
        StoredVolume volume = fixture().volume(closed);
        try (FreenasIscsiExporter exporter = fixture().exporter(IscsiFixture.BY_NUMBER)) {
            var _ = exporter.export(volume, TestWork.patient());

            assertThat(fixture().box().rows("iscsi_extent"))
                    .extracting(row -> row.get("insecure_tpc").getAsBoolean())
                    .containsExactly(!closed);
        }
    }
}
