package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.testkit.FaultyBox;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.model.Answer;
import dev.fairlead.testkit.model.Code;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an RPC is answered while a box has a dataset locked or read-only, and once it has not. */
@Execution(ExecutionMode.CONCURRENT)
class UnusableBoxTest {
    private static final String PARENT = "tank/k8s/v";
    private static final String DATASET = PARENT + "/pvc-1";
    private static final String HANDLE = "v:nas/pvc-1";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static void lock(FaultyBox box, String dataset, boolean locked) {
        box.simulator().tamper("dataset", dataset, row -> {
            JsonObject changed = row.deepCopy();
            changed.addProperty("locked", locked);
            return changed;
        });
    }

    private static void publish(FaultyBox box, int node) {
        var volume = new PublishVolume.Command(
                HANDLE, id(node), TestVolumes.mount(AccessMode.MULTI_NODE_MULTI_WRITER), false);
        var _ = box.controller().useCases().publishVolume().publish(volume, TestWork.patient());
    }

    private static void unpublish(FaultyBox box, int node) {
        box.controller().useCases().unpublishVolume().unpublish(HANDLE, Optional.of(id(node)), TestWork.patient());
    }

    /** Returns the id of a node of {@link dev.fairlead.testkit.fake.TestNodes}. */
    private static String id(int node) {
        return "n=node-%1$d/i1=%1$d/vu=0000-%1$d/a=10.0.0.%1$d".formatted(node);
    }

    private static Failure refusal(FaultyBox box, int node) {
        return Failing.failure(() -> publish(box, node));
    }

    private static void verifyWords(Failure failure, Code code, String... words) {
        assertThat(Code.of(failure)).as(failure.message()).isEqualTo(code);
        assertThat(failure.message()).contains("connection box").contains(words);
    }

    @ParameterizedTest
    @CsvSource({"SCALE_24_10, NFS", "V25_04, SMB", "V25_10, ISCSI", "V26, NVMEOF", "V26, NFS"})
    void a_volume_below_a_locked_parent_is_refused_and_nothing_is_made(Profile profile, Protocol protocol) {
        try (FaultyBox box = FaultyBox.start(profile, protocol, folder)) {
            lock(box, "tank/k8s", true);

            Answer<?> answer = box.create("pvc-1");

            assertThat(answer.code()).as(answer.message()).isEqualTo(Code.FAILED_PRECONDITION);
            assertThat(answer.message())
                    .contains("connection box", PARENT + " must be unlocked to create " + PARENT, "unlock");
            assertThat(box.box().rows()).isEqualTo(box.before());
            lock(box, "tank/k8s", false);
            box.verifyRepetition("pvc-1");
        }
    }

    @ParameterizedTest
    @CsvSource({"SCALE_24_10, NFS", "V25_10, SMB", "V25_10, ISCSI", "V26, NVMEOF"})
    void a_locked_volume_is_published_to_nobody_is_not_said_to_be_there_and_can_be_deleted(
            Profile profile, Protocol protocol) {
        try (FaultyBox box = FaultyBox.start(profile, protocol, folder)) {
            assertThat(box.create("pvc-1").code()).isEqualTo(Code.OK);
            publish(box, 1);
            lock(box, DATASET, true);

            verifyWords(refusal(box, 2), Code.FAILED_PRECONDITION, DATASET + " is locked", "unlock");
            Answer<?> again = box.create("pvc-1");
            assertThat(again.code()).as(again.message()).isEqualTo(Code.UNAVAILABLE);
            assertThat(again.message()).contains(DATASET + " is locked", "unlock");
            unpublish(box, 2);
            lock(box, DATASET, false);
            publish(box, 1);
            lock(box, DATASET, true);
            unpublish(box, 1);
            box.verifyDeletion("pvc-1");
        }
    }

    @Test
    void a_locked_zvol_does_not_grow_and_says_why() {
        try (FaultyBox box = FaultyBox.start(Profile.V25_10, Protocol.ISCSI, folder)) {
            assertThat(box.create("pvc-1").code()).isEqualTo(Code.OK);
            lock(box, DATASET, true);

            Answer<?> answer = box.calls().expandVolume(HANDLE, 2 * FaultyBox.GIB, 0);

            assertThat(answer.code()).as(answer.message()).isEqualTo(Code.FAILED_PRECONDITION);
            assertThat(answer.message()).contains(DATASET + " is locked", "permission denied", "unlock");
            lock(box, DATASET, false);
            assertThat(box.calls().expandVolume(HANDLE, 2 * FaultyBox.GIB, 0).code())
                    .isEqualTo(Code.OK);
        }
    }

    @ParameterizedTest
    @CsvSource({"pool.snapshot.create, V25_10", "zfs.snapshot.create, V25_04"})
    void a_number_for_what_is_locked_is_understood_in_any_call(String method, Profile profile) {
        try (FaultyBox box = FaultyBox.start(profile, Protocol.NFS, folder)) {
            assertThat(box.create("pvc-1").code()).isEqualTo(Code.OK);
            box.fault(method, new Fault.Refusal(205, "tank/k8s/v/pvc-1: no key"));

            Answer<?> answer = box.calls().createSnapshot("snap-1", HANDLE);

            assertThat(answer.code()).as(answer.message()).isEqualTo(Code.FAILED_PRECONDITION);
            assertThat(answer.message()).contains("connection box", "no key", "unlock");
        }
    }

    @ParameterizedTest
    @CsvSource({"SCALE_24_10, Read-only file system", "V25_04, readonly property", "V26, readonly property"})
    void a_parent_that_is_read_only_is_told_as_such(Profile profile, String words) {
        try (FaultyBox box = FaultyBox.start(profile, Protocol.NFS, folder)) {
            readOnly(box, true);

            Answer<?> answer = box.create("pvc-1");

            assertThat(answer.code()).as(answer.message()).isEqualTo(Code.UNAVAILABLE);
            assertThat(answer.message()).contains("cannot be written", words, DATASET);
            readOnly(box, false);
            box.verifyRepetition("pvc-1");
        }
    }

    @Test
    void a_pool_that_is_read_only_is_told_as_such() {
        try (FaultyBox box = FaultyBox.start(Profile.V25_10, Protocol.ISCSI, folder)) {
            box.fault("pool.dataset.create", new Fault.Refusal(30, "cannot create: pool is read-only"));

            Answer<?> answer = box.create("pvc-1");

            assertThat(answer.code()).as(answer.message()).isEqualTo(Code.UNAVAILABLE);
            assertThat(answer.message()).contains("cannot be written", "pool is read-only");
            box.verifyRepetition("pvc-1");
        }
    }

    private static void readOnly(FaultyBox box, boolean on) {
        box.simulator().tamper("dataset", PARENT, row -> {
            JsonObject changed = row.deepCopy();
            changed.getAsJsonObject("props").addProperty("readonly", on ? "on" : "off");
            return changed;
        });
    }
}
