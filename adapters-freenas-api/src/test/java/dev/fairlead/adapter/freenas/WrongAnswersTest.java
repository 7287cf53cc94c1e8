package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.testkit.FaultyBox;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.WiredConnection;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.simulator.failure.CallLog;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.model.Answer;
import dev.fairlead.testkit.model.Code;
import dev.fairlead.testkit.model.Facts;
import dev.fairlead.testkit.model.UseCaseCalls;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What an RPC is answered if a box sends elsewhere in the midst of it, or fails at its own answer. */
@Execution(ExecutionMode.CONCURRENT)
class WrongAnswersTest {
    private static final String STANDBY = "{\"response_type\":\"REDIRECT\",\"urls\":[\"https://other.example.org\"]}";

    /** The words of a box of 25.10 that translates an answer for an older path. */
    private static final String TYPE_ERROR = "Object of type _NotRequired is not JSON serializable";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static void assertFailed(Answer<?> answer, Code code, String... words) {
        assertThat(answer.code()).as(answer.message()).isEqualTo(code);
        assertThat(answer.message()).contains("connection box").contains(words);
    }

    /**
     * The box is called by a key with its user: to a key alone, a standby says no more than that it does not take it.
     */
    @ParameterizedTest
    @EnumSource(names = {"V25_04", "V25_10", "V26"})
    void a_box_that_becomes_the_standby_in_mid_call_leaves_it_unknown_and_is_unavailable_until_it_is_active(
            Profile profile) {
        try (FaultyBox box = FaultyBox.start(profile, Protocol.NFS, folder)) {
            WiredConnection opened = WiredConnection.openAs("root", box.simulator(), Protocol.NFS);
            try (OneConnectionFixture controller =
                    OneConnectionFixture.closed(Protocol.NFS.driverType(), opened.store(), opened.exporter())) {
                var calls = new UseCaseCalls(controller.useCases(), OneConnectionFixture.ON_NAS);
                assertThat(calls.createVolume("pvc-0", FaultyBox.GIB, 0, Facts.Source.NONE)
                                .code())
                        .isEqualTo(Code.OK);
                box.fault("sharing.nfs.create", new Fault.CutAfter());
                box.simulator()
                        .fault(Fault.at("auth.login*", new Fault.Result(STANDBY))
                                .always());

                assertFailed(
                        calls.createVolume("pvc-1", FaultyBox.GIB, 0, Facts.Source.NONE),
                        Code.UNAVAILABLE,
                        "nfs-share-create, and nobody knows whether it was done");

                Set<String> there = box.box().rows();
                assertThat(there).anyMatch(row -> row.startsWith("nfs_share "));
                assertThat(failures(controller))
                        .anyMatch(
                                failure -> failure.message()
                                        .contains(
                                                "it is the standby controller, the active one is at https://other.example.org"));
                assertThat(box.box().rows()).isEqualTo(there);
                box.simulator().clearFaults();
                assertThat(onceThereIsASession(() -> calls.deleteVolume("v:nas/pvc-0"))
                                .code())
                        .isEqualTo(Code.OK);
                Answer<?> answer =
                        onceThereIsASession(() -> calls.createVolume("pvc-1", FaultyBox.GIB, 0, Facts.Source.NONE));
                assertThat(answer.code()).as(answer.message()).isEqualTo(Code.OK);
            }
            box.verifyDeletion("pvc-1");
        }
    }

    private static Answer<?> onceThereIsASession(Supplier<Answer<?>> call) {
        Instant end = Instant.now().plusSeconds(30);
        Answer<?> answer = call.get();
        while (answer.code() == Code.UNAVAILABLE && Instant.now().isBefore(end)) {
            answer = call.get();
        }
        return answer;
    }

    @Test
    void the_word_of_a_standby_in_place_of_a_volume_is_not_believed() {
        try (FaultyBox box = FaultyBox.start(Profile.V25_10, Protocol.NFS, folder)) {
            box.fault("pool.dataset.create", new Fault.Result(STANDBY));

            assertFailed(
                    box.create("pvc-1"),
                    Code.INTERNAL,
                    "tank/k8s/v/pvc-1 was made or changed, and is not there when it is read back");
            assertThat(box.box().rows()).isEqualTo(box.before());
            box.verifyRepetition("pvc-1");
        }
    }

    @Test
    void the_word_of_a_standby_in_place_of_a_share_makes_it_be_looked_for() {
        try (FaultyBox box = FaultyBox.start(Profile.V25_10, Protocol.NFS, folder)) {
            box.fault("sharing.nfs.create", new Fault.Result(STANDBY));

            assertThat(box.create("pvc-1").code()).isEqualTo(Code.OK);
            assertThat(box.box().rows()).anyMatch(row -> row.startsWith("nfs_share "));
            box.verifyDeletion("pvc-1");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "pool.dataset.create, dataset-create, false",
        "pool.dataset.create, dataset-create, true",
        "sharing.nfs.create, nfs-share-create, false",
        "sharing.nfs.create, nfs-share-create, true"
    })
    void a_box_that_fails_at_the_answer_for_an_older_path_is_told_and_its_work_is_found(
            String method, String word, boolean done) {
        try (FaultyBox box = FaultyBox.start(Profile.V25_10, Protocol.NFS, folder)) {
            box.fault(method, new Fault.Refusal(22, TYPE_ERROR, done));

            assertFailed(box.create("pvc-1"), Code.INTERNAL, "refused: " + word + ": [EINVAL] " + TYPE_ERROR);
            box.verifyRepetition("pvc-1");
        }
    }

    @ParameterizedTest
    @CsvSource({"302, /ui/", "307, https://nas.example.org/api/v2.0/pool/dataset"})
    void a_box_that_sends_elsewhere_in_mid_call_is_unavailable_and_nothing_is_sent_there(int status, String where) {
        try (FaultyBox box = FaultyBox.start(Profile.SCALE_24_10, Protocol.NFS, folder)) {
            box.simulator()
                    .fault(Fault.at("pool.dataset.create", new Fault.Answer(status, where))
                            .always());

            Answer<?> answer = box.create("pvc-1");

            assertFailed(answer, Code.UNAVAILABLE, "it sends elsewhere (status " + status + "); if it wants TLS");
            assertThat(answer.message()).doesNotContain("nobody knows");
            assertThat(box.box().rows()).isEqualTo(box.before());
            repeat(box);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_04", "V26"})
    void a_socket_that_is_sent_to_the_user_interface_is_unavailable_and_no_login_is_sent(Profile profile) {
        try (FaultyBox box = FaultyBox.start(profile, Protocol.NFS, folder)) {
            assertThat(box.create("pvc-1").code()).isEqualTo(Code.OK);
            sendToInterface(box, "connect");

            assertThat(failures(box.controller()))
                    .anyMatch(failure -> failure.message().contains("status 302"));
            assertThat(box.simulator().calls())
                    .extracting(CallLog.Entry::method)
                    .isEmpty();
            repeat(box);
        }
    }

    @Test
    void a_box_whose_versions_are_the_user_interface_and_that_has_no_rest_is_unavailable() {
        try (FaultyBox box = FaultyBox.start(Profile.V26, Protocol.NFS, folder)) {
            assertThat(box.create("pvc-1").code()).isEqualTo(Code.OK);
            sendToInterface(box, "versions");

            assertThat(failures(box.controller()))
                    .anyMatch(failure -> failure.message().contains("it has no REST at"));
            assertThat(box.simulator().calls())
                    .extracting(CallLog.Entry::method)
                    .isEmpty();
            repeat(box);
        }
    }

    /** Repeats a creation until there is a session again: after failures one is opened anew with pauses between. */
    private static void repeat(FaultyBox box) {
        box.simulator().clearFaults();
        assertThat(onceThereIsASession(() -> box.create("pvc-1")).code()).isEqualTo(Code.OK);
        box.verifyDeletion("pvc-1");
    }

    private static void sendToInterface(FaultyBox box, String what) {
        box.simulator().fault(Fault.at(what, new Fault.Answer(302, "/ui/")).always());
        box.simulator().cutConnections();
        box.simulator().clearCalls();
    }

    /** Makes calls that all fail; the first ones may end while the session is being opened. */
    private static List<Failure> failures(OneConnectionFixture controller) {
        List<Failure> failures = IntStream.range(0, 5)
                .mapToObj(_ -> Failing.failure(() -> controller
                        .useCases()
                        .deleteVolume()
                        .delete("v:nas/pvc-1", TestWork.patient().left(Duration.ofMillis(700)))))
                .toList();
        assertThat(failures).allSatisfy(failure -> {
            assertThat(failure).isInstanceOf(Failure.BackendUnavailable.class);
            assertThat(Code.of(failure)).as(failure.message()).isEqualTo(Code.UNAVAILABLE);
            assertThat(failure.message()).contains("connection box");
        });
        return failures;
    }
}
