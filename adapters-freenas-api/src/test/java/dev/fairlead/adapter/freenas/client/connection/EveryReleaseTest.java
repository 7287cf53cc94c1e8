package dev.fairlead.adapter.freenas.client.connection;

import static dev.fairlead.adapter.freenas.client.connection.ConnectedBox.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiErrno;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.FieldError;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.client.TruenasRelease;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Execution(ExecutionMode.CONCURRENT)
class EveryReleaseTest {
    private static final String A = "tank/k8s/a";
    private static final String B = "tank/k8s/b";

    private final TestWork work = TestWork.patient();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(Profile.class)
    void a_dataset_is_made_found_changed_and_deleted(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            ConnectedBox.make(api, A, work);
            api.change(ApiCall.update(ApiCollection.DATASET, A, object("refquota", 2L << 30)), A, work)
                    .orThrow();
            JsonObject found = api.find(ApiCollection.DATASET, A, work).orElseThrow();
            List<JsonObject> listed = api.list(ApiCollection.DATASET, ApiQuery.of("id", A), work);
            api.change(ApiCall.delete(ApiCollection.DATASET, A, object("recursive", false)), A, work)
                    .orThrow();

            assertThat(found.getAsJsonObject("refquota").get("rawvalue").getAsString())
                    .isEqualTo("2147483648");
            assertThat(listed).hasSize(1);
            assertThat(api.find(ApiCollection.DATASET, A, work)).isEmpty();
            assertThat(work.effects().stream().map(effect -> effect.kind() + " " + effect.target()))
                    .containsExactly("dataset-create " + A, "dataset-update " + A, "dataset-delete " + A);
        }
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void a_snapshot_is_taken_and_cloned(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            ConnectedBox.make(api, A, work);
            api.change(ApiCall.create(ApiCollection.SNAPSHOT, object("dataset", A, "name", "s1")), A + "@s1", work)
                    .orThrow();
            api.change(ApiCall.of(ApiAction.SNAPSHOT_CLONE, object("snapshot", A + "@s1", "dataset_dst", B)), B, work)
                    .orThrow();
            api.change(ApiCall.of(ApiAction.DATASET_PROMOTE, new JsonPrimitive(B)), B, work)
                    .orThrow();

            assertThat(api.find(ApiCollection.SNAPSHOT, B + "@s1", work)).isPresent();
            assertThat(api.find(ApiCollection.SNAPSHOT, A + "@s1", work)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void a_job_is_awaited_with_its_result(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            ConnectedBox.make(api, A, work);

            ApiResult done = api.run(
                    ApiCall.of(ApiAction.FILESYSTEM_SETPERM, object("path", "/mnt/" + A, "mode", "0777")), A, work);
            ApiResult failed = api.run(
                    ApiCall.of(ApiAction.FILESYSTEM_SETPERM, object("path", "/mnt/" + B, "mode", "0777")), B, work);

            assertThat(done).isInstanceOf(ApiResult.Done.class);
            assertThat(failed).isInstanceOf(ApiResult.Refused.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void a_refusal_names_the_field(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            ConnectedBox.make(api, A, work);

            ApiResult twice = api.change(ApiCall.create(ApiCollection.DATASET, object("name", A)), A, work);
            ApiResult.Refused absent = (ApiResult.Refused)
                    api.change(ApiCall.update(ApiCollection.DATASET, B, object("comments", "x")), B, work);

            assertThat(twice).isInstanceOfSatisfying(ApiResult.Refused.class, refused -> {
                assertThat(refused.isThereAlready()).isTrue();
                assertThat(refused.fields()).anyMatch(field -> field.isAbout("name"));
            });
            assertThat(absent.errno()).isEqualTo(ApiErrno.ENOENT);
            assertThat(absent.isAbsent()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void shares_are_found_by_number(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            ConnectedBox.make(api, A, work);
            TruenasRelease release = api.release(work);
            var paths = new JsonArray();
            paths.add("/mnt/" + A);
            JsonObject fields = release.isCore() ? object("paths", paths) : object("path", "/mnt/" + A);
            JsonObject share = api.change(
                            ApiCall.create(ApiCollection.NFS_SHARE, fields).madeFor(release), A, work)
                    .orThrow()
                    .getAsJsonObject();
            long id = share.get("id").getAsLong();

            assertThat(api.find(ApiCollection.NFS_SHARE, id, work)).isPresent();
            api.change(ApiCall.delete(ApiCollection.NFS_SHARE, id), A, work).orThrow();
            assertThat(api.find(ApiCollection.NFS_SHARE, id, work)).isEmpty();
            assertThat(api.query(ApiCall.of(ApiAction.ISCSI_GLOBAL_CONFIG), work)
                            .orThrow()
                            .getAsJsonObject()
                            .get("basename")
                            .getAsString())
                    .startsWith("iqn.");
        }
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void names_that_look_like_numbers_are_names(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            for (String name : List.of("1", "true", "a.b")) {
                api.change(
                                ApiCall.create(ApiCollection.SNAPSHOT, object("dataset", "tank/k8s", "name", name)),
                                name,
                                work)
                        .orThrow();
                assertThat(api.list(ApiCollection.SNAPSHOT, ApiQuery.of("snapshot_name", name), work))
                        .as(name)
                        .hasSize(1);
            }
            var both = new JsonArray();
            both.add("1");
            both.add("a.b");
            assertThat(api.list(ApiCollection.SNAPSHOT, ApiQuery.all().where("snapshot_name", "in", both), work))
                    .hasSize(2);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "CORE_13_0,  13, 0, true, true, false",
        "SCALE_24_10, 24, 10, true, false, false",
        "V25_04, 25, 4, false, false, false",
        "V25_10_0, 25, 10, false, false, false",
        "V25_10, 25, 10, false, false, false",
        "V26_BETA, 26, 0, false, false, false",
        "V26, 26, 0, false, false, false",
        "V27, 26, 0, false, false, true",
    })
    void the_release_is_known(Profile profile, int major, int minor, boolean rest, boolean core, boolean unknown) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            TruenasRelease release = api.release(work);

            assertThat(release.api().major()).isEqualTo(major);
            assertThat(release.api().minor()).isEqualTo(minor);
            assertThat(release.overRest()).isEqualTo(rest);
            assertThat(release.isCore()).isEqualTo(core);
            assertThat(release.isUnknown()).isEqualTo(unknown);
            assertThat(release.system().text()).startsWith("TrueNAS-");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"CORE_13_0", "SCALE_24_10", "V25_04"})
    void what_a_release_lacks_is_refused_before_anything_is_sent(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            api.release(work);
            box.simulator().clearCalls();

            assertThat(api.has(ApiAction.NVMET_GLOBAL_CONFIG, work)).isFalse();
            assertThatThrownBy(() ->
                            api.change(ApiCall.create(ApiCollection.NVMET_SUBSYS, object("name", "x")), "x", work))
                    .hasMessageContaining("FL-REQ-002")
                    .hasMessageContaining("here")
                    .hasMessageContaining("nvmet-subsys-create");
            assertThat(box.simulator().calls()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"V25_10", "V26"})
    void the_fields_of_a_model_are_named_too(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            ApiResult refused = api.change(
                    ApiCall.create(ApiCollection.DATASET, object("name", A, "type", "FILESYSTEM", "bad", 1)), A, work);

            assertThat(((ApiResult.Refused) refused).fields())
                    .extracting(FieldError::text)
                    .contains("Extra inputs are not permitted");
        }
    }
}
