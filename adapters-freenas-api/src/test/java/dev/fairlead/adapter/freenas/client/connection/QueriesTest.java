package dev.fairlead.adapter.freenas.client.connection;

import static dev.fairlead.adapter.freenas.client.connection.ConnectedBox.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class QueriesTest {
    private static final String A = "tank/k8s/a";

    private final TestWork work = TestWork.patient();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(Profile.class)
    void texts_are_compared_in_any_case_of_letters(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            api.change(ApiCall.create(ApiCollection.DATASET, object("name", A)), A, work)
                    .orThrow();
            api.change(ApiCall.create(ApiCollection.SMB_SHARE, object("name", "Vol.1", "path", "/mnt/" + A)), A, work)
                    .orThrow();

            assertThat(api.list(ApiCollection.SMB_SHARE, named("vOL.1"), work)).hasSize(1);
            assertThat(api.list(ApiCollection.SMB_SHARE, named("vol11"), work)).isEmpty();
            assertThat(api.list(ApiCollection.SMB_SHARE, named("vol.1x"), work)).isEmpty();
        }
    }

    private static ApiQuery named(String name) {
        return ApiQuery.all().where("name", "C=", new JsonPrimitive(name));
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void lists_are_found_by_what_they_have(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            api.change(ApiCall.create(ApiCollection.DATASET, object("name", A)), A, work)
                    .orThrow();
            String path = "/mnt/" + A;
            var hosts = new JsonArray();
            hosts.add("10.0.0.1");
            var paths = new JsonArray();
            paths.add(path);
            boolean core = api.release(work).isCore();
            api.change(
                            ApiCall.create(
                                    ApiCollection.NFS_SHARE,
                                    core
                                            ? object("paths", paths, "hosts", hosts)
                                            : object("path", path, "hosts", hosts)),
                            A,
                            work)
                    .orThrow();

            assertThat(api.list(ApiCollection.NFS_SHARE, having("hosts", "10.0.0.1"), work))
                    .hasSize(1);
            assertThat(api.list(ApiCollection.NFS_SHARE, having("hosts", "10.0.0.2"), work))
                    .isEmpty();
            if (core) {
                assertThat(api.list(ApiCollection.NFS_SHARE, having("paths", path), work))
                        .hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void a_page_begins_after_the_last_id_of_the_one_before(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            for (String name : List.of("c", "a", "b")) {
                String dataset = ConnectedBox.PARENT + "/" + name;
                api.change(ApiCall.create(ApiCollection.DATASET, object("name", dataset)), dataset, work)
                        .orThrow();
                api.change(
                                ApiCall.create(ApiCollection.SNAPSHOT, object("dataset", dataset, "name", "s")),
                                dataset,
                                work)
                        .orThrow();
            }

            assertThat(api.list(ApiCollection.DATASET, after("id", A), work))
                    .extracting(row -> row.get("id").getAsString())
                    .containsExactly(ConnectedBox.PARENT + "/b");
            assertThat(api.list(ApiCollection.SNAPSHOT, after("dataset", A + "@s"), work))
                    .extracting(row -> row.get("id").getAsString())
                    .containsExactly(ConnectedBox.PARENT + "/b@s");
        }
    }

    private static ApiQuery after(String field, String id) {
        return ApiQuery.all()
                .where(field, "^", new JsonPrimitive(ConnectedBox.PARENT + "/"))
                .where("id", ">", new JsonPrimitive(id))
                .orderBy("id")
                .page(0, 1);
    }

    private static ApiQuery having(String field, String value) {
        return ApiQuery.all().where(field, "rin", new JsonPrimitive(value));
    }
}
