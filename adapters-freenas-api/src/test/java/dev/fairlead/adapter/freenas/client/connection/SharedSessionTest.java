package dev.fairlead.adapter.freenas.client.connection;

import static dev.fairlead.adapter.freenas.client.connection.ConnectedBox.byKey;
import static dev.fairlead.adapter.freenas.client.connection.ConnectedBox.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.client.session.SessionException;
import dev.fairlead.adapter.freenas.testkit.AtOnce;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.simulator.failure.CallLog;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What one caller's trouble does to the others of the same session. */
@Execution(ExecutionMode.CONCURRENT)
class SharedSessionTest {
    private static final String A = "tank/k8s/a";
    private static final String B = "tank/k8s/b";
    private static final ApiQuery PARENT = ApiQuery.of("id", ConnectedBox.PARENT);

    /** The time that a call takes which no test waits for. */
    private static final Duration ENDLESS = Duration.ofMinutes(1);

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final TestWork work = TestWork.patient();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"V26_BETA", "V26", "V27"})
    void a_change_whose_time_is_up_is_stopped_where_a_cut_does_that(Profile profile) throws Exception {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            api.release(work);
            box.simulator().fault(hesitant(A, 5000));

            assertThatThrownBy(() -> api.change(create(A), A, work.left(Duration.ofMillis(1500))))
                    .isInstanceOfSatisfying(StorageException.class, thrown -> {
                        assertThat(thrown.failure()).isInstanceOf(Failure.OutcomeUnknown.class);
                        // Of a release that nobody knows yet it is not known that it stops.
                        assertThat(SessionException.isStopped(thrown.getCause()))
                                .isEqualTo(profile != Profile.V27);
                    });
            TimeUnit.SECONDS.sleep(6);

            assertThat(api.find(ApiCollection.DATASET, A, work)).isEmpty();
        }
    }

    @Test
    void a_change_that_waited_for_its_turn_for_too_long_is_not_sent() {
        for (Profile profile : List.of(Profile.SCALE_24_10, Profile.V25_10)) {
            try (var box = ConnectedBox.start(profile, folder.resolve(profile.name()));
                    TruenasApi api = box.open("here")) {
                api.release(work);
                box.simulator().clearCalls();

                assertThatThrownBy(() -> api.change(create(A).sentWithin(Duration.ZERO), A, work))
                        .isInstanceOfSatisfying(
                                StorageException.class,
                                thrown -> assertThat(thrown.failure()).isInstanceOf(Failure.BackendUnavailable.class));
                assertThat(box.simulator().calls())
                        .extracting(CallLog.Entry::method)
                        .doesNotContain("pool.dataset.create");
                assertThat(api.change(create(A).sentWithin(Duration.ofSeconds(30)), A, work))
                        .isInstanceOf(ApiResult.Done.class);
            }
        }
    }

    @Test
    void a_change_whose_socket_was_cut_by_others_is_not_taken_for_stopped() {
        try (var box = ConnectedBox.start(Profile.V26, folder);
                TruenasApi api = box.open("here")) {
            api.release(work);
            box.simulator().fault(Fault.at("pool.dataset.create", new Fault.CutBefore()));

            assertThatThrownBy(() -> api.change(create(A), A, work))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            thrown -> assertThat(SessionException.isStopped(thrown.getCause()))
                                    .isFalse());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"V25_10", "V26"})
    void a_change_whose_time_is_up_leaves_the_others_alone(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here");
                TruenasApi other = box.open("there")) {
            api.release(work);
            box.simulator().fault(hesitant(A, 10_000));
            box.simulator().fault(hesitant(B, 1200));
            CompletableFuture<ApiResult> change = AtOnce.ask(() -> other.change(create(B), B, work));

            assertThatThrownBy(() -> api.change(create(A), A, work.left(Duration.ofMillis(1500))))
                    .hasMessageContaining("FL-CON-007");

            assertThat(change.join()).isInstanceOf(ApiResult.Done.class);
            assertThat(other.list(ApiCollection.DATASET, PARENT, work)).hasSize(1);
        }
    }

    @Test
    void ten_calls_without_an_answer_cut_nobody_else() {
        try (var box = ConnectedBox.start(Profile.V25_10, folder);
                TruenasApi api = box.open("here");
                TruenasApi other = box.open("there")) {
            api.release(work);
            box.simulator().fault(hesitant(B, 3000));
            box.simulator()
                    .fault(Fault.at("pool.dataset.create", new Fault.Silent())
                            .having(A)
                            .times(10));
            CompletableFuture<ApiResult> slow = AtOnce.ask(() -> other.change(create(B), B, work));
            var callers = IntStream.range(0, 10)
                    .mapToObj(
                            i -> AtOnce.run(() -> api.change(create(A + i), A + i, work.left(Duration.ofMillis(1500)))))
                    .toList();
            callers.forEach(caller -> assertThatThrownBy(caller::join));

            assertThat(api.list(ApiCollection.DATASET, PARENT, work)).hasSize(1);
            assertThat(slow.join()).isInstanceOf(ApiResult.Done.class);
        }
    }

    @Test
    void slow_calls_of_one_connection_leave_turns_to_another() throws Exception {
        try (var box = ConnectedBox.start(Profile.V25_10, folder);
                TruenasApi api = box.open("here");
                TruenasApi other = box.open("there")) {
            api.release(work);
            box.simulator()
                    .fault(Fault.at("pool.dataset.create", new Fault.Hesitant(ENDLESS))
                            .having(A)
                            .always());
            IntStream.range(0, 12).forEach(i -> {
                var _ = AtOnce.run(() -> api.change(create(A + i), A + i, work));
            });
            awaitTurnsTaken(box);

            assertThat(other.list(ApiCollection.DATASET, PARENT, work.left(PATIENCE)))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"SCALE_24_10", "V25_10", "V26"})
    void a_node_is_let_in_and_shut_out_while_clones_take_all_the_turns_they_get(Profile profile) throws Exception {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here");
                TruenasApi other = box.open("there")) {
            api.release(work);
            box.simulator()
                    .fault(Fault.at("pool.dataset.create", new Fault.Hesitant(ENDLESS))
                            .having(A)
                            .always());
            IntStream.range(0, 20).forEach(i -> {
                var _ = AtOnce.run(() -> (i % 2 == 0 ? api : other).change(create(A + i), A + i, work));
            });
            awaitTurnsTaken(box);
            ApiCall group = ApiCall.create(
                    ApiCollection.ISCSI_INITIATOR,
                    object("initiators", new com.google.gson.JsonArray(), "comment", "a"));

            ApiResult made = api.change(group, "group", work.left(PATIENCE));

            assertThat(made).isInstanceOf(ApiResult.Done.class);
        }
    }

    @Test
    void a_session_that_is_logged_out_is_replaced_and_its_calls_end() {
        try (var box = ConnectedBox.start(Profile.V25_10, folder);
                TruenasApi api = box.open("here")) {
            api.release(work);
            box.simulator().fault(hesitant(B, 1500));
            CompletableFuture<ApiResult> slow = AtOnce.ask(() -> api.change(create(B), B, work));
            box.simulator().fault(Fault.at("pool.dataset.query", new Fault.Refusal(207, "Not authenticated")));
            box.simulator().clearCalls();

            assertThat(api.list(ApiCollection.DATASET, PARENT, work)).hasSize(1);
            assertThat(box.simulator().calls())
                    .filteredOn(call -> call.method().equals("auth.login_with_api_key"))
                    .hasSize(1);
            assertThat(slow.join()).isInstanceOf(ApiResult.Done.class);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"V25_04", "V25_10"})
    void a_key_that_is_revoked_while_it_is_used_is_told_as_such(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder)) {
            box.simulator().user("csi", "pass-w0rd", Set.of("FULL_ADMIN"));
            String key = box.simulator().key("csi");
            try (TruenasApi api = box.open("here", byKey("csi", key))) {
                api.release(work);
                box.simulator().revokeKey(key);

                assertThatThrownBy(() -> api.list(ApiCollection.DATASET, PARENT, work))
                        .isInstanceOfSatisfying(
                                StorageException.class,
                                thrown -> assertThat(thrown.failure()).isInstanceOf(Failure.CredentialRevoked.class));
            }
        }
    }

    /** Waits until as many calls are under way as get turns. */
    private static void awaitTurnsTaken(ConnectedBox box) throws InterruptedException {
        for (int quiet = 0, last = 0; quiet < 10; quiet++) {
            TimeUnit.MILLISECONDS.sleep(20);
            int now = box.simulator().strikes();
            quiet = now == 0 || now > last ? 0 : quiet;
            last = now;
        }
    }

    private static Fault hesitant(String dataset, int millis) {
        return Fault.at("pool.dataset.create", new Fault.Hesitant(Duration.ofMillis(millis)))
                .having(dataset);
    }

    private static ApiCall create(String name) {
        return ApiCall.create(ApiCollection.DATASET, object("name", name));
    }
}
