package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fairlead.application.port.in.Source;
import dev.fairlead.application.port.in.VolumeView;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transfers that were cut half-way: taken up, given up, or of a source that has changed since. */
class TransferCutTest extends TransferScene {
    private static final Capacity FIVE = Capacity.ofGibibytes(5);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_dropped_session_is_taken_up_where_it_was_cut(boolean atTheSource) {
        try (TransferProcess process = world().open()) {
            given(process);
            (atTheSource ? east() : west()).dropAfter(500);

            StorageException stopped = catchThrowableOfType(StorageException.class, () -> restore(process, VOLUME));
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
        try (TransferProcess process = world().open()) {
            given(process);
            cut(process, SNAPSHOT);
        }

        try (TransferProcess restarted = world().open()) {
            restore(restarted, SNAPSHOT);
        }

        assertThat(sends("send", "-t")).isEqualTo(1);
        assertThat(west().files(TO)).hasSize(20);
        noHold();
    }

    @Test
    void a_source_is_not_deleted_while_it_is_on_its_way() {
        try (TransferProcess process = world().open()) {
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
        try (TransferProcess process = world().open()) {
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
        try (TransferProcess process = world().open()) {
            given(process);
            cut(process, SNAPSHOT);
            east().remove("tank/v/pvc-1@snap-1");

            Failing.with(Failure.SnapshotNotFound.class, () -> restore(process, SNAPSHOT));

            nothingIsLeft();
        }
    }

    @Test
    void content_that_was_replaced_under_its_name_is_carried_over_anew() {
        try (TransferProcess process = world().open()) {
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
        try (TransferProcess process = world().open()) {
            given(process);
            cut(process, SNAPSHOT);
            String token = String.valueOf(west().own(TO).get("receive_resume_token"));
            east().play(List.of("zfs", "create", "tank/secret"));
            east().files("tank/secret").put("key", "of others");
            east().play(List.of("zfs", "snapshot", "tank/secret@s"));
            String guid = Long.toHexString(east().born("tank/secret@s"));
            String name = HexFormat.of().formatHex("tank/secret@s".getBytes(StandardCharsets.UTF_8));
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
        try (TransferProcess process = world().open()) {
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
        try (TransferProcess process = world().open()) {
            given(process);
            cut(process, VOLUME);

            process.delete("v:west/pvc-2");

            nothingIsLeft();
            process.delete("v:west/pvc-2");
        }
    }

    /** The source has been let go of by then; letting go of it again is no reason to stop. */
    @Test
    void a_transfer_whose_end_failed_is_repeated_or_deleted() {
        try (TransferProcess process = world().open()) {
            given(process);
            west().refuse("set", "internal error");
            Failing.with(Failure.BackendUnavailable.class, () -> restore(process, SNAPSHOT));
            noHold();
            west().refuse("set", "");

            restore(process, SNAPSHOT);
            process.delete("v:west/pvc-2");
            west().refuse("set", "internal error");
            Failing.with(Failure.BackendUnavailable.class, () -> restore(process, SNAPSHOT));
            process.delete("v:west/pvc-2");

            nothingIsLeft();
        }
    }

    /** The content is larger than what a volume gets when nobody says. */
    private void givenLarge(TransferProcess process) {
        given(process);
        east().play(List.of("zfs", "set", "refquota=" + FIVE.bytes(), FROM));
        east().lie("referenced", Long.toString(FIVE.bytes()));
        east().lie("logicalreferenced", Long.toString(FIVE.bytes()));
    }

    private static VolumeView restoreOfAnySize(TransferProcess process, Source source) {
        return process.make("pvc-2", "west", source, CapacityRange.ANY, TestWork.patient());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void the_size_of_its_source_is_known_when_its_end_is_repeated(boolean snapshot) {
        Source source = snapshot ? SNAPSHOT : VOLUME;
        try (TransferProcess process = world().open()) {
            givenLarge(process);
            west().refuse("set", "internal error");
            Failing.with(Failure.BackendUnavailable.class, () -> restoreOfAnySize(process, source));
            west().refuse("set", "");

            VolumeView volume = restoreOfAnySize(process, source);

            assertThat(volume.capacity()).isEqualTo(FIVE);
            assertThat(west().own(TO)).containsEntry("refquota", Long.toString(FIVE.bytes()));
        }
    }

    @Test
    void the_size_of_its_source_is_known_when_that_was_deleted_half_way() {
        try (TransferProcess process = world().open()) {
            givenLarge(process);
            east().dropAfter(500);
            Failing.with(Failure.BackendUnavailable.class, () -> restoreOfAnySize(process, SNAPSHOT));
            Failing.works(() -> process.useCases().deleteSnapshot().delete("s:east/pvc-1@snap-1", TestWork.patient()));

            VolumeView volume = restoreOfAnySize(process, SNAPSHOT);

            assertThat(sends("send", "-t")).isEqualTo(1);
            assertThat(volume.capacity()).isEqualTo(FIVE);
            assertThat(west().own(TO)).containsEntry("refquota", Long.toString(FIVE.bytes()));
        }
    }

    @Test
    void a_limit_below_what_has_begun_ends_it_and_nothing_is_left() {
        try (TransferProcess process = world().open()) {
            givenLarge(process);
            west().refuse("set", "internal error");
            Failing.with(Failure.BackendUnavailable.class, () -> restoreOfAnySize(process, SNAPSHOT));
            west().refuse("set", "");

            Failing.with(
                    Failure.CapacityOutOfRange.class,
                    () -> process.make("pvc-2", "west", SNAPSHOT, CapacityRange.of(0, 1L << 30), TestWork.patient()));

            nothingIsLeft();
        }
    }

    /** Otherwise nobody would ever let go of the source. */
    @Test
    void deleting_it_waits_for_a_source_that_does_not_answer_but_not_for_one_that_is_no_more() {
        try (TransferProcess process = world().open()) {
            given(process);
            cut(process, VOLUME);
            east().refuse("release", "internal error");

            Failing.with(Failure.BackendUnavailable.class, () -> process.delete("v:west/pvc-2"));
            assertThat(west().names()).contains(TO);
            process.connections().remove(new ConnectionName("east"));
            process.delete("v:west/pvc-2");

            assertThat(west().names()).doesNotContain(TO);
        }
    }

    @Test
    void nobody_else_takes_over_what_is_on_its_way() {
        try (TransferProcess process = world().open()) {
            given(process);
            cut(process, SNAPSHOT);

            Failing.with(Failure.VolumeConflict.class, () -> restore(process, VOLUME));
            Failing.with(Failure.VolumeConflict.class, () -> process.make("pvc-2", "west"));

            assertThat(process.useCases()
                            .listVolumes()
                            .list(Optional.empty(), 0, TestWork.patient())
                            .toString())
                    .doesNotContain("pvc-2");
            restore(process, SNAPSHOT);
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
                    Failure.BackendUnavailable.class, () -> process.make("pvc-2", "south", VOLUME, TestWork.patient()));

            VolumeView volume = process.make("pvc-2", "west,south", VOLUME, TestWork.patient());

            assertThat(volume.handle()).isEqualTo("v:south/pvc-2");
        }
    }
}
