package dev.fairlead.adapter.freenas.client.connection;

import static dev.fairlead.adapter.freenas.client.connection.ConnectedBox.byKey;
import static dev.fairlead.adapter.freenas.client.connection.ConnectedBox.byPassword;
import static dev.fairlead.adapter.freenas.client.connection.ConnectedBox.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.testkit.AtOnce;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What callers are told whose credential is taken away in the middle of a session, while they make calls. */
@Execution(ExecutionMode.CONCURRENT)
class CredentialsInUseTest {
    private static final int CALLERS = 4;
    private static final ApiQuery PARENT = ApiQuery.of("id", ConnectedBox.PARENT);

    private final TestWork work = TestWork.patient();
    private final AtomicInteger names = new AtomicInteger();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "SCALE_24_10, true, FL-CON-008",
        "SCALE_24_10, false, FL-CON-008",
        "V25_04, true, FL-CON-008",
        "V25_04, false, FL-CON-009",
        "V25_10, true, FL-CON-008",
        "V25_10, false, FL-CON-009",
        "V26, true, FL-CON-008",
        "V26, false, FL-CON-009",
    })
    void a_key_that_is_deleted_or_revoked_is_told_to_every_caller(Profile profile, boolean deleted, String code)
            throws InterruptedException {
        try (var box = ConnectedBox.start(profile, folder)) {
            box.simulator().user("csi", "pass-w0rd", Set.of("FULL_ADMIN"));
            String key = box.simulator().key("csi");
            try (TruenasApi api = box.open("here", byKey("csi", key))) {
                List<String> told = told(() -> list(api), () -> {
                    if (deleted) {
                        box.simulator().deleteKey(key);
                    } else {
                        box.simulator().revokeKey(key);
                    }
                });

                assertThat(told)
                        .hasSize(CALLERS)
                        .allSatisfy(text -> assertThat(text)
                                .contains(code)
                                .contains("here")
                                .doesNotContain(key.substring(key.indexOf('-') + 1)));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"SCALE_24_10", "V25_04", "V25_10", "V26"})
    void a_role_that_is_taken_away_is_named_to_every_caller_who_needs_it(Profile profile) throws InterruptedException {
        try (var box = ConnectedBox.start(profile, folder)) {
            box.simulator().user("csi", "pass-w0rd", Set.of("DATASET_READ", "DATASET_WRITE"));
            try (TruenasApi api = box.open("here", byPassword("csi", "pass-w0rd"))) {
                List<String> told = told(() -> create(api), () -> {
                    box.simulator().user("csi", "pass-w0rd", Set.of("DATASET_READ"));
                    box.simulator().cutConnections(); // a session keeps the roles of its login
                });

                assertThat(told)
                        .hasSize(CALLERS)
                        .allSatisfy(text -> assertThat(text)
                                .contains("FL-CON-010")
                                .contains("here")
                                .contains("DATASET_WRITE"));
                assertThat(api.list(ApiCollection.DATASET, PARENT, work)).hasSize(1);
            }
        }
    }

    private void list(TruenasApi api) {
        assertThat(api.list(ApiCollection.DATASET, PARENT, work)).hasSize(1);
    }

    private void create(TruenasApi api) {
        String name = ConnectedBox.PARENT + "/" + names.incrementAndGet();
        api.change(ApiCall.create(ApiCollection.DATASET, object("name", name)), name, work)
                .orThrow();
    }

    /** Takes something away while callers repeat a call, and returns with what it failed then. */
    private static List<String> told(Runnable call, Runnable takingAway) throws InterruptedException {
        var done = new Semaphore(0);
        List<CompletableFuture<String>> callers = Stream.generate(() -> AtOnce.ask(() -> untilTold(call, done)))
                .limit(CALLERS)
                .toList();
        assertThat(done.tryAcquire(3 * CALLERS, 20, TimeUnit.SECONDS)).isTrue();
        takingAway.run();
        return callers.stream()
                .map(caller -> caller.orTimeout(20, TimeUnit.SECONDS).join())
                .toList();
    }

    private static String untilTold(Runnable call, Semaphore done) {
        while (true) {
            try {
                call.run();
                done.release();
            } catch (StorageException e) {
                boolean cut = e.failure() instanceof Failure.BackendUnavailable
                        || e.failure() instanceof Failure.OutcomeUnknown;
                if (!cut) {
                    return String.valueOf(e.getMessage());
                }
                LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            }
        }
    }
}
