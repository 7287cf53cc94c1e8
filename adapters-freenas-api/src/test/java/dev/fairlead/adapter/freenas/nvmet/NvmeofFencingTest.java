package dev.fairlead.adapter.freenas.nvmet;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom a subsystem lets in when calls are cut, and what boxes refuse. */
class NvmeofFencingTest {
    private static final String NODE = "nqn.2014-08.org.nvmexpress:uuid:0000-1";
    private static final String OTHER = "nqn.2014-08.org.nvmexpress:uuid:0000-2";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static StoredVolume closed(NvmeofFixture fixture, FreenasNvmeofExporter exporter) {
        var birth = fixture.volumes().birth("pvc-a");
        Map<String, String> notes = new HashMap<>(exporter.plan(birth).notes());
        notes.putAll(Access.CLOSED);
        return fixture.volumes().volume(birth, notes);
    }

    private static Grants nodes(String... nqns) {
        Grants grants = Grants.NONE;
        for (String nqn : nqns) {
            grants = grants.with(new Grant(
                    "node-" + nqn.charAt(nqn.length() - 1), nqn, false, AccessMode.MULTI_NODE_MULTI_WRITER, true));
        }
        return grants;
    }

    @Test
    void an_admission_that_the_box_does_late_lets_nobody_in_who_was_shut_out() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            var fixture = NvmeofFixture.of(box);
            FreenasNvmeofExporter exporter = fixture.exporter(NvmeofFixture.BY_NUMBER);
            StoredVolume volume = closed(fixture, exporter);
            box.fault(Fault.at("nvmet.host_subsys.create", new Fault.CutBefore()));

            Failing.failure(() -> exporter.admit(volume, nodes(NODE), TestWork.patient()));
            exporter.revoke(volume, Grants.NONE, TestWork.patient());
            box.doLate("nvmet.host_subsys.create");
            exporter.admit(volume, nodes(OTHER), TestWork.patient());

            assertThat(fixture.letIn(volume)).contains(new TreeMap<>(Map.of(OTHER, false)));
        }
    }

    /** Checks that a revocation is answered only once an admission that was cut has come, or can come no more. */
    private static void assertWaitedFor(NvmeofFixture fixture, FreenasNvmeofExporter exporter, StoredVolume volume) {
        Failure failure = Failing.failure(() -> exporter.revoke(volume, nodes(OTHER), TestWork.patient()));
        fixture.box().doLate("nvmet.host_subsys.create");
        fixture.now().updateAndGet(now -> now.plusSeconds(3600));
        exporter.revoke(volume, nodes(OTHER), TestWork.patient());

        assertThat(failure).isInstanceOf(Failure.BackendUnavailable.class);
        assertThat(fixture.letIn(volume)).contains(new TreeMap<>(Map.of(OTHER, false)));
    }

    @Test
    void a_revocation_that_leaves_nodes_is_not_answered_while_a_cut_admission_may_still_come() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            var fixture = NvmeofFixture.of(box);
            FreenasNvmeofExporter exporter = fixture.exporter(NvmeofFixture.BY_NUMBER);
            StoredVolume volume = closed(fixture, exporter);
            exporter.admit(volume, nodes(OTHER), TestWork.patient());
            box.fault(Fault.at("nvmet.host_subsys.create", new Fault.CutBefore()));
            Failing.failure(() -> exporter.admit(volume, nodes(NODE, OTHER), TestWork.patient()));

            assertWaitedFor(fixture, exporter, volume);
        }
    }

    @Test
    void a_process_that_began_lately_waits_for_an_admission_that_one_before_it_may_have_sent() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            var fixture = NvmeofFixture.of(box);
            FreenasNvmeofExporter before = fixture.exporter(NvmeofFixture.BY_NUMBER);
            StoredVolume volume = closed(fixture, before);
            before.admit(volume, nodes(OTHER), TestWork.patient());
            box.fault(Fault.at("nvmet.host_subsys.create", new Fault.CutBefore()));
            Failing.failure(() -> before.admit(volume, nodes(NODE, OTHER), TestWork.patient()));
            FreenasNvmeofExporter next = new NvmeofFixture(
                            box, fixture.turns(), fixture.now(), new LateCalls(fixture.now()::get))
                    .exporter(NvmeofFixture.BY_NUMBER);

            assertWaitedFor(fixture, next, volume);
        }
    }

    @Test
    void a_host_without_a_key_is_refused_where_keys_are_asked_for() {
        try (var box = new SimulatedBox(Profile.V26, folder)) {
            var fixture = NvmeofFixture.of(box);
            FreenasNvmeofExporter exporter = fixture.exporter(NvmeofFixture.BY_NUMBER, Map.of("requireDhchap", true));
            StoredVolume volume = closed(fixture, exporter);
            var host = new JsonObject();
            host.addProperty("hostnqn", NODE);
            host.addProperty("dhchap_key", "DHHC-1:00:AAAA:");
            box.put("nvmet_host", host);

            exporter.admit(volume, nodes(NODE), TestWork.patient());
            Failure failure = Failing.failure(() -> exporter.admit(volume, nodes(NODE, OTHER), TestWork.patient()));

            assertThat(failure).isInstanceOf(Failure.BackendRejected.class);
            assertThat(failure.message())
                    .contains(OTHER, "fairlead.requireDhchap")
                    .doesNotContain("DHHC");
            assertThat(fixture.letIn(volume)).contains(new TreeMap<>(Map.of(NODE, false)));
            assertThat(box.rows("nvmet_host")).containsExactly(host);
        }
    }

    @Test
    void a_box_before_25_10_refuses_clearly_and_has_nothing_to_take_away() {
        for (Profile profile : List.of(Profile.CORE_13_0, Profile.SCALE_24_10, Profile.V25_04)) {
            try (var box = new SimulatedBox(profile, folder.resolve(profile.name()))) {
                var fixture = NvmeofFixture.of(box);
                FreenasNvmeofExporter exporter = fixture.exporter(NvmeofFixture.BY_NUMBER);
                StoredVolume volume = closed(fixture, exporter);

                Failure failure = Failing.failure(() -> exporter.export(volume, TestWork.patient()));
                exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());

                assertThat(failure).isInstanceOf(Failure.Unsupported.class);
                assertThat(failure.message()).contains("25.10", "freenas-api-iscsi");
                assertThat(box.calls()).noneMatch(call -> call.startsWith("nvmet."));
            }
        }
    }

    @Test
    void a_port_is_found_by_its_address_and_ids_are_told_for_democratic_csi() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            var fixture = NvmeofFixture.of(box);
            FreenasNvmeofExporter exporter =
                    fixture.exporter(Map.of("transports", List.of("tcp://[fd00::0:100]:4420?nr-io-queues=2")));
            var birth = fixture.volumes().birth("pvc-a");
            StoredVolume volume =
                    fixture.volumes().volume(birth, exporter.plan(birth).notes());

            var export = exporter.export(volume, TestWork.patient());

            assertThat(box.rows("nvmet_port_subsys"))
                    .extracting(row -> row.get("port_id").getAsLong())
                    .containsExactly(2L);
            assertThat(export.notes())
                    .containsOnlyKeys(
                            "freenas/nvmeof_assets_name", "freenas/nvmeof_subsystem_id", "freenas/nvmeof_namespace_id");
        }
    }

    @Test
    void a_host_that_is_linked_already_is_asked_for_its_key_too() {
        try (var box = new SimulatedBox(Profile.V26, folder)) {
            var fixture = NvmeofFixture.of(box);
            FreenasNvmeofExporter lax = fixture.exporter(NvmeofFixture.BY_NUMBER);
            StoredVolume volume = closed(fixture, lax);
            lax.admit(volume, nodes(NODE), TestWork.patient());

            FreenasNvmeofExporter strict = fixture.exporter(NvmeofFixture.BY_NUMBER, Map.of("requireDhchap", true));
            Failure failure = Failing.failure(() -> strict.admit(volume, nodes(NODE), TestWork.patient()));

            assertThat(failure).isInstanceOf(Failure.BackendRejected.class);
            assertThat(failure.message()).contains(NODE, "fairlead.requireDhchap");
        }
    }

    @Test
    void the_hosts_and_other_namespaces_of_an_administrators_subsystem_stay() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            var fixture = NvmeofFixture.of(box);
            FreenasNvmeofExporter exporter = fixture.exporter(NvmeofFixture.BY_NUMBER);
            StoredVolume volume = closed(fixture, exporter);
            exporter.admit(volume, nodes(NODE), TestWork.patient());
            long subsystem = box.rows("nvmet_subsys").getFirst().get("id").getAsLong();
            box.putDataset("tank/theirs", "VOLUME", new JsonObject());
            var theirs = box.rows("nvmet_namespace").getFirst().deepCopy();
            theirs.addProperty("device_path", "zvol/tank/theirs");
            theirs.addProperty("nsid", 2);
            box.put("nvmet_namespace", theirs);
            box.fault(Fault.at("nvmet.host_subsys.create", new Fault.CutBefore()));
            Failing.failure(() -> exporter.admit(volume, nodes(NODE, OTHER), TestWork.patient()));

            exporter.revoke(volume, Grants.NONE, TestWork.patient());
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());

            assertThat(box.rows("nvmet_namespace")).containsExactly(theirs);
            assertThat(box.rows("nvmet_subsys"))
                    .extracting(row -> row.get("id").getAsLong())
                    .containsExactly(subsystem);
            assertThat(box.rows("nvmet_host_subsys")).hasSize(1);
        }
    }

    @Test
    void the_subsystem_that_an_administrator_moved_a_volume_to_loses_the_volume_alone() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            var fixture = NvmeofFixture.of(box);
            StoredVolume volume = closed(fixture, fixture.exporter(NvmeofFixture.BY_NUMBER));
            FreenasNvmeofExporter young = new NvmeofFixture(
                            box, fixture.turns(), fixture.now(), new LateCalls(fixture.now()::get))
                    .exporter(NvmeofFixture.BY_NUMBER);
            young.admit(volume, nodes(NODE), TestWork.patient());
            JsonObject ours = box.rows("nvmet_subsys").getFirst();
            box.tamper("nvmet_subsys", ours.get("id").getAsString(), row -> {
                row.addProperty("name", "rescue");
                row.addProperty("subnqn", "nqn.2011-06.com.truenas:rescue");
                return row;
            });
            Map<String, List<JsonObject>> before = new HashMap<>();
            for (String table : List.of("nvmet_subsys", "nvmet_port_subsys", "nvmet_host_subsys")) {
                before.put(table, box.rows(table));
            }

            young.revoke(volume, Grants.NONE, TestWork.patient());

            before.forEach((table, rows) -> assertThat(box.rows(table)).isEqualTo(rows));
            assertThat(before.values()).allMatch(rows -> rows.size() == 1);
            assertThat(box.rows("nvmet_namespace")).isEmpty();
        }
    }
}
