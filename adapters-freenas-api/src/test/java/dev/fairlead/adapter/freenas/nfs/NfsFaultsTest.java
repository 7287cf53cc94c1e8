package dev.fairlead.adapter.freenas.nfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.NoteChange;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.http.Json;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a share lets in when changes come late, twice, or are only claimed. */
@Execution(ExecutionMode.CONCURRENT)
class NfsFaultsTest {
    private static final String PATH = "/mnt/" + SimulatedBox.PARENT + "/pvc-a";
    private static final Grants ONE = Grants.NONE.with(grant(1));
    private static final Grants BOTH = ONE.with(grant(2));

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static Grant grant(int number) {
        return new Grant("node-" + number, "10.0.0." + number, false, AccessMode.MULTI_NODE_MULTI_WRITER, false);
    }

    private SimulatedBox box(Profile profile) {
        return new SimulatedBox(profile, folder);
    }

    private static FreenasNfsExporter exporter(SimulatedBox box, LateCalls pending) {
        return new FreenasNfsExporter(box.client(), NfsSubject.settings(Map.of()), pending);
    }

    private static VolumeStore store(SimulatedBox box) {
        return FreenasFixture.store(box, VolumeMedium.Kind.FILESYSTEM, Map.of());
    }

    private static StoredVolume volume(SimulatedBox box, Map<String, String> notes) {
        VolumeStore store = store(box);
        return store.create(
                        store.plan(TestVolumes.empty("pvc-a"), new NativeId("pvc-a"))
                                .noting(notes),
                        TestWork.patient())
                .volume();
    }

    /** Records nodes with the volume, as the application does before it lets them in. */
    private static StoredVolume recorded(SimulatedBox box, StoredVolume volume, Grants grants) {
        store(box)
                .change(
                        volume.id(),
                        new NoteChange(Access.GRANTS, volume.notes().getOrDefault(Access.GRANTS, ""), grants.text()),
                        TestWork.patient());
        return store(box).find(volume.id(), TestWork.patient()).orElseThrow();
    }

    private static void assertLetIn(SimulatedBox box, StoredVolume volume, Grants grants) {
        assertThat(NfsSubject.letIn(box, volume)).contains(new TreeMap<>(grants.initiators()));
    }

    /** Makes a volume that one node uses, and to which another one is let in late, by a process that died. */
    private static StoredVolume admittedToBothLate(SimulatedBox box) {
        StoredVolume volume = recorded(box, volume(box, Access.CLOSED), BOTH);
        exporter(box, Settled.pending()).admit(volume, ONE, TestWork.patient());
        box.fault(Fault.at("sharing.nfs.update", new Fault.Late(Duration.ZERO)));
        Failing.with(
                Failure.OutcomeUnknown.class,
                () -> exporter(box, Settled.pending()).admit(volume, BOTH, TestWork.patient()));
        return volume;
    }

    @Test
    void a_change_that_comes_late_reopens_nothing_after_a_revocation() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            FreenasNfsExporter exporter = exporter(box, Settled.pending());
            StoredVolume volume = recorded(box, volume(box, Access.CLOSED), BOTH);
            box.fault(Fault.at("sharing.nfs.update", new Fault.Late(Duration.ZERO)));
            Failing.with(Failure.OutcomeUnknown.class, () -> exporter.admit(volume, BOTH, TestWork.patient()));

            exporter.revocation().orElseThrow().revoke(volume, Grants.NONE, TestWork.patient());
            box.awaitLate();

            assertLetIn(box, volume, Grants.NONE);
        }
    }

    @Test
    void a_change_of_a_process_that_died_reopens_nothing_either() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            StoredVolume volume = admittedToBothLate(box);

            FreenasNfsExporter next = exporter(box, new LateCalls(InstantSource.system()));
            next.revocation().orElseThrow().revoke(volume, Grants.NONE, TestWork.patient());
            box.awaitLate();

            assertLetIn(box, volume, Grants.NONE);
        }
    }

    @Test
    void a_change_of_a_process_that_died_reopens_nothing_though_the_share_seems_right() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            StoredVolume volume = admittedToBothLate(box);

            FreenasNfsExporter next = exporter(box, new LateCalls(InstantSource.system()));
            next.revocation().orElseThrow().revoke(volume, ONE, TestWork.patient());
            box.awaitLate();

            assertLetIn(box, volume, ONE);
            assertThat(store(box)
                            .find(volume.id(), TestWork.patient())
                            .orElseThrow()
                            .notes())
                    .containsEntry(
                            Notes.FREENAS_NFS_SHARE,
                            box.shares().getFirst().get("id").getAsString());
        }
    }

    @Test
    void one_that_has_waited_to_lead_for_long_knows_no_more_of_what_was_sent_before_it() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            var now = new AtomicReference<>(Instant.now());
            FreenasNfsExporter waiting = exporter(box, new LateCalls(now::get));
            StoredVolume volume = admittedToBothLate(box);
            now.set(now.get().plus(Duration.ofHours(1)));

            waiting.revocation().orElseThrow().revoke(volume, ONE, TestWork.patient());
            box.awaitLate();

            assertLetIn(box, volume, ONE);
        }
    }

    @Test
    void a_process_that_began_lately_lets_a_node_in_without_replacing_the_share_that_others_use() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            StoredVolume volume = recorded(box, volume(box, Access.CLOSED), BOTH);
            exporter(box, Settled.pending()).admit(volume, ONE, TestWork.patient());
            String before = box.shares().getFirst().get("id").getAsString();

            exporter(box, new LateCalls(InstantSource.system())).admit(volume, BOTH, TestWork.patient());

            assertThat(box.shares().getFirst().get("id").getAsString()).isEqualTo(before);
            assertLetIn(box, volume, BOTH);
        }
    }

    @Test
    void a_share_of_a_closed_volume_that_is_made_late_lets_nobody_in() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            FreenasNfsExporter exporter = exporter(box, Settled.pending());
            StoredVolume volume = recorded(box, volume(box, Access.CLOSED), ONE);
            box.fault(Fault.at("sharing.nfs.create", new Fault.Late(Duration.ZERO)));
            Failing.with(Failure.OutcomeUnknown.class, () -> exporter.admit(volume, ONE, TestWork.patient()));
            exporter.admit(volume, ONE, TestWork.patient());
            assertLetIn(box, volume, ONE);
            box.awaitLate();

            assertThat(box.shares()).hasSize(2);
            assertLetIn(box, volume, ONE);
            exporter.admit(volume, ONE, TestWork.patient());

            assertThat(box.shares()).hasSize(1);
            assertLetIn(box, volume, ONE);
        }
    }

    @Test
    void a_late_twin_of_an_open_share_goes_with_the_repetition() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            FreenasNfsExporter exporter = exporter(box, Settled.pending());
            StoredVolume volume = volume(box, Map.of());
            box.fault(Fault.at("sharing.nfs.create", new Fault.Late(Duration.ZERO)));
            Failing.with(Failure.OutcomeUnknown.class, () -> exporter.export(volume, TestWork.patient()));
            exporter.export(volume, TestWork.patient());
            box.awaitLate();
            assertThat(box.shares()).hasSize(2);

            exporter.export(volume, TestWork.patient());
            assertThat(box.shares()).hasSize(1);
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());

            assertThat(box.shares()).isEmpty();
        }
    }

    @Test
    void a_revocation_that_a_box_only_claims_is_not_believed() {
        try (SimulatedBox box = box(Profile.V26)) {
            FreenasNfsExporter exporter = exporter(box, Settled.pending());
            StoredVolume volume = recorded(box, volume(box, Access.CLOSED), BOTH);
            exporter.admit(volume, BOTH, TestWork.patient());
            box.fault(Fault.at("sharing.nfs.update", new Fault.Lie()));

            Failing.with(
                    Failure.BackendUnavailable.class,
                    () -> exporter.revocation().orElseThrow().revoke(volume, ONE, TestWork.patient()));
            exporter.revocation().orElseThrow().revoke(volume, ONE, TestWork.patient());

            assertLetIn(box, volume, ONE);
        }
    }

    @Test
    void a_record_that_changes_meanwhile_decides() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            StoredVolume volume = recorded(box, volume(box, Access.CLOSED), BOTH);
            var racing = new FreenasNfsExporter(
                    box.interrupted("sharing.nfs.update", () -> recorded(box, volume, Grants.NONE)),
                    NfsSubject.settings(Map.of()),
                    Settled.pending());

            Failing.with(Failure.BackendUnavailable.class, () -> racing.admit(volume, BOTH, TestWork.patient()));

            assertLetIn(box, volume, Grants.NONE);
        }
    }

    @Test
    void a_call_that_was_planned_from_an_older_record_changes_nothing() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            FreenasNfsExporter exporter = exporter(box, Settled.pending());
            StoredVolume older = recorded(box, volume(box, Access.CLOSED), BOTH);
            recorded(box, older, Grants.NONE);

            Failing.with(Failure.BackendUnavailable.class, () -> exporter.admit(older, BOTH, TestWork.patient()));

            assertLetIn(box, older, Grants.NONE);
        }
    }

    @Test
    void a_number_that_is_anothers_share_by_now_is_left_alone() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            FreenasNfsExporter exporter = exporter(box, Settled.pending());
            box.call("pool.dataset.create", Map.of("name", "tank/other"));
            box.call("sharing.nfs.create", Map.of("path", "/mnt/tank/other"));
            StoredVolume volume = volume(box, Map.of(Notes.FREENAS_NFS_SHARE, "1"));

            exporter.export(volume, TestWork.patient());
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());

            assertThat(box.shares())
                    .hasSize(1)
                    .allSatisfy(share -> assertThat(Json.text(share, "path")).contains("/mnt/tank/other"));
        }
    }

    @Test
    void a_share_of_core_keeps_its_other_paths_when_one_is_closed() {
        try (SimulatedBox box = box(Profile.CORE_13_0)) {
            StoredVolume volume = new StoredVolume(
                    new NativeId("pvc-a"),
                    Optional.empty(),
                    Optional.empty(),
                    new VolumeMedium.Filesystem(PATH),
                    dev.fairlead.domain.volume.Content.EMPTY,
                    Access.CLOSED);
            box.call("pool.dataset.create", Map.of("name", SimulatedBox.PARENT + "/pvc-a"));
            box.call("pool.dataset.create", Map.of("name", SimulatedBox.PARENT + "/theirs"));
            String other = "/mnt/" + SimulatedBox.PARENT + "/theirs";
            box.call("sharing.nfs.create", Map.of("paths", List.of(PATH, other)));

            exporter(box, Settled.pending()).revocation().orElseThrow().revoke(volume, Grants.NONE, TestWork.patient());

            JsonObject left = box.shares().getFirst();
            var paths = new JsonArray();
            paths.add(other);
            assertThat(left.get("paths")).isEqualTo(paths);
            assertThat(Json.flag(left, "enabled")).isTrue();
        }
    }

    @Test
    void a_volume_is_shared_by_two_calls_and_unshared_by_two() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            FreenasNfsExporter exporter = exporter(box, Settled.pending());
            StoredVolume volume = volume(box, Map.of());
            box.forgetCalls();

            exporter.export(volume, TestWork.patient());
            assertThat(box.calls()).containsExactly("sharing.nfs.query", "sharing.nfs.create");
            box.forgetCalls();
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());

            assertThat(box.calls()).containsExactly("sharing.nfs.query", "sharing.nfs.delete");
            store(box).delete(volume.id(), OnDependents.REFUSE, TestWork.patient());
        }
    }
}
