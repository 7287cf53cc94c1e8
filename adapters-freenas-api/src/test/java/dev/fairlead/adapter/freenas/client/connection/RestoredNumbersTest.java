package dev.fairlead.adapter.freenas.client.connection;

import static dev.fairlead.adapter.freenas.client.connection.ConnectedBox.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * That no row is changed by a number that was read before the box restarted, as it does with a restored configuration.
 */
class RestoredNumbersTest {
    private static final ApiCall MAKE =
            ApiCall.create(ApiCollection.ISCSI_TARGET, object("name", "csi-a", "mode", "ISCSI"));

    private final TestWork work = TestWork.patient();

    @TempDir
    private Path folder = Path.of("/nowhere");

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"V25_04", "V25_10", "V26"})
    void a_number_that_was_read_before_a_restart_changes_nothing(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            api.change(MAKE, "csi-a", work).orThrow();
            long id = number(api);
            box.simulator().stop();
            box.simulator().restart();
            awaitSession(api);
            box.simulator().clearCalls();
            ApiCall update = ApiCall.update(ApiCollection.ISCSI_TARGET, id, object("alias", "theirs"));

            assertThatThrownBy(() -> api.change(update, "csi-a", work))
                    .hasMessageContaining("FL-CON-003")
                    .hasMessageContaining("number");
            boolean sent = box.simulator().calls().stream()
                    .anyMatch(call -> call.method().equals("iscsi.target.update"));
            assertThat(number(api)).isEqualTo(id);

            assertThat(sent).isFalse();
            assertThat(api.change(update, "csi-a", work)).isInstanceOf(ApiResult.Done.class);
        }
    }

    /** A row that is read by the next session says nothing of the numbers that were read by the one before. */
    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"V25_04", "V25_10", "V26"})
    void numbers_of_two_sessions_are_not_used_together(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            api.change(MAKE, "csi-a", work).orThrow();
            long id = number(api);
            box.simulator().stop();
            box.simulator().restart();
            awaitSession(api);

            assertThatThrownBy(() -> api.list(ApiCollection.ISCSI_INITIATOR, ApiQuery.all(), work))
                    .hasMessageContaining("FL-CON-003")
                    .hasMessageContaining("number");
            assertThat(api.list(ApiCollection.ISCSI_INITIATOR, ApiQuery.all(), work))
                    .isEmpty();
            assertThat(number(api)).isEqualTo(id);
        }
    }

    private long number(TruenasApi api) {
        return api.list(ApiCollection.ISCSI_TARGET, ApiQuery.of("name", "csi-a"), work)
                .getFirst()
                .get("id")
                .getAsLong();
    }

    private void awaitSession(TruenasApi api) {
        for (int i = 0; ; i++) {
            try {
                boolean _ = api.find(ApiCollection.DATASET, ConnectedBox.PARENT, work)
                        .isPresent();
                return;
            } catch (StorageException e) {
                assertThat(i).as(e.getMessage()).isLessThan(1000);
            }
        }
    }
}
