package dev.fairlead.adapter.freenas.client.connection;

import static dev.fairlead.adapter.freenas.client.connection.ConnectedBox.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiErrno;
import dev.fairlead.adapter.freenas.client.ApiJob;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.client.TruenasRelease;
import dev.fairlead.adapter.freenas.testkit.AtOnce;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.simulator.profile.SimulatorSettings;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Execution(ExecutionMode.CONCURRENT)
class CutsTest {
    private static final String A = "tank/k8s/a";
    private static final ApiCall CREATE = ApiCall.create(ApiCollection.DATASET, object("name", A));
    private static final ApiCall SETPERM =
            ApiCall.of(ApiAction.FILESYSTEM_SETPERM, object("path", "/mnt/" + A, "mode", "0777"));

    private final TestWork work = TestWork.patient();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(Profile.class)
    void a_change_that_was_cut_is_unknown_and_never_sent_twice(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            api.release(work);
            for (Fault.Injury injury : List.of(new Fault.CutBefore(), new Fault.CutAfter())) {
                box.simulator().clearCalls();
                box.simulator().fault(Fault.at("pool.dataset.create", injury));

                assertThatThrownBy(() -> api.change(CREATE, A, work))
                        .isInstanceOfSatisfying(StorageException.class, thrown -> {
                            assertThat(thrown.failure()).isInstanceOf(Failure.OutcomeUnknown.class);
                            assertThat(thrown).hasMessageContaining("here").hasMessageContaining("dataset-create");
                        });
                assertThat(box.simulator().calls())
                        .filteredOn(call -> call.method().equals("pool.dataset.create"))
                        .hasSizeLessThan(2);
            }
            assertThat(api.find(ApiCollection.DATASET, A, work)).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void a_read_that_was_cut_is_made_again(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            api.release(work);
            box.simulator().fault(Fault.at("pool.dataset.query", new Fault.CutAfter()));

            assertThat(api.list(ApiCollection.DATASET, ApiQuery.of("id", "tank/k8s"), work))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"SCALE_24_10", "V25_10", "V26"})
    void a_box_that_says_nothing_costs_what_the_caller_has_left(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            api.release(work);
            box.simulator()
                    .fault(Fault.at("pool.dataset.create", new Fault.Silent()).always());
            long start = System.nanoTime();

            assertThatThrownBy(() -> api.change(CREATE, A, work.left(Duration.ofSeconds(2))))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            thrown -> assertThat(thrown.failure()).isInstanceOf(Failure.OutcomeUnknown.class));
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isLessThan(work.left().dividedBy(2));
            assertThat(api.list(ApiCollection.DATASET, ApiQuery.of("id", "tank/k8s"), work))
                    .hasSize(1);
        }
    }

    @Test
    void a_box_that_loses_ten_calls_gets_a_new_session() {
        try (var box = ConnectedBox.start(Profile.V25_10, folder);
                TruenasApi api = box.open("here")) {
            api.release(work);
            box.simulator()
                    .fault(Fault.at("pool.dataset.create", new Fault.Silent()).times(10));
            var callers = IntStream.range(0, 10)
                    .mapToObj(i -> ApiCall.create(ApiCollection.DATASET, object("name", A + i)))
                    .map(call -> AtOnce.run(() -> api.change(call, A, work.left(Duration.ofMillis(300)))))
                    .toList();
            callers.forEach(caller -> assertThatThrownBy(caller::join));

            assertThat(api.list(ApiCollection.DATASET, ApiQuery.of("id", "tank/k8s"), work))
                    .hasSize(1);
            assertThat(box.simulator().calls())
                    .filteredOn(call -> call.method().equals("auth.login_with_api_key"))
                    .isNotEmpty();
        }
    }

    @Test
    void forty_callers_at_once_are_all_served() {
        try (var box = ConnectedBox.start(Profile.V25_10, folder);
                TruenasApi api = box.open("here")) {
            var callers = new ArrayList<CompletableFuture<Void>>();
            for (int i = 0; i < 40; i++) {
                String name = A + i;
                callers.add(AtOnce.run(() -> api.change(
                                ApiCall.create(ApiCollection.DATASET, object("name", name)), name, work)
                        .orThrow()));
            }
            callers.forEach(CompletableFuture::join);

            assertThat(api.list(
                            ApiCollection.DATASET,
                            ApiQuery.all().where("id", "^", new JsonPrimitive("tank/k8s/")),
                            work))
                    .hasSize(40);
            assertThat(box.simulator().sockets()).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"SCALE_24_10", "V25_10", "V26"})
    void a_restart_is_survived(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            ConnectedBox.make(api, A, work);
            box.simulator().stop();
            assertThatThrownBy(() -> api.change(CREATE, A, work.left(Duration.ofSeconds(1))))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            thrown -> assertThat(thrown.failure())
                                    .isInstanceOfAny(Failure.BackendUnavailable.class, Failure.OutcomeUnknown.class));
            box.simulator().restart();

            assertThat(eventually(() -> api.find(ApiCollection.DATASET, A, work).isPresent()))
                    .isTrue();
        }
    }

    private static boolean eventually(java.util.function.BooleanSupplier condition) {
        for (int i = 0; ; i++) {
            try {
                return condition.getAsBoolean();
            } catch (StorageException e) {
                assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class);
                assertThat(i).isLessThan(1000);
            }
        }
    }

    @Test
    void an_upgrade_from_release_to_release_is_survived() {
        try (var box = ConnectedBox.start(Profile.CORE_13_0, folder);
                TruenasApi api = box.open("here")) {
            ConnectedBox.make(api, A, work);
            for (Profile next : Profile.values()) {
                TruenasRelease before = api.release(work);
                box.simulator().upgrade(next);

                assertThat(eventually(
                                () -> api.find(ApiCollection.DATASET, A, work).isPresent()))
                        .as(next.name())
                        .isTrue();
                boolean same = api.release(work).equals(before);
                if (!same) {
                    assertThatThrownBy(() -> api.change(CREATE.madeFor(before), A, work))
                            .hasMessageContaining("FL-CON-003")
                            .hasMessageContaining("ask again");
                }
            }
            assertThat(api.release(work).isUnknown()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"SCALE_24_10", "V25_10", "V26"})
    void a_job_that_hangs_is_unknown_once_the_time_is_up(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            ConnectedBox.make(api, A, work);
            box.simulator().fault(Fault.at("filesystem.setperm", new Fault.JobHangs()));

            assertThatThrownBy(() -> api.run(SETPERM, A, work.left(Duration.ofSeconds(2))))
                    .isInstanceOfSatisfying(StorageException.class, thrown -> {
                        assertThat(thrown.failure()).isInstanceOf(Failure.OutcomeUnknown.class);
                        assertThat(thrown).hasMessageContaining("goes on");
                    });
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"SCALE_24_10", "V25_10", "V26"})
    void a_job_that_fails_is_refused_in_its_own_words(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            ConnectedBox.make(api, A, work);
            box.simulator().fault(Fault.at("filesystem.setperm", new Fault.JobFails("no such luck", false)));

            assertThat(api.run(SETPERM, A, work))
                    .isInstanceOfSatisfying(
                            ApiResult.Refused.class,
                            refused -> assertThat(refused.text()).contains("no such luck"));
        }
    }

    @Test
    void the_end_of_a_job_is_found_without_its_event() {
        try (var box = ConnectedBox.start(Profile.V25_10, folder);
                TruenasApi api = box.open("here")) {
            ConnectedBox.make(api, A, work);
            box.simulator().fault(Fault.at("event", new Fault.Lost()).always());

            assertThat(api.run(SETPERM, A, work.left(Duration.ofSeconds(20)))).isInstanceOf(ApiResult.Done.class);
        }
    }

    @Test
    void a_job_is_followed_over_a_cut_and_by_whoever_knows_its_number() {
        try (var box = ConnectedBox.start(
                        Profile.V25_10, folder, SimulatorSettings.standard().withJobDelay(Duration.ofSeconds(1)));
                TruenasApi api = box.open("here")) {
            ConnectedBox.make(api, A, work);
            ApiJob job = api.start(SETPERM, A, work);
            box.simulator().cutConnections();

            assertThat(api.await(job, work)).isInstanceOf(ApiResult.Done.class);
            assertThatThrownBy(() -> api.await(new ApiJob(4711, "filesystem.setperm", List.of()), work))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            thrown -> assertThat(thrown.failure()).isInstanceOf(Failure.OutcomeUnknown.class));
        }
    }

    @Test
    void a_call_that_is_too_long_is_refused_before_it_is_sent() {
        try (var box = ConnectedBox.start(Profile.V25_10, folder);
                TruenasApi api = box.open("here")) {
            api.release(work);
            box.simulator().clearCalls();

            ApiResult result = api.change(
                    ApiCall.create(ApiCollection.DATASET, object("name", A, "comments", "x".repeat(70_000))), A, work);

            assertThat(((ApiResult.Refused) result).errno()).isEqualTo(ApiErrno.EMSGSIZE);
            assertThat(box.simulator().calls()).isEmpty();
            assertThat(box.simulator().sockets()).isOne();
        }
    }

    @Test
    void connections_to_one_box_share_a_session() {
        try (var box = ConnectedBox.start(Profile.V25_10, folder)) {
            List<TruenasApi> all =
                    IntStream.range(0, 10).mapToObj(i -> box.open("c" + i)).toList();
            all.forEach(api -> api.release(work));

            assertThat(box.simulator().sockets()).isOne();
            all.subList(0, 9).forEach(TruenasApi::close);
            assertThat(all.getLast().release(work).isAtLeast(25, 10)).isTrue();
            assertThat(box.simulator().sockets()).isOne();
            all.getLast().close();
            assertThat(eventually(() -> {
                        assertThatThrownBy(() -> all.getLast().release(work)).hasMessageContaining("no longer used");
                        return true;
                    }))
                    .isTrue();
        }
    }

    @Test
    void a_page_instead_of_an_answer_is_no_answer() {
        try (var box = ConnectedBox.start(Profile.SCALE_24_10, folder);
                TruenasApi api = box.open("here")) {
            api.release(work);
            box.simulator().fault(Fault.at("pool.dataset.create", new Fault.Page(504, true)));
            assertThatThrownBy(() -> api.change(CREATE, A, work)).hasMessageContaining("FL-CON-007");

            box.simulator().fault(Fault.at("pool.dataset.query", new Fault.Page(200, false)));
            assertThatThrownBy(() -> api.list(ApiCollection.DATASET, ApiQuery.all(), work))
                    .hasMessageContaining("FL-CON-005");
        }
    }
}
