package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.zfs.fake.FakePool;
import dev.fairlead.application.port.in.Source;
import dev.fairlead.application.port.in.VolumeView;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.crash.CrashPoints;
import dev.fairlead.testkit.crash.Scenario;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.lying.LyingBackend;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Volumes that are made of content of another connection, through use cases and stores, over two pools in memory. */
class TransferTest {
    private static final String FROM = "tank/v/pvc-1";
    private static final String TO = "tank/v/pvc-2";
    private static final Source VOLUME = new Source.Volume("v:east/pvc-1");
    private static final Source SNAPSHOT = new Source.Snapshot("s:east/pvc-1@snap-1");

    private final TransferWorld world = TransferWorld.of("zfs-generic-nfs");

    private FakePool east() {
        return world.pool("east");
    }

    private FakePool west() {
        return world.pool("west");
    }

    private void given(TransferProcess process) {
        process.make("pvc-1", "east");
        IntStream.range(0, 20).forEach(i -> east().files(FROM).put("file-" + i, "precious " + i));
        process.snapshot("snap-1", "v:east/pvc-1");
    }

    private static VolumeView restore(TransferProcess process, Source source) {
        return process.make("pvc-2", "west", source, TestWork.patient());
    }

    /** A transfer that has come half-way. */
    private void cut(TransferProcess process, Source source) {
        east().dropAfter(500);
        Failing.with(Failure.BackendUnavailable.class, () -> restore(process, source));
        assertThat(west().own(TO)).containsKey("receive_resume_token");
    }

    private long sends(String... first) {
        return east().history().stream()
                .filter(words -> words.subList(1, words.size()).subList(0, Math.min(first.length, words.size() - 1))
                        .equals(List.of(first)))
                .count();
    }

    private void nothingIsLeft() {
        assertThat(west().names()).containsExactlyInAnyOrder("tank", "tank/v", "tank/s");
        noHold();
    }

    private void noHold() {
        assertThat(east().dump()).doesNotContain("hold ");
        assertThat(east().names()).noneMatch(name -> name.contains("volume-source-for"));
    }

    static Stream<String> types() {
        return Stream.of("zfs-generic-nfs", "zfs-local-zvol");
    }

    @Test
    void a_snapshot_of_another_connection_is_restored_with_its_content() {
        try (TransferProcess process = world.open()) {
            given(process);
            east().files(FROM).put("file-0", "written since");

            VolumeView volume = restore(process, SNAPSHOT);

            assertThat(west().files(TO)).hasSize(20).containsEntry("file-0", "precious 0");
            assertThat(volume.handle()).isEqualTo("v:west/pvc-2");
            assertThat(volume.source()).isEqualTo(SNAPSHOT);
            assertThat(volume.context())
                    .containsEntry("fairlead.dev/content", "snapshot")
                    .containsEntry("share", "/tank/v/pvc-2");
            noHold();
            assertThat(west().names()).noneMatch(name -> name.contains("@"));
        }
    }

    @Test
    void what_is_kept_of_the_source_says_nothing_untrue_to_the_peer() {
        try (TransferProcess process = world.open()) {
            given(process);

            restore(process, VOLUME);

            assertThat(west().own(TO))
                    .containsEntry("dev.fairlead:source", "volume v:east/pvc-1")
                    .containsEntry("dev.fairlead:state", "whole")
                    .containsEntry("democratic-csi:provision_success", "true")
                    .doesNotContainKeys(
                            "democratic-csi:csi_volume_content_source_type",
                            "democratic-csi:csi_volume_content_source_id");
            assertThat(west().own(TO).get("refquota")).isEqualTo(east().own(FROM).get("refquota"));
        }
    }

    @Test
    void a_clone_of_a_detached_snapshot_goes_the_same_way() {
        try (TransferProcess process = world.open()) {
            given(process);
            String copy = process.useCases()
                    .takeSnapshot()
                    .take(
                            new dev.fairlead.domain.volume.CsiName("snap-2"),
                            "v:east/pvc-1",
                            Map.of("detachedSnapshots", "true"),
                            TestWork.patient())
                    .handle();

            restore(process, new Source.Snapshot(copy));

            assertThat(west().files(TO)).hasSize(20);
            noHold();
        }
    }

    @Test
    void a_repeated_call_answers_the_same_and_moves_nothing() {
        try (TransferProcess process = world.open()) {
            given(process);
            VolumeView first = restore(process, SNAPSHOT);
            String before = world.dump();
            long sends = sends("send", "tank/v/pvc-1@snap-1");
            east().remove("tank/v/pvc-1@snap-1");

            VolumeView again = restore(process, SNAPSHOT);

            assertThat(again).isEqualTo(first);
            assertThat(sends("send", "tank/v/pvc-1@snap-1")).isEqualTo(sends);
            assertThat(world.dump().lines().filter(line -> !line.startsWith("tank/v/pvc-1@")))
                    .containsExactlyElementsOf(before.lines()
                            .filter(line -> !line.startsWith("tank/v/pvc-1@"))
                            .toList());
        }
    }

    @Test
    void another_source_under_the_same_name_is_a_conflict() {
        try (TransferProcess process = world.open()) {
            given(process);
            restore(process, SNAPSHOT);

            Failing.with(Failure.VolumeConflict.class, () -> restore(process, VOLUME));
            Failing.with(Failure.VolumeConflict.class, () -> process.make("pvc-2", "west"));
        }
    }

    @Test
    void nobody_else_takes_over_what_is_on_its_way() {
        try (TransferProcess process = world.open()) {
            given(process);
            cut(process, SNAPSHOT);

            Failing.with(Failure.VolumeConflict.class, () -> restore(process, VOLUME));
            Failing.with(Failure.VolumeConflict.class, () -> process.make("pvc-2", "west"));

            assertThat(process.useCases()
                            .listVolumes()
                            .list(java.util.Optional.empty(), 0, TestWork.patient())
                            .toString())
                    .doesNotContain("pvc-2");
            restore(process, SNAPSHOT);
            noHold();
        }
    }

    @Test
    void a_class_that_allows_the_connection_of_the_source_makes_a_clone_there() {
        try (TransferProcess process = world.open()) {
            given(process);

            VolumeView volume = process.make("pvc-2", "west,east", SNAPSHOT, TestWork.patient());

            assertThat(volume.handle()).isEqualTo("v:east/pvc-2");
            assertThat(sends("send")).isZero();
        }
    }

    @Test
    void a_filesystem_never_becomes_a_block_device() {
        TransferWorld mixed = TransferWorld.of(Map.of("east", "zfs-generic-nfs", "west", "zfs-local-zvol"), 16);
        try (TransferProcess process = mixed.open()) {
            process.make("pvc-1", "east");
            String before = mixed.dump();

            Failing.with(Failure.Unsupported.class, () -> restore(process, VOLUME));

            assertThat(mixed.dump()).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_dropped_session_is_taken_up_where_it_was_cut(boolean atTheSource) {
        try (TransferProcess process = world.open()) {
            given(process);
            (atTheSource ? east() : west()).dropAfter(500);

            StorageException stopped =
                    org.assertj.core.api.Assertions.catchThrowableOfType(StorageException.class, () -> restore(process, VOLUME));
            int came = west().files(TO).size();
            east().files(FROM).put("file-19", "written since");
            restore(process, VOLUME);

            assertThat(stopped.failure().message())
                    .contains("transfer of v:east/pvc-1 to connection west stopped at", "MiB", "takes it up there");
            assertThat(came).isBetween(1, 19);
            assertThat(sends("send", "-t")).isEqualTo(1);
            assertThat(west().files(TO)).hasSize(20).containsEntry("file-19", "precious 19");
            assertThat(west().own(TO)).containsKey("refquota");
            noHold();
        }
    }

    @Test
    void it_is_taken_up_after_a_restart_of_the_controller() {
        try (TransferProcess process = world.open()) {
            given(process);
            cut(process, SNAPSHOT);
        }

        try (TransferProcess restarted = world.open()) {
            restore(restarted, SNAPSHOT);
        }

        assertThat(sends("send", "-t")).isEqualTo(1);
        assertThat(west().files(TO)).hasSize(20);
        noHold();
    }

    @Test
    void a_second_caller_is_told_how_far_it_has_come() throws Exception {
        try (TransferProcess process = world.open()) {
            given(process);
            var reached = new CountDownLatch(1);
            var goOn = new CountDownLatch(1);
            east().beforeSending(() -> {
                reached.countDown();
                await(goOn);
            });
            AtomicReference<String> said = new AtomicReference<>("");

            Concurrently.run(List.of(() -> restore(process, SNAPSHOT), () -> {
                await(reached);
                try {
                    restore(process, SNAPSHOT);
                } catch (StorageException e) {
                    assertThat(e.failure()).isInstanceOf(Failure.OperationPending.class);
                    said.set(e.failure().message());
                } finally {
                    goOn.countDown();
                }
            }));

            assertThat(said.get())
                    .contains("transfer of s:east/pvc-1@snap-1 to connection west: 0 of ");
            assertThat(west().files(TO)).hasSize(20);
        }
    }

    /** Other volumes of both connections, the source included, are served meanwhile. */
    @Test
    void nothing_else_waits_for_a_transfer() {
        TransferWorld narrow = TransferWorld.of(Map.of("east", "zfs-generic-nfs", "west", "zfs-generic-nfs"), 2);
        try (TransferProcess process = narrow.open()) {
            process.make("pvc-1", "east");
            AtomicReference<List<String>> made = new AtomicReference<>(List.of());
            narrow.pool("east").beforeSending(() -> made.set(List.of(
                    process.make("pvc-3", "east").handle(),
                    process.make("pvc-4", "west").handle(),
                    process.snapshot("snap-1", "v:east/pvc-1"))));

            restore(process, VOLUME);

            assertThat(made.get()).containsExactly("v:east/pvc-3", "v:west/pvc-4", "s:east/pvc-1@snap-1");
        }
    }

    @Test
    void two_transfers_towards_each_other_do_not_wait_for_each_other() {
        TransferWorld narrow = TransferWorld.of(Map.of("east", "zfs-generic-nfs", "west", "zfs-generic-nfs"), 1);
        try (TransferProcess process = narrow.open()) {
            process.make("pvc-1", "east");
            process.make("pvc-5", "west");
            narrow.pool("east")
                    .beforeSending(() -> Failing.with(
                            Failure.BackendUnavailable.class,
                            () -> process.make(
                                    "pvc-6", "east", new Source.Volume("v:west/pvc-5"), TestWork.patient())));

            restore(process, VOLUME);
            process.make("pvc-6", "east", new Source.Volume("v:west/pvc-5"), TestWork.patient());

            assertThat(narrow.pool("east").names()).contains("tank/v/pvc-6");
        }
    }

    @Test
    void a_source_is_not_deleted_while_it_is_on_its_way() {
        try (TransferProcess process = world.open()) {
            process.make("pvc-1", "east");
            east().files(FROM).put("a", "1");
            east().files(FROM).put("b", "2");
            east().dropAfter(100);
            Failing.with(Failure.BackendUnavailable.class, () -> restore(process, VOLUME));

            Failing.with(Failure.InUse.class, () -> process.delete("v:east/pvc-1"));

            assertThat(east().own(FROM)).containsKey("sharenfs");
            restore(process, VOLUME);
            process.delete("v:east/pvc-1");
        }
    }

    /** What restores have of a snapshot that was deleted stays for them; so it is with one that is carried over. */
    @Test
    void a_snapshot_that_is_deleted_meanwhile_goes_when_all_of_it_has_come() {
        try (TransferProcess process = world.open()) {
            given(process);
            cut(process, SNAPSHOT);

            Failing.works(() -> process.useCases().deleteSnapshot().delete("s:east/pvc-1@snap-1", TestWork.patient()));
            restore(process, SNAPSHOT);

            assertThat(west().files(TO)).hasSize(20);
            assertThat(east().names()).doesNotContain("tank/v/pvc-1@snap-1");
        }
    }

    @Test
    void a_source_that_is_gone_meanwhile_ends_it_and_nothing_is_left() {
        try (TransferProcess process = world.open()) {
            given(process);
            cut(process, SNAPSHOT);
            east().remove("tank/v/pvc-1@snap-1");

            Failing.with(Failure.SnapshotNotFound.class, () -> restore(process, SNAPSHOT));

            nothingIsLeft();
        }
    }

    @Test
    void content_that_was_replaced_under_its_name_is_carried_over_anew() {
        try (TransferProcess process = world.open()) {
            given(process);
            cut(process, SNAPSHOT);
            east().remove("tank/v/pvc-1@snap-1");
            east().files(FROM).replaceAll((_, _) -> "new");
            process.snapshot("snap-1", "v:east/pvc-1");

            restore(process, SNAPSHOT);

            assertThat(west().files(TO).values()).containsOnly("new").hasSize(20);
            noHold();
        }
    }

    /** The token comes from the other host, which may be somebody else's. */
    @Test
    void a_token_never_leads_to_another_snapshot() {
        try (TransferProcess process = world.open()) {
            given(process);
            cut(process, SNAPSHOT);
            String token = String.valueOf(west().own(TO).get("receive_resume_token"));
            east().play(List.of("zfs", "create", "tank/secret"));
            east().files("tank/secret").put("key", "of others");
            east().play(List.of("zfs", "snapshot", "tank/secret@s"));
            String guid = Long.toHexString(east().born("tank/secret@s"));
            String name = java.util.HexFormat.of()
                    .formatHex("tank/secret@s".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            west().play(List.of("zfs", "set", "receive_resume_token=1-" + guid + "-1-" + name, TO));

            restore(process, SNAPSHOT);

            assertThat(token).isNotEmpty();
            assertThat(sends("send", "-t")).isZero();
            assertThat(west().files(TO)).hasSize(20).doesNotContainKey("key");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"; rm -rf /", "1-2-3-zz", "-x", "1-b5-c8-78 -R"})
    void what_is_no_token_reaches_no_command(String token) {
        try (TransferProcess process = world.open()) {
            given(process);
            cut(process, SNAPSHOT);
            west().play(List.of("zfs", "set", "receive_resume_token=" + token, TO));

            restore(process, SNAPSHOT);

            assertThat(east().history()).noneMatch(words -> words.contains(token));
            assertThat(west().files(TO)).hasSize(20);
        }
    }

    @Test
    void deleting_what_is_on_its_way_clears_both_ends() {
        try (TransferProcess process = world.open()) {
            given(process);
            cut(process, VOLUME);

            process.delete("v:west/pvc-2");

            nothingIsLeft();
            process.delete("v:west/pvc-2");
        }
    }

    /** Otherwise nobody would ever let go of the source. */
    @Test
    void deleting_it_waits_for_a_source_that_does_not_answer_but_not_for_one_that_is_no_more() {
        try (TransferProcess process = world.open()) {
            given(process);
            cut(process, VOLUME);
            east().refuse("release", "internal error");

            Failing.with(Failure.BackendUnavailable.class, () -> process.delete("v:west/pvc-2"));
            assertThat(west().names()).contains(TO);
            process.connections().remove(new dev.fairlead.domain.connection.ConnectionName("east"));
            process.delete("v:west/pvc-2");

            assertThat(west().names()).doesNotContain(TO);
        }
    }

    @Test
    void a_pool_that_is_full_is_said_so_and_nothing_is_left() {
        try (TransferProcess process = world.open()) {
            given(process);
            west().refuse("receive", "cannot receive new filesystem stream: out of space");

            Failing.with(Failure.OutOfSpace.class, () -> restore(process, VOLUME));

            nothingIsLeft();
        }
    }

    @Test
    void a_source_that_refuses_is_named_and_nothing_is_left() {
        try (TransferProcess process = world.open()) {
            given(process);
            east().refuse("send", "cannot send 'tank/v/pvc-1': permission denied");

            Failing.with(Failure.BackendRejected.class, () -> restore(process, VOLUME));

            nothingIsLeft();
        }
    }

    @Test
    void a_source_connection_that_is_not_loaded_is_named() {
        try (TransferProcess process = world.open()) {
            Failing.with(
                    Failure.ConnectionUnknown.class, () -> restore(process, new Source.Snapshot("s:north/pvc-1@s")));
            Failing.with(
                    Failure.SnapshotNotFound.class,
                    () -> restore(process, new Source.Snapshot("s:east/pvc-1@'$(id)'")));

            nothingIsLeft();
        }
    }

    @Test
    void a_dataset_that_is_not_ours_is_left_alone() {
        try (TransferProcess process = world.open()) {
            given(process);
            west().put(TO, "filesystem", Map.of());

            Failing.with(Failure.NotOurs.class, () -> restore(process, VOLUME));

            assertThat(west().own(TO)).isEmpty();
            noHold();
        }
    }

    @Test
    void of_several_connections_the_one_is_chosen_where_it_has_begun() {
        TransferWorld three = TransferWorld.of(
                Map.of("east", "zfs-generic-nfs", "west", "zfs-generic-nfs", "south", "zfs-generic-nfs"), 16);
        try (TransferProcess process = three.open()) {
            process.make("pvc-1", "east");
            IntStream.range(0, 20).forEach(i -> three.pool("east").files(FROM).put("file-" + i, "precious " + i));
            three.pool("east").dropAfter(500);
            Failing.with(
                    Failure.BackendUnavailable.class,
                    () -> process.make("pvc-2", "south", VOLUME, TestWork.patient()));

            VolumeView volume = process.make("pvc-2", "west,south", VOLUME, TestWork.patient());

            assertThat(volume.handle()).isEqualTo("v:south/pvc-2");
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void it_survives_every_crash_point(String type) {
        TransferWorld fresh = TransferWorld.of(type);
        CrashPoints<TransferProcess> harness = new CrashPoints<>(fresh);

        scenarios(fresh).forEach(harness::survive);

        assertThat(harness.counts())
                .allSatisfy(count -> assertThat(count.runs()).isPositive());
    }

    @ParameterizedTest
    @MethodSource("types")
    void it_sees_through_every_lie(String type) {
        TransferWorld fresh = TransferWorld.of(type);
        LyingBackend<TransferProcess> harness = new LyingBackend<>(fresh);

        scenarios(fresh).forEach(harness::seeThrough);

        assertThat(harness.counts())
                .allSatisfy(count -> assertThat(count.runs()).isPositive());
    }

    private static List<Scenario<TransferProcess>> scenarios(TransferWorld fresh) {
        return List.of(
                Scenario.making(
                        "restore across connections",
                        process -> source(fresh, process),
                        (process, work) -> process.make("pvc-2", "west", SNAPSHOT, work)),
                Scenario.making(
                        "clone across connections",
                        process -> source(fresh, process),
                        (process, work) -> process.make("pvc-2", "west", VOLUME, work)),
                Scenario.changing(
                        "go on with a transfer",
                        process -> half(fresh, process),
                        (process, work) -> process.make("pvc-2", "west", VOLUME, work)),
                Scenario.changing("delete what is on its way", process -> half(fresh, process), (process, work) -> {
                    process.useCases().deleteVolume().delete("v:west/pvc-2", work);
                    return "done";
                }));
    }

    private static void source(TransferWorld fresh, TransferProcess process) {
        process.make("pvc-1", "east");
        IntStream.range(0, 5).forEach(i -> fresh.pool("east").files(FROM).put("file-" + i, "precious"));
        process.snapshot("snap-1", "v:east/pvc-1");
    }

    private static void half(TransferWorld fresh, TransferProcess process) {
        source(fresh, process);
        fresh.pool("east").dropAfter(120);
        Failing.with(Failure.BackendUnavailable.class, () -> restore(process, VOLUME));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
