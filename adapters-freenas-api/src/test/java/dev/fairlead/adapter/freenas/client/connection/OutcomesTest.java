package dev.fairlead.adapter.freenas.client.connection;

import static dev.fairlead.adapter.freenas.client.connection.ConnectedBox.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.client.TruenasRelease;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Until;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a caller is told if the box is half there, or something else answers. */
@Execution(ExecutionMode.CONCURRENT)
class OutcomesTest {
    private static final String A = "tank/k8s/a";
    private static final ApiCall CREATE = ApiCall.create(ApiCollection.DATASET, object("name", A));

    private final TestWork work = TestWork.patient();

    @TempDir
    private Path folder;

    @Test
    void a_change_that_something_else_answers_is_unknown() {
        try (var box = ConnectedBox.start(Profile.SCALE_24_10, folder);
                TruenasApi api = box.open("here")) {
            api.release(work);
            for (Fault.Injury injury : List.of(
                    new Fault.Page(200, true),
                    new Fault.Page(200, false),
                    new Fault.Page(400, false),
                    new Fault.Page(502, false),
                    new Fault.Page(504, false),
                    new Fault.Answer(200, "yes"),
                    new Fault.Answer(422, "no"),
                    new Fault.Answer(413, "too long"))) {
                box.simulator().fault(Fault.at("pool.dataset.create", injury));

                assertFailure(() -> api.change(CREATE, A, work), Failure.OutcomeUnknown.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"SCALE_24_10", "V25_10", "V26"})
    void a_box_that_is_only_half_there_is_unavailable(Profile profile) {
        List<Fault> rest = List.of(
                Fault.at("system.version", new Fault.Page(200, false)),
                Fault.at("system.version", new Fault.Page(504, false)),
                Fault.at("system.version", new Fault.Result("17")));
        List<Fault> sockets = List.of(
                Fault.at("versions", new Fault.Page(502, false)),
                Fault.at("versions", new Fault.Page(503, false)),
                Fault.at("connect", new Fault.Page(502, false)),
                Fault.at("connect", new Fault.Page(200, false)),
                Fault.at("system.version", new Fault.Silent()),
                Fault.at("system.version", new Fault.Result("17")));
        int i = 0;
        for (Fault fault : profile == Profile.SCALE_24_10 ? rest : sockets) {
            i++;
            try (var box = ConnectedBox.start(profile, folder.resolve("box" + i));
                    TruenasApi api = box.open(
                            "here",
                            ConnectedBox.byPassword("root", box.simulator().rootPassword()))) {
                box.simulator().fault(fault.always());

                assertFailure(
                        () -> api.change(CREATE, A, work.left(Duration.ofMillis(900))),
                        Failure.BackendUnavailable.class);
            }
        }
    }

    @Test
    void a_query_that_was_planned_for_another_release_is_not_believed() {
        try (var box = ConnectedBox.start(Profile.V25_10, folder);
                TruenasApi api = box.open("here")) {
            assertThat(api.has(ApiAction.RESOURCE_SNAPSHOT_QUERY, work)).isFalse();
            box.simulator().upgrade(Profile.V26);

            // 26 answers this query without the marks of snapshots, so they would be taken for others'.
            assertThatThrownBy(() -> api.list(ApiCollection.SNAPSHOT, ApiQuery.all(), work))
                    .hasMessageContaining("FL-CON-003")
                    .hasMessageContaining("ask again");
            assertThat(api.has(ApiAction.RESOURCE_SNAPSHOT_QUERY, work)).isTrue();
        }
    }

    @Test
    void a_change_that_was_planned_for_another_release_is_not_sent() {
        try (var box = ConnectedBox.start(Profile.V25_04, folder);
                TruenasApi api = box.open("here")) {
            TruenasRelease planned = api.release(work);
            box.simulator().upgrade(Profile.V26);
            box.simulator().clearCalls();

            assertThatThrownBy(() -> api.change(CREATE, A, work))
                    .hasMessageContaining("FL-CON-003")
                    .hasMessageContaining("ask again");
            assertThat(box.simulator().calls()).noneMatch(call -> call.method().equals("pool.dataset.create"));
            assertThat(api.release(work)).isNotEqualTo(planned);
            api.change(CREATE, A, work).orThrow();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"SCALE_24_10", "V25_10", "V26"})
    void a_change_that_is_interrupted_is_unknown(Profile profile) throws Exception {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            api.release(work);
            box.simulator().fault(Fault.at("pool.dataset.create", new Fault.Silent()));
            var told = new CompletableFuture<Throwable>();
            Thread caller = Thread.ofVirtual().start(() -> {
                try {
                    api.change(CREATE, A, work);
                } catch (StorageException e) {
                    told.complete(e);
                }
            });
            Until.holds(() -> box.simulator().strikes() > 0);
            caller.interrupt();

            assertThat(told.get(20, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            thrown -> assertThat(thrown.failure()).isInstanceOf(Failure.OutcomeUnknown.class));
        }
    }

    @Test
    void an_answer_of_more_values_than_fit_is_a_failure_and_the_box_stays_usable() {
        try (var box = ConnectedBox.start(Profile.V25_10, folder);
                TruenasApi api = box.open("here")) {
            api.release(work);
            var tooLong = new Fault.Result("[" + "0,".repeat(1 << 20) + "0]");
            box.simulator().fault(Fault.at("pool.dataset.create", tooLong));
            box.simulator().fault(Fault.at("pool.dataset.query", tooLong).times(4));

            assertThatThrownBy(() -> api.change(CREATE, A, work))
                    .hasMessageContaining("FL-CON-007")
                    .hasMessageContaining("values");
            assertThatThrownBy(() -> api.list(ApiCollection.DATASET, ApiQuery.all(), work))
                    .hasMessageContaining("FL-CON-003")
                    .hasMessageContaining("values");
            assertThat(api.find(ApiCollection.DATASET, ConnectedBox.PARENT, work))
                    .isPresent();
        }
    }

    private static void assertFailure(ThrowingCallable call, Class<? extends Failure> expected) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        thrown -> assertThat(thrown.failure()).isInstanceOf(expected));
    }
}
