package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.testkit.AtOnce;
import dev.fairlead.adapter.freenas.testkit.FaultyBox;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.simulator.profile.SimulatorSettings;
import dev.fairlead.testkit.Until;
import dev.fairlead.testkit.model.Answer;
import dev.fairlead.testkit.model.Code;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an RPC is answered if a box fails in the ways that are known of it, and what the repetition leaves. */
@Execution(ExecutionMode.CONCURRENT)
class FaultsOverTheWireTest {
    private static final String MODEL = "{\"pool_dataset_create.name\":[{\"message\":\"no such luck\",\"errno\":22}]}";
    private static final String CRASH =
            "{\"message\":\"[EFAULT] no such luck\",\"traceback\":\"Traceback of the box\"}";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private FaultyBox box(Profile profile, Protocol protocol) {
        return FaultyBox.start(profile, protocol, folder);
    }

    @ParameterizedTest
    @ValueSource(ints = {409, 422})
    void a_refusal_is_told_in_the_words_of_the_box_by_either_status(int status) {
        try (FaultyBox box = box(Profile.SCALE_24_10, Protocol.NFS)) {
            box.fault("pool.dataset.create", new Fault.Answer(status, MODEL));

            Answer<?> answer = box.create("pvc-1");

            assertThat(answer.code()).isEqualTo(Code.INTERNAL);
            assertThat(answer.message())
                    .contains("connection box")
                    .contains("dataset-create: pool_dataset_create.name: no such luck");
            assertThat(box.box().rows()).isEqualTo(box.before());
            box.verifyRepetition("pvc-1");
        }
    }

    @Test
    void a_box_that_has_failed_itself_is_told_in_its_words_without_its_traceback() {
        try (FaultyBox box = box(Profile.SCALE_24_10, Protocol.NFS)) {
            box.fault("pool.dataset.create", new Fault.Answer(500, CRASH));

            Answer<?> answer = box.create("pvc-1");

            assertThat(answer.code()).isEqualTo(Code.INTERNAL);
            assertThat(answer.message())
                    .contains("connection box")
                    .contains("dataset-create: [EFAULT] no such luck")
                    .doesNotContain("Traceback of the box");
            assertThat(box.box().rows()).isEqualTo(box.before());
            box.verifyRepetition("pvc-1");
        }
    }

    @ParameterizedTest
    @CsvSource({"V25_10, ISCSI", "V26, NFS"})
    void a_dataset_that_is_busy_is_tried_again(Profile profile, Protocol protocol) {
        try (FaultyBox box = box(profile, protocol)) {
            assertThat(box.create("pvc-1").code()).isEqualTo(Code.OK);
            box.simulator()
                    .fault(Fault.at("pool.dataset.delete", new Fault.Refusal(16, "cannot destroy: dataset is busy"))
                            .times(2));

            box.verifyDeletion("pvc-1");
        }
    }

    @ParameterizedTest
    @CsvSource({"SCALE_24_10, false", "V25_10, false", "V25_10, true", "V26, true"})
    void a_job_that_is_aborted_is_no_success_and_the_repetition_begins_anew(Profile profile, boolean effect) {
        try (FaultyBox box = box(profile, Protocol.NFS)) {
            box.fault("filesystem.setperm", new Fault.JobAborts(effect));

            Answer<?> answer = box.create("pvc-1");

            assertThat(answer.code()).as(answer.message()).isNotEqualTo(Code.OK);
            assertThat(answer.message()).contains("connection box").contains("aborted");
            box.verifyRepetition("pvc-1");
        }
    }

    @Test
    void a_target_with_a_session_keeps_its_volume_until_the_session_ends() {
        try (FaultyBox box = box(Profile.V25_10, Protocol.ISCSI)) {
            assertThat(box.create("pvc-1").code()).isEqualTo(Code.OK);
            box.simulator()
                    .fault(Fault.at("iscsi.target.delete", new Fault.Refusal(14, "Target pvc-1 is in use."))
                            .times(100));
            box.simulator()
                    .fault(Fault.at("iscsi.extent.delete", new Fault.Refusal(14, "Extent pvc-1 is in use."))
                            .times(100));

            Failure failure = box.failure(
                    Duration.ofSeconds(6), (it, work) -> it.deleteVolume().delete("v:nas/pvc-1", work));

            assertThat(Code.of(failure)).as(failure.message()).isEqualTo(Code.UNAVAILABLE);
            assertThat(failure.message()).contains("connection box").contains("Target pvc-1 is in use.");
            assertThat(box.box().rows()).contains("dataset tank/k8s/v/pvc-1");
            box.simulator().clearFaults();
            box.verifyDeletion("pvc-1");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1003, 1009, 1011})
    void a_socket_that_is_closed_instead_of_an_answer_leaves_the_call_unknown(int status) {
        try (FaultyBox box = box(Profile.V25_10, Protocol.NFS)) {
            box.fault("pool.dataset.create", new Fault.Close(status, "no such luck", true));

            Answer<?> answer = box.create("pvc-1");

            assertThat(answer.code()).as(answer.message()).isEqualTo(Code.UNAVAILABLE);
            assertThat(answer.message())
                    .contains("connection box was at dataset-create")
                    .contains("no such luck");
            box.verifyRepetition("pvc-1");
        }
    }

    @ParameterizedTest
    @CsvSource({"ISCSI", "NVMEOF"})
    void a_device_that_comes_late_is_waited_for_by_the_repetition(Protocol protocol) throws InterruptedException {
        var settings = SimulatorSettings.standard().withVolumeDelay(Duration.ofMillis(700));
        try (FaultyBox box = FaultyBox.start(Profile.V25_10, protocol, folder, settings)) {
            Answer<?> answer = box.create("pvc-1");
            for (int i = 0; i < 100 && answer.code() != Code.OK; i++) {
                assertThat(answer.code()).as(answer.message()).isIn(Code.UNAVAILABLE, Code.ABORTED);
                TimeUnit.MILLISECONDS.sleep(50);
                answer = box.create("pvc-1");
            }

            assertThat(answer.code()).as(answer.message()).isEqualTo(Code.OK);
            assertThat(box.simulator().broken()).allMatch(text -> text.contains("nvmet_port_subsys"));
            box.verifyDeletion("pvc-1");
        }
    }

    @ParameterizedTest
    @CsvSource({"SCALE_24_10, ISCSI", "V25_10, ISCSI", "V26, NVMEOF"})
    void a_pool_without_room_is_told_as_such_and_nothing_is_left(Profile profile, Protocol protocol) {
        var settings = SimulatorSettings.standard().withPoolSize(1L << 30);
        try (FaultyBox box = FaultyBox.start(profile, protocol, folder, settings)) {
            Answer<?> answer = box.create("pvc-1");

            assertThat(answer.code()).as(answer.message()).isEqualTo(Code.RESOURCE_EXHAUSTED);
            assertThat(answer.message()).contains("connection box");
            assertThat(box.box().rows()).isEqualTo(box.before());
        }
    }

    @Test
    void a_number_that_is_anothers_since_a_configuration_was_restored_takes_nothing_of_it() {
        try (FaultyBox box = box(Profile.V25_10, Protocol.NFS)) {
            var saved = box.simulator().configuration();
            assertThat(box.create("pvc-1").code()).isEqualTo(Code.OK);
            box.simulator().restore(saved);
            assertThat(box.create("pvc-2").code()).isEqualTo(Code.OK);

            assertThat(box.delete("pvc-1").code()).isEqualTo(Code.OK);

            assertThat(box.simulator().dump().getAsJsonObject("nfs_share").toString())
                    .contains("/mnt/tank/k8s/v/pvc-2");
            box.verifyDeletion("pvc-2");
        }
    }

    @ParameterizedTest
    @CsvSource({"SCALE_24_10, NFS", "V25_10, ISCSI", "V26, SMB", "V26, NVMEOF"})
    void rows_in_any_order_with_what_nobody_knows_and_nothing_where_a_text_was_expected(
            Profile profile, Protocol protocol) {
        for (Fault.Injury injury : List.of(new Fault.Strange(), new Fault.Shuffled())) {
            try (FaultyBox box = FaultyBox.start(profile, protocol, folder.resolve(injury.toString()))) {
                for (String methods : List.of("pool.*", "zfs.*", "sharing.*", "iscsi.*", "nvmet.*")) {
                    box.simulator().fault(Fault.at(methods, injury).always());
                }

                for (String name : List.of("pvc-1", "pvc-2", "pvc-1")) {
                    assertThat(box.create(name).code()).isEqualTo(Code.OK);
                }
                assertThat(box.delete("pvc-2").code()).isEqualTo(Code.OK);
                box.verifyDeletion("pvc-1");
            }
        }
    }

    @Test
    void twenty_creations_and_ten_snapshots_at_once_are_all_done_or_repeated() {
        try (FaultyBox box = box(Profile.V25_10, Protocol.ISCSI)) {
            IntStream.range(0, 20)
                    .mapToObj(i -> AtOnce.run(() -> untilDone(() -> box.create("pvc-" + i))))
                    .toList()
                    .forEach(CompletableFuture::join);
            IntStream.range(0, 10)
                    .mapToObj(i ->
                            AtOnce.run(() -> untilDone(() -> box.calls().createSnapshot("snap-" + i, "v:nas/pvc-0"))))
                    .toList()
                    .forEach(CompletableFuture::join);

            assertThat(box.simulator().dump().getAsJsonObject("snapshot").size())
                    .isEqualTo(10);
            for (int i = 0; i < 10; i++) {
                assertThat(box.calls().deleteSnapshot("s:nas/pvc-0@snap-" + i).code())
                        .isEqualTo(Code.OK);
            }
            for (int i = 0; i < 19; i++) {
                assertThat(box.delete("pvc-" + i).code()).isEqualTo(Code.OK);
            }
            box.verifyDeletion("pvc-19");
        }
    }

    private static void untilDone(java.util.function.Supplier<Answer<?>> call) {
        Answer<?> answer = call.get();
        for (int i = 0; i < 100 && answer.code() != Code.OK; i++) {
            assertThat(answer.code()).as(answer.message()).isIn(Code.UNAVAILABLE, Code.ABORTED);
            answer = call.get();
        }
        assertThat(answer.code()).as(answer.message()).isEqualTo(Code.OK);
    }

    @Test
    void a_silent_socket_that_something_in_between_cuts_is_opened_anew() throws Exception {
        var settings = SimulatorSettings.standard().withIdleCut(Duration.ofSeconds(2));
        try (FaultyBox box = FaultyBox.start(Profile.V25_10, Protocol.NFS, folder, settings)) {
            assertThat(box.create("pvc-1").code()).isEqualTo(Code.OK);
            Until.holds(() -> box.simulator().sockets() == 0);

            box.verifyDeletion("pvc-1");
        }
    }
}
