package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.WiredConnection;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.StateRows;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.failure.CallLog;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.simulator.profile.SimulatorSettings;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Content that comes from one pool of a box into another one, which the box copies by a job, and from box to box. */
@Execution(ExecutionMode.CONCURRENT)
class PoolToPoolTest {
    private static final String COPYING = "replication.run_onetime";
    private static final String HERE = WiredConnection.PARENT + "/";
    private static final String THERE = "flash/k8s/v/";
    private static final long MIB = 1 << 20;

    private final TestWork work = TestWork.patient();

    @TempDir
    private Path folder = Path.of("/nowhere");

    private Simulator box(Profile profile, SimulatorSettings settings) {
        Simulator box = Simulator.start(profile, folder.resolve(profile.name()), settings);
        box.pool("flash", 1L << 40);
        for (String name : List.of("tank/k8s", "tank/k8s/v", "flash/k8s", "flash/k8s/v")) {
            var _ = box.call(
                    "pool.dataset.create",
                    new Gson().toJsonTree(List.of(Map.of("name", name))).getAsJsonArray());
        }
        return box;
    }

    private Simulator box(Profile profile) {
        return box(profile, SimulatorSettings.standard());
    }

    private static WiredConnection open(Simulator box, Protocol protocol) {
        return WiredConnection.openWith(Map.of("parents", Map.of("fast", "flash/k8s/v")), box, protocol);
    }

    private StoredVolume create(VolumeStore store, CreateRequest request, TestWork its) {
        return store.create(store.plan(request, new NativeId(request.name().value())), its)
                .volume();
    }

    private StoredVolume create(VolumeStore store, CreateRequest request) {
        return create(store, request, work);
    }

    /** Returns the same for the class whose volumes are in the other pool. */
    private static CreateRequest there(CreateRequest request) {
        return new CreateRequest(
                request.name(),
                request.capacity(),
                request.capabilities(),
                Map.of("parent", "fast"),
                request.content());
    }

    private void delete(VolumeStore store, StoredVolume volume) {
        store.delete(volume.id(), OnDependents.REFUSE, work);
    }

    private static String content(Simulator box, String dataset) {
        JsonObject row = JsonTools.child(JsonTools.child(box.dump(), "dataset"), dataset);
        assertThat(JsonTools.text(row, "origin")).as(dataset).isEmpty();
        return JsonTools.text(row, "content") + " " + JsonTools.number(row, "data", 0) / MIB;
    }

    private static List<String> calls(Simulator box, String end) {
        return box.calls().stream()
                .map(CallLog.Entry::method)
                .filter(method -> method.endsWith(end))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"V25_10_0, NFS", "V25_10, ISCSI", "V26_BETA, NFS", "V26, ISCSI", "V27, NFS"})
    void a_restore_and_a_clone_into_another_pool_are_copied_by_the_box_and_hang_on_nothing(
            Profile profile, Protocol protocol) {
        try (Simulator box = box(profile);
                WiredConnection connection = open(box, protocol)) {
            VolumeStore store = connection.store();
            SnapshotStore snapshots = store.snapshots().orElseThrow();
            Set<String> before = StateRows.rows(box.dump());
            StoredVolume source = create(store, TestVolumes.empty("pvc-a"));
            box.write(HERE + "pvc-a", 5 * MIB, "then");
            StoredSnapshot snapshot = snapshots.take(TestVolumes.snapshot("snap", source), 100, work);
            box.write(HERE + "pvc-a", 2 * MIB, "now");
            box.clearCalls();

            StoredVolume restored = create(store, there(TestVolumes.fromSnapshot("pvc-r", snapshot.id())));
            StoredVolume clone = create(store, there(TestVolumes.fromVolume("pvc-c", source.id())));

            assertThat(calls(box, COPYING)).hasSize(2);
            assertThat(calls(box, "clone")).isEmpty();
            assertThat(restored.id()).isEqualTo(new NativeId("fast.pvc-r"));
            assertThat(restored.content()).isEqualTo(new Content.OfSnapshot(snapshot.id()));
            assertThat(clone.content()).isEqualTo(new Content.OfVolume(source.id()));
            snapshots.delete(snapshot.id(), work);
            delete(store, source);
            assertThat(content(box, THERE + "pvc-r")).isEqualTo("then 5");
            assertThat(content(box, THERE + "pvc-c")).isEqualTo("now 7");
            delete(store, restored);
            delete(store, clone);
            assertThat(StateRows.rows(box.dump())).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void a_copy_into_another_pool_is_found_again_by_the_next_process(Profile profile) {
        var slow = SimulatorSettings.standard().withJobDelay(Duration.ofMillis(2500));
        try (Simulator box = box(profile, slow)) {
            NativeId id;
            try (WiredConnection first = open(box, Protocol.ISCSI)) {
                id = create(first.store(), TestVolumes.empty("pvc-a")).id();
                box.write(HERE + "pvc-a", 5 * MIB, "precious");
                TestWork brief = TestWork.named("brief").left(Duration.ofMillis(1500));

                Failure failure =
                        Failing.failure(() -> create(first.store(), there(TestVolumes.fromVolume("pvc-c", id)), brief));

                assertThat(failure).isInstanceOf(Failure.BackendUnavailable.class);
                assertThat(failure.message()).contains("goes on");
                assertThat(brief.progressSoFar()).contains("of 100");
                assertThat(first.store().find(new NativeId("fast.pvc-c"), work)).isEmpty();
            }
            try (WiredConnection next = open(box, Protocol.ISCSI)) {
                StoredVolume copy = create(next.store(), there(TestVolumes.fromVolume("pvc-c", id)));

                assertThat(calls(box, COPYING)).hasSize(1);
                assertThat(content(box, THERE + "pvc-c")).isEqualTo("precious 5");
                assertThat(next.store().find(copy.id(), work)).contains(copy);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"V25_10, false", "V25_10, true", "V26, false", "V26, true"})
    void a_copy_whose_job_is_aborted_leaves_nothing_and_is_begun_anew(Profile profile, boolean effect) {
        try (Simulator box = box(profile);
                WiredConnection connection = open(box, Protocol.ISCSI)) {
            VolumeStore store = connection.store();
            StoredVolume source = create(store, TestVolumes.empty("pvc-a"));
            box.write(HERE + "pvc-a", 5 * MIB, "precious");
            Set<String> before = StateRows.rows(box.dump());
            box.fault(Fault.at(COPYING, new Fault.JobAborts(effect)));
            CreateRequest request = there(TestVolumes.fromVolume("pvc-c", source.id()));

            Failure failure = Failing.failure(() -> create(store, request));

            assertThat(failure.message()).contains("box").contains("aborted");
            assertThat(store.find(new NativeId("fast.pvc-c"), work)).isEmpty();
            StoredVolume copy = create(store, request);
            assertThat(calls(box, COPYING)).hasSize(2);
            assertThat(content(box, THERE + "pvc-c")).isEqualTo("precious 5");
            delete(store, copy);
            assertThat(StateRows.rows(box.dump())).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_04"})
    void a_release_that_renames_nothing_refuses_before_any_effect(Profile profile) {
        try (Simulator box = box(profile);
                WiredConnection connection = open(box, Protocol.NFS)) {
            StoredVolume source = create(connection.store(), TestVolumes.empty("pvc-a"));
            JsonObject before = box.dump();

            Failure failure = Failing.failure(
                    () -> create(connection.store(), there(TestVolumes.fromVolume("pvc-c", source.id()))));

            assertThat(failure).isInstanceOf(Failure.Unsupported.class);
            assertThat(failure.message()).contains("25.10 or later").contains("pool of its source");
            assertThat(box.dump()).isEqualTo(before);
        }
    }

    @Test
    void content_of_another_box_is_refused_before_any_effect_on_either() {
        try (Simulator one = box(Profile.V25_10);
                Simulator other = box(Profile.V26);
                WiredConnection from = open(one, Protocol.NFS);
                WiredConnection to = open(other, Protocol.NFS)) {
            StoredVolume source = create(from.store(), TestVolumes.empty("pvc-a"));
            JsonObject before = one.dump();
            JsonObject beforeThere = other.dump();
            for (Content.Kind kind : Content.Kind.values()) {
                var content =
                        new Content.Transferred(kind, "v:one/" + source.id().value());

                Failure failure = Failing.failure(() -> create(to.store(), TestVolumes.with("pvc-c", content)));

                assertThat(failure).isInstanceOf(Failure.Unsupported.class);
                assertThat(failure.message()).contains("content of another connection");
            }
            assertThat(to.store().transfer()).isEmpty();
            assertThat(from.store().transfer()).isEmpty();
            assertThat(one.dump()).isEqualTo(before);
            assertThat(other.dump()).isEqualTo(beforeThere);
        }
    }
}
