package dev.fairlead.adapter.freenas.client.connection;

import static dev.fairlead.adapter.freenas.client.connection.ConnectedBox.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.testkit.AtOnce;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** That a change whose time is up costs the other changes of a box that ends it with its socket nothing. */
@Execution(ExecutionMode.CONCURRENT)
class SessionsOfChangesTest {
    private static final String SLOW = "tank/k8s/slow";
    private static final String LATE = "tank/k8s/late";

    private final TestWork work = TestWork.patient();

    @TempDir
    private Path folder = Path.of("/nowhere");

    @Test
    void a_change_whose_time_is_up_cuts_no_other_change() throws Exception {
        try (var box = ConnectedBox.start(Profile.V26, folder);
                TruenasApi api = box.open("here");
                TruenasApi other = box.open("there")) {
            openTwoSessions(box, api);
            box.simulator().fault(hesitant(SLOW, 5000));
            box.simulator().fault(hesitant(LATE, 5000));
            CompletableFuture<ApiResult> slow = started(box, () -> change(other, SLOW, work));

            assertThatThrownBy(() -> api.change(create(LATE), LATE, work.left(Duration.ofSeconds(1))))
                    .hasMessageContaining("FL-CON-007");

            assertThat(slow.join()).isInstanceOf(ApiResult.Done.class);
            assertThat(api.find(ApiCollection.DATASET, LATE, work)).isEmpty();
        }
    }

    @Test
    void a_change_that_gets_no_session_in_its_time_is_not_sent_by_that_of_another() throws Exception {
        try (var box = ConnectedBox.start(Profile.V26, folder);
                TruenasApi api = box.open("here");
                TruenasApi other = box.open("there")) {
            api.release(work);
            box.simulator().fault(hesitant(SLOW, 3000));
            CompletableFuture<ApiResult> slow = started(box, () -> change(other, SLOW, work));

            assertThatThrownBy(() -> api.change(create(LATE), LATE, work.left(Duration.ofNanos(1))))
                    .hasMessageContaining("its time was up before it was sent");

            assertThat(slow.join()).isInstanceOf(ApiResult.Done.class);
        }
    }

    @Test
    void many_changes_whose_time_is_up_cost_fewer_logins_than_a_box_allows() {
        try (var box = ConnectedBox.start(Profile.V26, folder);
                TruenasApi api = box.open("here")) {
            api.release(work);
            box.simulator().fault(hesitant(LATE, 3000).always());
            box.simulator().clearCalls();
            for (int round = 0; round < 6; round++) {
                List<CompletableFuture<ApiResult>> changes = IntStream.range(0, 4)
                        .mapToObj(i -> change(api, LATE + i, work.left(Duration.ofMillis(300))))
                        .toList();
                changes.forEach(change -> assertThatThrownBy(change::join).hasMessageContaining("FL-CON-0"));
            }

            assertThat(api.find(ApiCollection.DATASET, ConnectedBox.PARENT, work))
                    .isPresent();
            assertThat(box.simulator().calls())
                    .filteredOn(call -> call.method().equals("auth.login_with_api_key"))
                    .hasSizeLessThan(19);
        }
    }

    @Test
    void one_caller_has_one_session() {
        try (var box = ConnectedBox.start(Profile.V26, folder)) {
            box.simulator().clearCalls();
            List<TruenasApi> all = IntStream.range(0, 10)
                    .mapToObj(i -> box.open("connection-" + i))
                    .toList();
            all.forEach(api -> api.change(create(SLOW + all.indexOf(api)), SLOW, work));

            assertThat(box.simulator().calls())
                    .filteredOn(call -> call.method().equals("auth.login_with_api_key"))
                    .hasSizeLessThan(2);
            all.forEach(TruenasApi::close);
        }
    }

    private void openTwoSessions(ConnectedBox box, TruenasApi api) throws InterruptedException {
        box.simulator().fault(hesitant(SLOW + "-first", 1000));
        CompletableFuture<ApiResult> first = started(box, () -> change(api, SLOW + "-first", work));
        api.change(create(LATE + "-first"), LATE, work);
        first.join();
    }

    /** Returns once the box has got the change, which is to meet a fault there. */
    private static CompletableFuture<ApiResult> started(ConnectedBox box, Supplier<CompletableFuture<ApiResult>> change)
            throws InterruptedException {
        int before = box.simulator().strikes();
        CompletableFuture<ApiResult> result = change.get();
        for (int i = 0; i < 2000 && box.simulator().strikes() == before; i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(box.simulator().strikes()).isGreaterThan(before);
        return result;
    }

    private static CompletableFuture<ApiResult> change(TruenasApi api, String name, TestWork work) {
        return AtOnce.ask(() -> api.change(create(name), name, work));
    }

    private static Fault hesitant(String dataset, int millis) {
        return Fault.at("pool.dataset.create", new Fault.Hesitant(Duration.ofMillis(millis)))
                .having(dataset);
    }

    private static ApiCall create(String name) {
        return ApiCall.create(ApiCollection.DATASET, object("name", name));
    }
}
