package dev.fairlead.adapter.freenas.client.connection;

import static dev.fairlead.adapter.freenas.client.connection.ConnectedBox.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiJob;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.testkit.AtOnce;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Execution(ExecutionMode.CONCURRENT)
class JobsTest {
    private static final String A = "tank/k8s/a";
    private static final String B = "tank/k8s/b";

    private final TestWork work = TestWork.patient();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"SCALE_24_10", "V25_10", "V26"})
    void a_job_that_a_restart_ended_is_unknown_and_no_other_is_taken_for_it(Profile profile) throws Exception {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here");
                TruenasApi other = box.open("there")) {
            for (String name : List.of(A, B)) {
                ConnectedBox.make(api, name, work);
            }
            box.simulator().fault(Fault.at("filesystem.setperm", new Fault.JobHangs()));
            CompletableFuture<ApiResult> job = AtOnce.ask(() -> api.run(setperm(A), A, work));
            while (box.simulator().calls().stream()
                    .noneMatch(call -> call.method().equals("filesystem.setperm"))) {
                Thread.sleep(20);
            }
            box.simulator().restart();
            assertThat(other(other)).isInstanceOf(ApiResult.Done.class);

            assertThatThrownBy(job::join)
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            thrown -> assertThat(thrown.failure()).isInstanceOf(Failure.OutcomeUnknown.class));
        }
    }

    private ApiResult other(TruenasApi api) throws InterruptedException {
        for (int i = 0; ; i++) {
            try {
                return api.run(setperm(B), B, work);
            } catch (StorageException e) {
                assertThat(i).isLessThan(100);
                Thread.sleep(100);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"SCALE_24_10", "V25_10", "V26"})
    void a_job_that_is_answered_without_a_number_is_unknown(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            api.release(work);
            for (String answer : List.of("\"yes\"", "null", "1.5", "[3]")) {
                box.simulator().fault(Fault.at("filesystem.setperm", new Fault.Result(answer)));

                assertThatThrownBy(() -> api.run(setperm(A), A, work))
                        .as(answer)
                        .hasMessageContaining("FL-CON-007")
                        .hasMessageContaining("no number of a job");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{'path':'/mnt/a'}; {'path':'/mnt/a','options':{}}; true",
                "{'path':'/mnt/a'}; {'path':'/mnt/b'}; false",
                "{'path':'/mnt/a','secret':'x'}; {'path':'/mnt/a','secret':'********'}; true",
                "{'path':'/mnt/a'}; {}; false",
                "[1,2]; [1,2]; true",
                "[1,2]; [1,2,3]; false",
                "[1,2]; 1; false",
            })
    void a_job_is_known_by_its_arguments(String sent, String seen, boolean same) {
        var job = new ApiJob(1, "filesystem.setperm", List.of(json(sent)));
        var arguments = new com.google.gson.JsonArray();
        arguments.add(json(seen));
        var row = object("method", "filesystem.setperm", "arguments", arguments);

        assertThat(new JobIdentity(job, java.util.Optional.empty()).isKnown(row))
                .isEqualTo(same);
        row.addProperty("method", "filesystem.chown");
        assertThat(new JobIdentity(job, java.util.Optional.empty()).isKnown(row))
                .isFalse();
    }

    private static JsonElement json(String text) {
        return JsonParser.parseString(text.replace('\'', '"'));
    }

    private static ApiCall setperm(String name) {
        return ApiCall.of(ApiAction.FILESYSTEM_SETPERM, object("path", "/mnt/" + name, "mode", "0777"));
    }
}
