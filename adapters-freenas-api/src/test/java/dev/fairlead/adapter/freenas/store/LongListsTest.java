package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.failure.CallLog;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.zfs.property.PeerProperties;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How lists are read that are too long for one answer. */
class LongListsTest {
    private static final int VOLUMES = 2 * TruenasApi.PAGE + 200;
    private static final int SNAPSHOTS = 4 * TruenasApi.PAGE;

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static VolumeStore store(SimulatedBox box) {
        return FreenasFixture.store(box, VolumeMedium.Kind.FILESYSTEM, Map.of());
    }

    private static StoredVolume make(VolumeStore store, String name) {
        return store.create(store.plan(TestVolumes.empty(name), new NativeId(name)), TestWork.patient())
                .volume();
    }

    private static void makeMany(SimulatedBox box) {
        for (int i = 0; i < VOLUMES; i++) {
            String name = "pvc-%05d".formatted(i);
            var marks = new JsonObject();
            marks.addProperty(PeerProperties.MANAGED, PeerProperties.TRUE);
            marks.addProperty(PeerProperties.SUCCESS, PeerProperties.TRUE);
            marks.addProperty(PeerProperties.VOLUME_NAME, name);
            box.putDataset(SimulatedBox.PARENT + "/" + name, "FILESYSTEM", marks);
        }
    }

    private static List<CallLog.Entry> queries(SimulatedBox box, String method) {
        return box.entries().stream()
                .filter(entry -> entry.method().equals(method))
                .toList();
    }

    /** Returns the queries for lists of datasets, without the looks at a parent. */
    private static List<CallLog.Entry> lists(SimulatedBox box) {
        return queries(box, "pool.dataset.query").stream()
                .filter(entry -> !entry.params().toString().contains("[\"id\",\"=\","))
                .toList();
    }

    private static List<Integer> sizes(List<CallLog.Entry> queries) {
        return queries.stream()
                .map(entry -> entry.params().getAsJsonArray().get(1).getAsJsonObject())
                .map(options -> options.get("limit").getAsInt())
                .toList();
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_10", "V26"})
    void thousands_of_volumes_are_listed_in_pages(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            makeMany(box);
            VolumeStore store = store(box);
            box.forgetCalls();

            List<StoredVolume> found =
                    store.list(PageRequest.all(), TestWork.patient()).items();

            assertThat(found).hasSize(VOLUMES).doesNotHaveDuplicates();
            assertThat(sizes(lists(box)))
                    .hasSize(2)
                    .startsWith(TruenasApi.PAGE)
                    .last()
                    .satisfies(size -> assertThat(size).isBetween(TruenasApi.PAGE, TruenasApi.LONGEST_PAGE));
        }
    }

    @Test
    void a_page_is_the_shorter_the_longer_its_objects_are() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            for (int i = 0; i < TruenasApi.PAGE + 100; i++) {
                var marks = new JsonObject();
                for (int property = 0; property < 100; property++) {
                    marks.addProperty("site:note-" + property, "x".repeat(1000));
                }
                box.putDataset(SimulatedBox.PARENT + "/pvc-%05d".formatted(i), "FILESYSTEM", marks);
            }
            VolumeStore store = store(box);
            box.forgetCalls();

            assertThat(store.list(PageRequest.all(), TestWork.patient()).items())
                    .isEmpty();

            assertThat(sizes(lists(box)))
                    .hasSizeGreaterThan(3)
                    .last()
                    .satisfies(size -> assertThat(size * 100_000L).isLessThan(TruenasApi.PAGE_LENGTH));
        }
    }

    @Test
    void a_volume_that_goes_while_a_list_is_read_hides_no_other_one() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            makeMany(box);
            VolumeStore store = FreenasFixture.store(
                    box.before("pool.dataset.query", call -> {
                        if (call == 2) {
                            box.removeDataset(SimulatedBox.PARENT + "/pvc-00000");
                        }
                    }),
                    VolumeMedium.Kind.FILESYSTEM,
                    Map.of());

            List<StoredVolume> found =
                    store.list(PageRequest.all(), TestWork.patient()).items();

            assertThat(found).extracting(volume -> volume.id().value()).contains("pvc-%05d".formatted(TruenasApi.PAGE));
        }
    }

    @Test
    void a_snapshot_is_taken_where_there_are_thousands() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = store(box);
            StoredVolume volume = make(store, "pvc-a");
            for (int i = 0; i < SNAPSHOTS; i++) {
                box.call(
                        "pool.snapshot.create",
                        Map.of("dataset", SimulatedBox.PARENT + "/pvc-a", "name", "auto-%05d".formatted(i)));
            }
            box.forgetCalls();

            StoredSnapshot taken = store.snapshots()
                    .orElseThrow()
                    .take(
                            new SnapshotRequest(new CsiName("snap-a"), volume.id(), Map.of()),
                            Integer.MAX_VALUE,
                            TestWork.patient());

            assertThat(taken.name()).isEqualTo(Optional.of(new CsiName("snap-a")));
            // One query looks for the name; the answer of the creation is what the box reads back.
            assertThat(sizes(queries(box, "pool.snapshot.query"))).containsExactly(TruenasApi.PAGE);
        }
    }

    private static List<String> listed(VolumeStore store, Optional<NativeId> source) {
        return store.snapshots().orElseThrow().list(source, PageRequest.all(), TestWork.patient()).items().stream()
                .map(snapshot -> snapshot.id().value())
                .toList();
    }

    private static StoredVolume makeWithSnapshots(SimulatedBox box, VolumeStore store, String name, int count) {
        StoredVolume volume = make(store, name);
        for (int i = 0; i < count; i++) {
            String snapshot = "%s-%03d".formatted("s".repeat(170), i);
            box.call(
                    box.profile().since(Profile.V25_10_0) ? "pool.snapshot.create" : "zfs.snapshot.create",
                    Map.of(
                            "dataset",
                            SimulatedBox.PARENT + "/" + name,
                            "name",
                            snapshot,
                            "properties",
                            Map.of(
                                    PeerProperties.MANAGED,
                                    PeerProperties.TRUE,
                                    PeerProperties.SUCCESS,
                                    PeerProperties.TRUE,
                                    PeerProperties.SNAPSHOT_NAME,
                                    snapshot)));
        }
        return volume;
    }

    /** Some are asked for one by one, which spares the box all others; beyond that, one query is for all. */
    @ParameterizedTest
    @CsvSource({"SCALE_24_10, 50, 51", "SCALE_24_10, 51, 2", "V25_10, 50, 51", "V25_10, 51, 2"})
    void up_to_25_10_a_few_snapshots_are_asked_for_one_by_one(Profile profile, int snapshots, int queries) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box);
            StoredVolume volume = makeWithSnapshots(box, store, "pvc-a", snapshots);
            String method = (profile.since(Profile.V25_10_0) ? "pool" : "zfs") + ".snapshot.query";
            box.forgetCalls();

            assertThat(listed(store, Optional.empty())).hasSize(snapshots).doesNotHaveDuplicates();

            assertThat(queries(box, method)).hasSize(queries);
            assertThat(listed(store, Optional.of(volume.id()))).hasSize(snapshots);
        }
    }

    /** A query for one transaction walks through all snapshots of the box. */
    @ParameterizedTest
    @CsvSource({
        "SCALE_24_10, 20, 2, 40, 0",
        "V25_10, 20, 2, 40, 0",
        "V25_10, 20, 3, 3, 3",
        "V25_10, 5, 10, 50, 0",
        "V25_10, 5, 12, 1, 1"
    })
    void only_beyond_a_few_snapshots_are_those_of_a_transaction_asked_for_together(
            Profile profile, int volumes, int transactions, int details, int limited) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box);
            for (int i = 0; i < volumes; i++) {
                make(store, "pvc-" + i);
            }
            String space = profile.since(Profile.V25_10_0) ? "pool" : "zfs";
            for (int i = 0; i < transactions; i++) {
                box.call(
                        space + ".snapshot.create",
                        Map.of("dataset", SimulatedBox.PARENT, "name", "auto-" + i, "recursive", true));
            }
            box.forgetCalls();

            assertThat(listed(store, Optional.empty())).isEmpty();

            List<CallLog.Entry> all = queries(box, space + ".snapshot.query");
            assertThat(all).hasSize(1 + details);
            assertThat(all)
                    .filteredOn(entry -> entry.params().toString().contains("min_txg"))
                    .hasSize(limited);
        }
    }

    /** The box takes a number of C for it, which a pool in use for very long exceeds. */
    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_10"})
    void snapshots_of_great_transactions_are_listed(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box);
            makeWithSnapshots(box, store, "pvc-a", 60);
            for (JsonObject row : box.rows("snapshot")) {
                box.tamper("snapshot", row.get("name").getAsString(), snapshot -> {
                    snapshot.addProperty("createtxg", 1L + Integer.MAX_VALUE);
                    return snapshot;
                });
            }

            assertThat(listed(store, Optional.empty())).hasSize(60);
        }
    }

    /** An answer that is too long ends the socket, and with it the changes of others. */
    @Test
    void snapshots_are_described_in_portions() {
        try (var box = new SimulatedBox(Profile.V26, folder)) {
            VolumeStore store = store(box);
            StoredVolume volume = makeWithSnapshots(box, store, "pvc-a", 300);
            makeWithSnapshots(box, store, "pvc-b", 130);
            box.forgetCalls();

            assertThat(listed(store, Optional.empty())).hasSize(430).doesNotHaveDuplicates();
            assertThat(listed(store, Optional.of(volume.id()))).hasSize(300).doesNotHaveDuplicates();

            assertThat(queries(box, "zfs.resource.snapshot.query"))
                    .extracting(entry -> entry.params().getAsJsonArray().get(0).getAsJsonObject())
                    .hasSizeLessThanOrEqualTo(6)
                    .allSatisfy(query -> {
                        assertThat(query.get("recursive").getAsBoolean()).isFalse();
                        assertThat(query.getAsJsonArray("paths"))
                                .hasSizeLessThanOrEqualTo(200)
                                .allSatisfy(
                                        path -> assertThat(path.getAsString()).contains("@"));
                        assertThat(query.toString().length()).isLessThan(50_000);
                    });
        }
    }

    @Test
    void a_snapshot_that_goes_while_a_list_is_read_hides_no_other_one() {
        try (var box = new SimulatedBox(Profile.V26, folder)) {
            makeWithSnapshots(box, store(box), "pvc-a", 220);
            String gone = "pvc-a@" + "s".repeat(170) + "-007";
            VolumeStore store = FreenasFixture.store(
                    box.before("zfs.resource.snapshot.query", call -> {
                        if (call == 1) {
                            box.tamper("snapshot", SimulatedBox.PARENT + "/" + gone, _ -> new JsonObject());
                        }
                    }),
                    VolumeMedium.Kind.FILESYSTEM,
                    Map.of());

            assertThat(listed(store, Optional.empty())).hasSize(219).doesNotContain(gone);
        }
    }
}
