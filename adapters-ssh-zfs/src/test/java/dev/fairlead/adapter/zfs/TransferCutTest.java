package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
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
class TransferCutTest extends TransferFixture {
    private static final Capacity FIVE = Capacity.ofGibibytes(5);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_dropped_session_is_taken_up_where_it_was_cut(boolean atTheSource) {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            (atTheSource ? east() : west()).dropAfter(500);

            StorageException stopped = catchThrowableOfType(StorageException.class, () -> restore(fixture, VOLUME));
            int came = west().files(TO).size();
            east().files(FROM).put("file-19", "written since");
            restore(fixture, VOLUME);

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
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            cut(fixture, SNAPSHOT);
        }

        try (TransferControllerFixture restarted = world().open()) {
            restore(restarted, SNAPSHOT);
        }

        assertThat(sends("send", "-t")).isEqualTo(1);
        assertThat(west().files(TO)).hasSize(20);
        noHold();
    }

    @Test
    void a_source_is_not_deleted_while_it_is_on_its_way() {
        try (TransferControllerFixture fixture = world().open()) {
            fixture.make("pvc-1", "east");
            east().files(FROM).put("a", "1");
            east().files(FROM).put("b", "2");
            east().dropAfter(100);
            Failing.with(Failure.BackendUnavailable.class, () -> restore(fixture, VOLUME));

            Failing.with(Failure.InUse.class, () -> fixture.delete("v:east/pvc-1"));

            assertThat(east().own(FROM)).containsKey("sharenfs");
            restore(fixture, VOLUME);
            fixture.delete("v:east/pvc-1");
        }
    }

    /** What restores have of a snapshot that was deleted stays for them; so it is with one that is carried over. */
    @Test
    void a_snapshot_that_is_deleted_meanwhile_goes_when_all_of_it_has_come() {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            cut(fixture, SNAPSHOT);

            Failing.works(() -> fixture.useCases().deleteSnapshot().delete("s:east/pvc-1@snap-1", TestWork.patient()));
            restore(fixture, SNAPSHOT);

            assertThat(west().files(TO)).hasSize(20);
            assertThat(east().names()).doesNotContain("tank/v/pvc-1@snap-1");
        }
    }

    @Test
    void a_source_that_is_gone_meanwhile_ends_it_and_nothing_is_left() {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            cut(fixture, SNAPSHOT);
            east().remove("tank/v/pvc-1@snap-1");

            Failing.with(Failure.SnapshotNotFound.class, () -> restore(fixture, SNAPSHOT));

            nothingIsLeft();
        }
    }

    @Test
    void content_that_was_replaced_under_its_name_is_carried_over_anew() {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            cut(fixture, SNAPSHOT);
            east().remove("tank/v/pvc-1@snap-1");
            east().files(FROM).replaceAll((_, _) -> "new");
            fixture.snapshot("snap-1", "v:east/pvc-1");

            restore(fixture, SNAPSHOT);

            assertThat(west().files(TO).values()).containsOnly("new").hasSize(20);
            noHold();
        }
    }

    /** The token comes from the other host, which may be somebody else's. */
    @Test
    void a_token_never_leads_to_another_snapshot() {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            cut(fixture, SNAPSHOT);
            String token = String.valueOf(west().own(TO).get("receive_resume_token"));
            east().play(List.of("zfs", "create", "tank/secret"));
            east().files("tank/secret").put("key", "of others");
            east().play(List.of("zfs", "snapshot", "tank/secret@s"));
            String guid = Long.toHexString(east().born("tank/secret@s"));
            String name = HexFormat.of().formatHex("tank/secret@s".getBytes(StandardCharsets.UTF_8));
            west().play(List.of("zfs", "set", "receive_resume_token=1-" + guid + "-1-" + name, TO));

            restore(fixture, SNAPSHOT);

            assertThat(token).isNotEmpty();
            assertThat(sends("send", "-t")).isZero();
            assertThat(west().files(TO)).hasSize(20).doesNotContainKey("key");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"; rm -rf /", "1-2-3-zz", "-x", "1-b5-c8-78 -R"})
    void what_is_no_token_reaches_no_command(String token) {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            cut(fixture, SNAPSHOT);
            west().play(List.of("zfs", "set", "receive_resume_token=" + token, TO));

            restore(fixture, SNAPSHOT);

            assertThat(east().history()).noneMatch(words -> words.contains(token));
            assertThat(west().files(TO)).hasSize(20);
        }
    }

    @Test
    void deleting_what_is_on_its_way_clears_both_ends() {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            cut(fixture, VOLUME);

            fixture.delete("v:west/pvc-2");

            nothingIsLeft();
            fixture.delete("v:west/pvc-2");
        }
    }

    /** The source has been let go of by then; letting go of it again is no reason to stop. */
    @Test
    void a_transfer_whose_end_failed_is_repeated_or_deleted() {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            west().refuse("set", "internal error");
            Failing.with(Failure.BackendUnavailable.class, () -> restore(fixture, SNAPSHOT));
            noHold();
            west().refuse("set", "");

            restore(fixture, SNAPSHOT);
            fixture.delete("v:west/pvc-2");
            west().refuse("set", "internal error");
            Failing.with(Failure.BackendUnavailable.class, () -> restore(fixture, SNAPSHOT));
            fixture.delete("v:west/pvc-2");

            nothingIsLeft();
        }
    }

    /** The content is larger than what a volume gets when nobody says. */
    private void givenLarge(TransferControllerFixture fixture) {
        given(fixture);
        east().play(List.of("zfs", "set", "refquota=" + FIVE.bytes(), FROM));
        east().lie("referenced", Long.toString(FIVE.bytes()));
        east().lie("logicalreferenced", Long.toString(FIVE.bytes()));
    }

    private static VolumeView restoreOfAnySize(TransferControllerFixture fixture, Source source) {
        return fixture.make("pvc-2", "west", source, CapacityRange.ANY, TestWork.patient());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void the_size_of_its_source_is_known_when_its_end_is_repeated(boolean snapshot) {
        Source source = snapshot ? SNAPSHOT : VOLUME;
        try (TransferControllerFixture fixture = world().open()) {
            givenLarge(fixture);
            west().refuse("set", "internal error");
            Failing.with(Failure.BackendUnavailable.class, () -> restoreOfAnySize(fixture, source));
            west().refuse("set", "");

            VolumeView volume = restoreOfAnySize(fixture, source);

            assertThat(volume.capacity()).isEqualTo(FIVE);
            assertThat(west().own(TO)).containsEntry("refquota", Long.toString(FIVE.bytes()));
        }
    }

    @Test
    void the_size_of_its_source_is_known_when_that_was_deleted_half_way() {
        try (TransferControllerFixture fixture = world().open()) {
            givenLarge(fixture);
            east().dropAfter(500);
            Failing.with(Failure.BackendUnavailable.class, () -> restoreOfAnySize(fixture, SNAPSHOT));
            Failing.works(() -> fixture.useCases().deleteSnapshot().delete("s:east/pvc-1@snap-1", TestWork.patient()));

            VolumeView volume = restoreOfAnySize(fixture, SNAPSHOT);

            assertThat(sends("send", "-t")).isEqualTo(1);
            assertThat(volume.capacity()).isEqualTo(FIVE);
            assertThat(west().own(TO)).containsEntry("refquota", Long.toString(FIVE.bytes()));
        }
    }

    @Test
    void a_limit_below_what_has_begun_ends_it_and_nothing_is_left() {
        try (TransferControllerFixture fixture = world().open()) {
            givenLarge(fixture);
            west().refuse("set", "internal error");
            Failing.with(Failure.BackendUnavailable.class, () -> restoreOfAnySize(fixture, SNAPSHOT));
            west().refuse("set", "");

            Failing.with(
                    Failure.CapacityOutOfRange.class,
                    () -> fixture.make("pvc-2", "west", SNAPSHOT, CapacityRange.of(0, 1L << 30), TestWork.patient()));

            nothingIsLeft();
        }
    }

    /** Otherwise nobody would ever let go of the source. */
    @Test
    void deleting_it_waits_for_a_source_that_does_not_answer_but_not_for_one_that_is_no_more() {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            cut(fixture, VOLUME);
            east().refuse("release", "internal error");

            Failing.with(Failure.BackendUnavailable.class, () -> fixture.delete("v:west/pvc-2"));
            assertThat(west().names()).contains(TO);
            fixture.connections().remove(new ConnectionName("east"));
            fixture.delete("v:west/pvc-2");

            assertThat(west().names()).doesNotContain(TO);
        }
    }

    @Test
    void nobody_else_takes_over_what_is_on_its_way() {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            cut(fixture, SNAPSHOT);

            Failing.with(Failure.VolumeConflict.class, () -> restore(fixture, VOLUME));
            Failing.with(Failure.VolumeConflict.class, () -> fixture.make("pvc-2", "west"));

            assertThat(fixture.useCases()
                            .listVolumes()
                            .list(Optional.empty(), 0, TestWork.patient())
                            .toString())
                    .doesNotContain("pvc-2");
            restore(fixture, SNAPSHOT);
            noHold();
        }
    }

    @Test
    void of_several_connections_the_one_is_chosen_where_it_has_begun() {
        TransferCrashFixture three = TransferCrashFixture.of(
                Map.of("east", "zfs-generic-nfs", "west", "zfs-generic-nfs", "south", "zfs-generic-nfs"), 16);
        try (TransferControllerFixture fixture = three.open()) {
            fixture.make("pvc-1", "east");
            IntStream.range(0, 20).forEach(i -> three.pool("east").files(FROM).put("file-" + i, "precious " + i));
            three.pool("east").dropAfter(500);
            Failing.with(
                    Failure.BackendUnavailable.class, () -> fixture.make("pvc-2", "south", VOLUME, TestWork.patient()));

            VolumeView volume = fixture.make("pvc-2", "west,south", VOLUME, TestWork.patient());

            assertThat(volume.handle()).isEqualTo("v:south/pvc-2");
        }
    }
}
