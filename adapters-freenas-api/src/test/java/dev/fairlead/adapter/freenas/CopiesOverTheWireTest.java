package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.WiredBox;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.simulator.SentPayloads;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Groups and copies as production composes the store, against a box of each release, over the real wire. */
@Execution(ExecutionMode.CONCURRENT)
class CopiesOverTheWireTest {
    private static final String HOLDERS = "tank/k8s/s";

    private final TestWork work = TestWork.patient();

    @TempDir
    private Path folder = Path.of("/nowhere");

    static Stream<Arguments> cells() {
        return Arrays.stream(Profile.values())
                .filter(profile -> profile.since(Profile.SCALE_24_10))
                .flatMap(profile ->
                        Stream.of(Protocol.NFS, Protocol.ISCSI).map(protocol -> Arguments.of(profile, protocol)));
    }

    private StoredVolume create(WiredBox box, CreateRequest request, TestWork its) {
        VolumeStore store = box.store();
        return store.create(store.plan(request, new NativeId(request.name().value())), its)
                .volume();
    }

    private static CreateRequest copyOf(StoredVolume source) {
        CreateRequest request = TestVolumes.fromVolume("pvc-copy", source.id());
        return new CreateRequest(
                request.name(),
                request.capacity(),
                request.capabilities(),
                Map.of("detachedVolumesFromVolumes", "true"),
                request.content());
    }

    private void delete(WiredBox box, StoredVolume volume) {
        box.store().delete(volume.id(), OnDependents.REFUSE, work);
    }

    @ParameterizedTest
    @MethodSource("cells")
    void a_group_and_copies_live_and_leave_nothing_behind(Profile profile, Protocol protocol) {
        try (WiredBox box = WiredBox.start(profile, protocol, folder)) {
            box.makeParents();
            StoredVolume one = create(box, TestVolumes.empty("pvc-a"), work);
            StoredVolume two = create(box, TestVolumes.empty("pvc-b"), work);
            StoredVolume other = create(box, TestVolumes.empty("pvc-c"), work);
            Set<String> before = box.rows();
            SnapshotStore role = box.store().snapshots().orElseThrow();

            StoredGroup group = role.groups()
                    .orElseThrow()
                    .take(new GroupRequest(new CsiName("g"), List.of(one.id(), two.id()), Map.of()), 100, work);
            assertThat(group.isWhole()).isTrue();
            assertThat(box.rows()).hasSize(before.size() + 2);
            role.groups().orElseThrow().delete(group.id(), work);
            assertThat(box.rows()).isEqualTo(before);

            if (profile.since(Profile.V25_10_0)) {
                StoredVolume copy = create(box, copyOf(other), work);
                StoredSnapshot detached = role.take(
                        new SnapshotRequest(new CsiName("s"), other.id(), Map.of("detachedSnapshots", "true")),
                        100,
                        work);
                assertThat(role.find(detached.id(), work)).contains(detached);
                role.delete(detached.id(), work);
                delete(box, copy);
                Set<String> after = box.rows();
                after.remove("dataset " + HOLDERS);
                assertThat(after).isEqualTo(before);
            }
            List.of(one, two, other).forEach(volume -> delete(box, volume));
            var _ = SentPayloads.verify(box.simulator());
        }
    }

    @ParameterizedTest
    @MethodSource("cells")
    void a_volume_is_modified_by_what_fits_the_models_of_the_release(Profile profile, Protocol protocol) {
        try (WiredBox box = WiredBox.start(profile, protocol, folder)) {
            box.makeParents();
            StoredVolume volume = create(box, TestVolumes.empty("pvc-a"), work);
            Map<String, String> wanted = protocol.isBlock()
                    ? Map.of("compression", "zstd", "sync", "always")
                    : Map.of("compression", "zstd", "sync", "always", "recordsize", "16K", "atime", "off");

            box.store().modification().orElseThrow().modify(volume.id(), wanted, work);

            assertThat(box.simulator()
                            .dump()
                            .getAsJsonObject("dataset")
                            .getAsJsonObject(WiredBox.PARENT + "/pvc-a")
                            .getAsJsonObject("props")
                            .toString())
                    .containsIgnoringCase("\"zstd\"")
                    .containsIgnoringCase("\"always\"");
            delete(box, volume);
            var _ = SentPayloads.verify(box.simulator());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void a_job_that_goes_on_is_followed_by_the_repetition_and_bars_the_deletion(Profile profile) {
        try (WiredBox box = WiredBox.start(profile, Protocol.NFS, folder)) {
            box.makeParents();
            StoredVolume source = create(box, TestVolumes.empty("pvc-a"), work);
            box.simulator().fault(Fault.at("replication.run_onetime", new Fault.JobHangs()));
            for (int round = 0; round < 2; round++) {
                TestWork brief = TestWork.named("brief").left(Duration.ofSeconds(4));

                Failure failure = Failing.failure(() -> create(box, copyOf(source), brief));

                assertThat(failure).isInstanceOf(Failure.BackendUnavailable.class);
                assertThat(failure.message()).contains("goes on");
                assertThat(brief.progressSoFar()).contains("of 100");
            }
            assertThat(box.simulator().calls())
                    .filteredOn(call -> call.method().equals("replication.run_onetime"))
                    .hasSize(1);

            box.simulator().restart();
            create(box, copyOf(source), work);
            assertThat(box.rows()).anyMatch(row -> row.endsWith("/pvc-copy"));
        }
    }
}
