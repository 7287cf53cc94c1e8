package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.testkit.FaultyBox;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.model.Answer;
import dev.fairlead.testkit.model.Code;
import dev.fairlead.testkit.model.Facts;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a caller is told where a box has no room, in its own words and whatever errno it has for them. */
@Execution(ExecutionMode.CONCURRENT)
class NoSpaceTest {
    private static final String VOLUME = "v:nas/pvc-1";
    private static final String FULL = "Failed: cannot create 'tank/k8s/v/x': out of space";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static void refuse(FaultyBox box, int errno, String having, String text, String... methods) {
        for (String method : methods) {
            box.simulator()
                    .fault(Fault.at(method, new Fault.Refusal(errno, text))
                            .having(having)
                            .always());
        }
    }

    private static void assertFull(Answer<?> answer, String words) {
        assertThat(answer.code()).as(answer.message()).isEqualTo(Code.RESOURCE_EXHAUSTED);
        assertThat(answer.message()).contains("connection box").contains(words);
    }

    @ParameterizedTest
    @CsvSource({"SCALE_24_10, NFS, 14", "V25_10, ISCSI, 14", "V25_10, NFS, 28", "V26, SMB, 28", "V26_BETA, ISCSI, 14"})
    void a_volume_that_has_no_room_is_not_made(Profile profile, Protocol protocol, int errno) {
        try (FaultyBox box = FaultyBox.start(profile, protocol, folder)) {
            refuse(box, errno, "", errno == 28 ? "no luck" : FULL, "pool.dataset.create");

            assertFull(box.create("pvc-1"), errno == 28 ? "no luck" : FULL);

            assertThat(box.box().rows()).isEqualTo(box.before());
            box.verifyRepetition("pvc-1");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "SCALE_24_10, NFS, refquota, 14, out of space",
        "V25_10, ISCSI, volsize, 14, cannot set property for 'x': size is greater than available space",
        "V26, ISCSI, volsize, 28, no luck",
        "V26, NFS, refquota, 122, no luck"
    })
    void a_volume_that_has_no_room_to_grow_stays_as_it_is(
            Profile profile, Protocol protocol, String property, int errno, String words) {
        try (FaultyBox box = FaultyBox.start(profile, protocol, folder)) {
            assertThat(box.create("pvc-1").code()).isEqualTo(Code.OK);
            refuse(box, errno, property, words, "pool.dataset.update");

            Answer<?> refused = box.calls().expandVolume(VOLUME, 2 * FaultyBox.GIB, 0);
            assertThat(refused.code()).as(refused.message()).isEqualTo(Code.OUT_OF_RANGE);
            assertThat(refused.message()).contains("connection box has no room").contains(words);

            assertThat(box.calls().getVolume(VOLUME).value().orElseThrow().capacity())
                    .isEqualTo(FaultyBox.GIB);
            assertThat(box.box().notes()).isEmpty();
            box.simulator().clearFaults();
            assertThat(box.calls().expandVolume(VOLUME, 2 * FaultyBox.GIB, 0).value())
                    .contains(2 * FaultyBox.GIB);
            box.verifyDeletion("pvc-1");
        }
    }

    @ParameterizedTest
    @CsvSource({"SCALE_24_10, NFS, 14", "V25_10, ISCSI, 14", "V26, NFS, 28"})
    void a_snapshot_that_has_no_room_is_not_taken(Profile profile, Protocol protocol, int errno) {
        String words = errno == 28 ? "no luck" : "cannot create snapshot 'x': out of space";
        try (FaultyBox box = FaultyBox.start(profile, protocol, folder)) {
            assertThat(box.create("pvc-1").code()).isEqualTo(Code.OK);
            Set<String> there = box.box().rows();
            refuse(box, errno, "", words, "zfs.snapshot.create", "pool.snapshot.create");

            assertFull(box.calls().createSnapshot("snap-1", VOLUME), words);

            assertThat(box.box().rows()).isEqualTo(there);
            box.simulator().clearFaults();
            Answer<Facts.Snapshot> taken = box.calls().createSnapshot("snap-1", VOLUME);
            assertThat(taken.code()).as(taken.message()).isEqualTo(Code.OK);
            assertThat(box.calls()
                            .deleteSnapshot(taken.value().orElseThrow().id())
                            .code())
                    .isEqualTo(Code.OK);
            box.verifyDeletion("pvc-1");
        }
    }

    @ParameterizedTest
    @CsvSource({"SCALE_24_10, NFS, 14", "V25_10, ISCSI, 14", "V26, NFS, 28"})
    void a_clone_that_has_no_room_leaves_neither_itself_nor_its_snapshot(
            Profile profile, Protocol protocol, int errno) {
        String words = errno == 28 ? "no luck" : FULL;
        try (FaultyBox box = FaultyBox.start(profile, protocol, folder)) {
            assertThat(box.create("pvc-1").code()).isEqualTo(Code.OK);
            String snapshot = box.calls()
                    .createSnapshot("snap-1", VOLUME)
                    .value()
                    .orElseThrow()
                    .id();
            Set<String> there = box.box().rows();
            for (Facts.Source source : List.of(
                    new Facts.Source(Facts.Source.Kind.SNAPSHOT, snapshot),
                    new Facts.Source(Facts.Source.Kind.VOLUME, VOLUME))) {
                refuse(box, errno, "", words, "zfs.snapshot.clone", "pool.snapshot.clone");

                assertFull(box.calls().createVolume("pvc-2", FaultyBox.GIB, 0, source), words);

                assertThat(box.box().rows()).as(source.toString()).isEqualTo(there);
                box.simulator().clearFaults();
                Answer<?> again = box.calls().createVolume("pvc-2", FaultyBox.GIB, 0, source);
                assertThat(again.code()).as(again.message()).isEqualTo(Code.OK);
                assertThat(box.delete("pvc-2").code()).isEqualTo(Code.OK);
                assertThat(box.box().rows()).as(source.toString()).isEqualTo(there);
            }
            assertThat(box.calls().deleteSnapshot(snapshot).code()).isEqualTo(Code.OK);
            box.verifyDeletion("pvc-1");
        }
    }
}
