package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.testkit.BoxController;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.WiredBox;
import dev.fairlead.application.port.in.list.ListSnapshots;
import dev.fairlead.application.port.in.snapshot.GroupView;
import dev.fairlead.application.port.in.snapshot.SnapshotView;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.failure.RowsRead;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A box with thousands of snapshots of others, as tasks make them by the hour: to read one with its properties costs it
 * about a millisecond, and no call on a few snapshots of volumes has it read them.
 */
@Execution(ExecutionMode.CONCURRENT)
class CrowdOfSnapshotsTest {
    private static final int DATASETS = 200;
    private static final int SNAPSHOTS = 100;

    /** The most snapshots that one call on a few of them has the box read. */
    private static final long FEW = 20;

    private static final String VOLUME = "v:nas/pvc-1";

    @TempDir
    private Path folder = Path.of("/nowhere");

    /**
     * Adds datasets of others beside the volumes' parent, each with snapshots by the names that a task gives, as the
     * parent.
     */
    private static void crowd(WiredBox box) {
        box.make("tank/others", VolumeMedium.Kind.FILESYSTEM, Map.of());
        Simulator simulator = box.simulator();
        String dataset = "tank/others";
        simulator.call(
                simulator.profile().since(Profile.V25_10_0) ? "pool.snapshot.create" : "zfs.snapshot.create",
                JsonTools.array(JsonTools.object("dataset", dataset, "name", "auto")));
        JsonObject dump = simulator.dump();
        JsonObject datasets = dump.getAsJsonObject("dataset");
        JsonObject snapshots = dump.getAsJsonObject("snapshot");
        JsonObject row = snapshots.remove(dataset + "@auto").getAsJsonObject();
        for (int i = 0; i < DATASETS; i++) {
            String name = dataset + "/d-" + i;
            JsonObject made = datasets.getAsJsonObject(dataset).deepCopy();
            made.addProperty("name", name);
            datasets.add(name, made);
            for (int number = 0; number < SNAPSHOTS; number++) {
                JsonObject snapshot = row.deepCopy();
                snapshot.addProperty("name", name + "@auto-" + number);
                snapshot.addProperty("dataset", name);
                snapshot.addProperty("snapshot_name", "auto-" + number);
                snapshots.add(name + "@auto-" + number, snapshot);
            }
        }
        for (int number = 0; number < SNAPSHOTS; number++) {
            JsonObject snapshot = row.deepCopy();
            snapshot.addProperty("name", WiredBox.PARENT + "@auto-" + number);
            snapshot.addProperty("dataset", WiredBox.PARENT);
            snapshot.addProperty("snapshot_name", "auto-" + number);
            snapshots.add(WiredBox.PARENT + "@auto-" + number, snapshot);
        }
        simulator.become(dump);
    }

    private static <T> T cheap(WiredBox box, String what, Supplier<T> rpc) {
        return cheap(box, FEW, what, rpc);
    }

    private static <T> T cheap(WiredBox box, long most, String what, Supplier<T> rpc) {
        box.simulator().clearCalls();
        T answer = rpc.get();
        List<RowsRead> read =
                box.simulator().calls().stream().map(entry -> entry.read()).toList();
        assertThat(read.stream().mapToLong(RowsRead::snapshots).sum())
                .as("snapshots that %s has %s read", what, box.simulator().profile())
                .isLessThanOrEqualTo(most);
        return answer;
    }

    private static List<SnapshotView> list(
            OneConnectionFixture controller, Optional<String> snapshot, Optional<String> source) {
        return controller
                .useCases()
                .listSnapshots()
                .list(new ListSnapshots.Query(snapshot, source, Optional.empty(), 0), TestWork.patient())
                .items();
    }

    private static SnapshotView take(OneConnectionFixture controller, String name, String source) {
        return controller.useCases().takeSnapshot().take(new CsiName(name), source, Map.of(), TestWork.patient());
    }

    /** CORE keeps no volumes by the API. */
    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_04", "V25_10_0", "V25_10", "V26_BETA", "V26"})
    void a_few_snapshots_are_handled_without_reading_those_of_others(Profile profile) {
        try (WiredBox box = WiredBox.start(profile, Protocol.NFS, folder)) {
            box.makeParents();
            crowd(box);
            try (OneConnectionFixture controller = new BoxController(box.simulator(), Protocol.NFS).open()) {
                controller.create("pvc-1");
                controller.create("pvc-2");

                SnapshotView taken = cheap(box, "CreateSnapshot", () -> take(controller, "snap-1", VOLUME));
                cheap(box, "CreateSnapshot", () -> take(controller, "snap-2", VOLUME));
                SnapshotView again = cheap(box, "a repeated CreateSnapshot", () -> take(controller, "snap-1", VOLUME));

                assertThat(again).isEqualTo(taken);
                cheap(box, "CreateSnapshot of another volume", () -> {
                    assertThatThrownBy(() -> take(controller, "snap-1", "v:nas/pvc-2"))
                            .isInstanceOf(StorageException.class)
                            .hasMessageContaining("snap-1");
                    return true;
                });
                assertThat(cheap(box, "ListSnapshots", () -> list(controller, Optional.empty(), Optional.empty())))
                        .hasSize(2);
                assertThat(cheap(
                                box,
                                "ListSnapshots of a volume",
                                () -> list(controller, Optional.empty(), Optional.of(VOLUME))))
                        .hasSize(2);
                assertThat(cheap(
                                box,
                                "ListSnapshots of an id",
                                () -> list(controller, Optional.of(taken.handle()), Optional.empty())))
                        .containsExactly(taken);
                cheap(box, "DeleteVolume of one with snapshots", () -> {
                    assertThatThrownBy(
                                    () -> controller.useCases().deleteVolume().delete(VOLUME, TestWork.patient()))
                            .isInstanceOf(StorageException.class);
                    return true;
                });
                cheap(box, "DeleteSnapshot", () -> delete(controller, "s:nas/pvc-1@snap-1"));
                cheap(box, "DeleteSnapshot", () -> delete(controller, "s:nas/pvc-1@snap-2"));
                cheap(box, "DeleteVolume", () -> {
                    controller.useCases().deleteVolume().delete(VOLUME, TestWork.patient());
                    return true;
                });
                assertThat(box.rows()).noneMatch(row -> row.contains("pvc-1"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_04", "V25_10", "V26"})
    void a_group_is_handled_without_reading_the_snapshots_of_others(Profile profile) {
        try (WiredBox box = WiredBox.start(profile, Protocol.NFS, folder)) {
            box.makeParents();
            crowd(box);
            try (OneConnectionFixture controller = new BoxController(box.simulator(), Protocol.NFS).open()) {
                List<String> volumes = List.of(VOLUME, "v:nas/pvc-2", "v:nas/pvc-3");
                volumes.forEach(volume -> controller.create(volume.substring(volume.indexOf('/') + 1)));
                Supplier<GroupView> take = () -> controller
                        .useCases()
                        .groups()
                        .take()
                        .take(new CsiName("group-1"), volumes, Map.of(), TestWork.patient());

                GroupView taken = cheap(box, 2 * FEW, "CreateVolumeGroupSnapshot", take);

                assertThat(taken.snapshots()).hasSize(3);
                assertThat(cheap(box, 2 * FEW, "a repeated CreateVolumeGroupSnapshot", take))
                        .isEqualTo(taken);
                assertThat(cheap(
                                box,
                                "ListSnapshots with a group",
                                () -> list(controller, Optional.empty(), Optional.of(VOLUME))))
                        .hasSize(1);
                assertThat(cheap(
                                box,
                                "ListSnapshots of all with a group",
                                () -> list(controller, Optional.empty(), Optional.empty())))
                        .hasSize(3);
                cheap(box, "DeleteVolume of one with a group's snapshot", () -> {
                    assertThatThrownBy(
                                    () -> controller.useCases().deleteVolume().delete(VOLUME, TestWork.patient()))
                            .isInstanceOf(StorageException.class);
                    return true;
                });
                cheap(box, 2 * FEW, "DeleteVolumeGroupSnapshot", () -> {
                    controller.useCases().groups().delete().delete(taken.handle(), List.of(), TestWork.patient());
                    return true;
                });
                assertThat(list(controller, Optional.empty(), Optional.empty())).isEmpty();
            }
        }
    }

    private static boolean delete(OneConnectionFixture controller, String snapshot) {
        controller.useCases().deleteSnapshot().delete(snapshot, TestWork.patient());
        return true;
    }
}
