package dev.fairlead.adapter.freenas.smb;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left of a share that another one takes the place of, and what its dataset is born as. */
class ReplacedShareTest {
    private static final String ONE = "10.0.0.1";
    private static final String TWO = "10.0.0.2";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static StoredVolume closed(SmbFixture fixture) {
        return fixture.volumes().volume(fixture.volumes().birth("pvc-a"), Access.CLOSED);
    }

    private static Grants nodes(String... addresses) {
        Grants grants = Grants.NONE;
        for (String address : addresses) {
            grants = grants.with(
                    new Grant("node-" + address, address, false, AccessMode.MULTI_NODE_MULTI_WRITER, false));
        }
        return grants;
    }

    private static JsonObject row(SimulatedBox box) {
        return box.rows("smb_share").getFirst();
    }

    private static SortedMap<String, Boolean> only(String address) {
        return new TreeMap<>(Map.of(address, false));
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10_0", "V25_10", "V26"})
    void what_an_older_release_left_empty_is_not_sent_back(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            var fixture = SmbFixture.of(box);
            FreenasSmbExporter exporter = fixture.exporter(SmbFixture.PLAIN);
            StoredVolume volume = closed(fixture);
            exporter.admit(volume, nodes(ONE), TestWork.patient());
            box.tamper("smb_share", row(box).get("id").getAsString(), share -> {
                JsonObject options = share.getAsJsonObject("options");
                options.addProperty("purpose", "LEGACY_SHARE");
                options.addProperty("path_suffix", "");
                share.addProperty("purpose", "LEGACY_SHARE");
                return share;
            });

            exporter.admit(volume, nodes(ONE, TWO), TestWork.patient());

            assertThat(row(box).getAsJsonObject("options").get("hostsallow").toString())
                    .contains(ONE, TWO);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_04", "V25_10_0", "V25_10"})
    void a_replaced_share_keeps_what_an_administrator_has_set(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            var fixture = SmbFixture.of(box);
            FreenasSmbExporter exporter = fixture.exporter(SmbFixture.PLAIN);
            StoredVolume volume = closed(fixture);
            exporter.admit(volume, nodes(ONE), TestWork.patient());
            long before = row(box).get("id").getAsLong();
            box.tamper("smb_share", Long.toString(before), share -> {
                share.addProperty("comment", "for the accountants");
                share.addProperty("readonly", true);
                share.addProperty("browsable", false);
                share.addProperty("access_based_share_enumeration", true);
                return share;
            });
            box.fault(Fault.at("sharing.smb.update", new Fault.CutBefore()));
            Failing.failure(() -> exporter.admit(volume, nodes(ONE, TWO), TestWork.patient()));

            exporter.revoke(volume, nodes(ONE), TestWork.patient());

            JsonObject after = row(box);
            assertThat(after.get("id").getAsLong()).isNotEqualTo(before);
            for (String kept : new String[] {"comment", "readonly", "browsable", "access_based_share_enumeration"}) {
                assertThat(after.get(kept)).as(kept).isNotNull();
            }
            assertThat(after.get("comment").getAsString()).isEqualTo("for the accountants");
            assertThat(after.get("readonly").getAsBoolean()).isTrue();
            assertThat(after.get("browsable").getAsBoolean()).isFalse();
            assertThat(after.get("access_based_share_enumeration").getAsBoolean())
                    .isTrue();
            assertThat(fixture.letIn(volume)).contains(only(ONE));
            assertThat(box.rows("dataset").stream()
                            .filter(each -> each.get("name").getAsString().endsWith("/pvc-a"))
                            .findFirst()
                            .orElseThrow()
                            .getAsJsonObject("user")
                            .get("democratic-csi:freenas_smb_share_id")
                            .getAsLong())
                    .isEqualTo(after.get("id").getAsLong());
        }
    }

    @Test
    void a_share_that_a_cut_has_left_deleted_is_made_again_for_those_who_remain() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            var fixture = SmbFixture.of(box);
            FreenasSmbExporter exporter = fixture.exporter(SmbFixture.PLAIN);
            StoredVolume volume = closed(fixture);
            exporter.admit(volume, nodes(ONE), TestWork.patient());
            box.fault(Fault.at("sharing.smb.update", new Fault.CutBefore()));
            Failing.failure(() -> exporter.admit(volume, nodes(ONE, TWO), TestWork.patient()));
            box.fault(Fault.at("sharing.smb.create", new Fault.CutBefore()));

            Failure cut = Failing.failure(() -> exporter.revoke(volume, nodes(ONE), TestWork.patient()));
            int left = fixture.exports();
            exporter.revoke(volume, nodes(ONE), TestWork.patient());

            assertThat(cut).isInstanceOf(Failure.OutcomeUnknown.class);
            assertThat(left).isZero();
            assertThat(fixture.letIn(volume)).contains(only(ONE));
        }
    }

    @Test
    void a_name_that_is_anothers_by_now_keeps_no_node_from_being_shut_out() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            var fixture = SmbFixture.of(box);
            FreenasSmbExporter exporter = fixture.exporter(SmbFixture.PLAIN);
            StoredVolume volume = closed(fixture);
            box.putDataset("tank/theirs", "FILESYSTEM", new JsonObject());
            var theirs = new JsonObject();
            theirs.addProperty("name", "csi-pvc-a");
            theirs.addProperty("path", "/mnt/tank/theirs");
            theirs.addProperty("enabled", true);
            box.put("smb_share", theirs);

            exporter.revoke(volume, nodes(ONE), TestWork.patient());

            assertThat(box.rows("smb_share")).containsExactly(theirs);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nobody_stays_let_in_by_a_share_that_the_box_takes_no_change_of(boolean young) {
        for (Grants remaining : new Grants[] {Grants.NONE, nodes(TWO)}) {
            try (var box = new SimulatedBox(Profile.V25_10, folder.resolve("" + remaining.isEmpty()))) {
                var fixture = SmbFixture.of(box);
                StoredVolume volume = closed(fixture);
                fixture.exporter(SmbFixture.PLAIN).admit(volume, nodes(ONE, TWO), TestWork.patient());
                box.tamper("smb_share", "1", share -> {
                    share.getAsJsonObject("options").addProperty("home", true);
                    return share;
                });
                var other = row(box).deepCopy();
                other.addProperty("name", "theirs");
                other.addProperty("path", "/mnt/tank/theirs");
                box.put("smb_share", other);
                LateCalls late = young ? new LateCalls(fixture.now()::get) : fixture.pending();
                var exporter = new SmbFixture(box, fixture.turns(), fixture.now(), late).exporter(SmbFixture.PLAIN);

                exporter.revoke(volume, remaining, TestWork.patient());

                assertThat(fixture.letIn(volume)).contains(new TreeMap<>());
                assertThat(box.rows("smb_share")).containsExactly(other);
            }
        }
    }

    @Test
    void a_change_of_a_process_that_died_lets_nobody_in_though_the_share_seems_right() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            var fixture = SmbFixture.of(box);
            FreenasSmbExporter before = fixture.exporter(SmbFixture.PLAIN);
            StoredVolume volume = closed(fixture);
            before.admit(volume, nodes(ONE), TestWork.patient());
            box.fault(Fault.at("sharing.smb.update", new Fault.CutBefore()));
            Failing.failure(() -> before.admit(volume, nodes(ONE, TWO), TestWork.patient()));
            FreenasSmbExporter next = new SmbFixture(
                            box, fixture.turns(), fixture.now(), new LateCalls(fixture.now()::get))
                    .exporter(SmbFixture.PLAIN);

            next.revoke(volume, nodes(ONE), TestWork.patient());
            box.doLate("sharing.smb.update");

            assertThat(fixture.letIn(volume)).contains(only(ONE));
        }
    }

    @Test
    void a_dataset_that_is_shared_by_smb_is_born_for_it() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            FreenasSmbExporter exporter = SmbFixture.of(box).exporter(SmbFixture.PLAIN);
            var store = FreenasFixture.store(box, VolumeMedium.Kind.FILESYSTEM, Map.of());
            var birth = store.plan(TestVolumes.empty("pvc-b"), new NativeId("pvc-b"));
            var plan = exporter.plan(birth);

            store.create(birth.exported(plan.notes(), plan.bornWith()), TestWork.patient());

            JsonObject made = box.rows("dataset").stream()
                    .filter(each -> each.get("name").getAsString().endsWith("/pvc-b"))
                    .findFirst()
                    .orElseThrow()
                    .getAsJsonObject("props");
            assertThat(made.get("casesensitivity").getAsString()).isEqualTo("insensitive");
            assertThat(made.get("acltype").getAsString()).isEqualTo("nfsv4");
        }
    }
}
