package dev.fairlead.adapter.freenas.client.connection;

import static dev.fairlead.adapter.freenas.client.connection.ConnectedBox.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JailTest {
    private static final Jail JAIL = new Jail(List.of("tank/k8s", "fast pool/k8s"));

    @TempDir
    private Path folder;

    static Stream<ApiCall> escaping() {
        return Stream.of(
                ApiCall.create(ApiCollection.DATASET, object("name", "tank/other")),
                ApiCall.create(ApiCollection.DATASET, object("name", "tank/k8s")),
                ApiCall.create(ApiCollection.DATASET, object("name", "tank/k8s-other/a")),
                ApiCall.create(ApiCollection.DATASET, object("name", "tank/k8s/../other")),
                ApiCall.create(ApiCollection.DATASET, object("name", "tank/k8s//a")),
                ApiCall.create(ApiCollection.DATASET, object("name", "tank/k8s/")),
                ApiCall.create(ApiCollection.DATASET, object("name", "/tank/k8s/a")),
                ApiCall.update(ApiCollection.DATASET, "tank", object()),
                ApiCall.update(ApiCollection.DATASET, "tank/k8s/a", object("mountpoint", "/etc")),
                ApiCall.delete(ApiCollection.DATASET, "tank/k8s"),
                ApiCall.delete(ApiCollection.DATASET, "tank"),
                ApiCall.get(ApiCollection.DATASET, "tank/secret"),
                ApiCall.create(ApiCollection.SNAPSHOT, object("dataset", "tank", "name", "s")),
                ApiCall.delete(ApiCollection.SNAPSHOT, "tank/other@s"),
                ApiCall.delete(ApiCollection.SNAPSHOT, "tank/k8s/a@s/../../other"),
                ApiCall.delete(ApiCollection.SNAPSHOT, "tank/k8s/a@s@t"),
                ApiCall.of(ApiAction.SNAPSHOT_CLONE, object("snapshot", "tank/k8s/a@s", "dataset_dst", "tank/other")),
                ApiCall.of(ApiAction.SNAPSHOT_CLONE, object("snapshot", "tank/k8s/a@s", "dataset_dst", "tank/k8s")),
                ApiCall.of(ApiAction.SNAPSHOT_CLONE, object("snapshot", "tank/o@s", "dataset_dst", "tank/k8s/b")),
                ApiCall.of(ApiAction.DATASET_PROMOTE, new JsonPrimitive("tank/other")),
                ApiCall.of(ApiAction.DATASET_RENAME, new JsonPrimitive("tank/k8s/a"), object("new_name", "tank/other")),
                ApiCall.of(ApiAction.DATASET_RENAME, new JsonPrimitive("tank/k8s"), object("new_name", "tank/k8s/b")),
                ApiCall.of(ApiAction.RESOURCE_SNAPSHOT_QUERY, object("paths", array("tank/k8s/a", "tank/other"))),
                ApiCall.of(ApiAction.RESOURCE_SNAPSHOT_CREATE, object("dataset", "tank", "name", "s")),
                ApiCall.of(
                        ApiAction.REPLICATION_RUN,
                        object("source_datasets", array("tank/other"), "target_dataset", "tank/k8s/b")),
                ApiCall.of(
                        ApiAction.REPLICATION_RUN,
                        object("source_datasets", array("tank/k8s/a"), "target_dataset", "tank/other")),
                ApiCall.of(ApiAction.FILESYSTEM_SETPERM, object("path", "/mnt/tank/other", "mode", "0777")),
                ApiCall.of(ApiAction.FILESYSTEM_SETPERM, object("path", "/mnt/tank/k8s", "mode", "0777")),
                ApiCall.of(ApiAction.FILESYSTEM_SETPERM, object("path", "/etc", "mode", "0777")),
                ApiCall.of(ApiAction.FILESYSTEM_CHOWN, object("path", "/mnt/tank/k8s/a/../../x", "uid", 1)),
                ApiCall.create(ApiCollection.NFS_SHARE, object("path", "/mnt/tank")),
                ApiCall.create(ApiCollection.NFS_SHARE, object("paths", array("/mnt/tank/k8s/a", "/mnt/tank"))),
                ApiCall.update(ApiCollection.NFS_SHARE, 7, object("path", "/mnt/tank")),
                ApiCall.create(ApiCollection.SMB_SHARE, object("name", "x", "path", "/mnt/tank/k8s-b/a")),
                ApiCall.create(ApiCollection.ISCSI_EXTENT, object("name", "x", "disk", "zvol/tank/other")),
                ApiCall.create(ApiCollection.ISCSI_EXTENT, object("name", "x", "disk", "sda")),
                ApiCall.create(ApiCollection.NVMET_NAMESPACE, object("device_path", "zvol/tank/other")),
                ApiCall.query(ApiCollection.DATASET, ApiQuery.of("id", "tank/other")),
                ApiCall.query(ApiCollection.SNAPSHOT, ApiQuery.all().where("id", "^", new JsonPrimitive("tank/k8"))));
    }

    static Stream<ApiCall> staying() {
        return Stream.of(
                ApiCall.create(ApiCollection.DATASET, object("name", "tank/k8s/a")),
                ApiCall.update(ApiCollection.DATASET, "tank/k8s", object("user_properties_update", array())),
                ApiCall.get(ApiCollection.DATASET, "tank/k8s"),
                ApiCall.delete(ApiCollection.DATASET, "fast pool/k8s/a", object("recursive", false)),
                ApiCall.create(ApiCollection.SNAPSHOT, object("dataset", "tank/k8s", "name", "s")),
                ApiCall.delete(ApiCollection.SNAPSHOT, "tank/k8s@s"),
                ApiCall.of(
                        ApiAction.SNAPSHOT_CLONE, object("snapshot", "tank/k8s/a@s", "dataset_dst", "fast pool/k8s/b")),
                ApiCall.of(ApiAction.RESOURCE_SNAPSHOT_QUERY, object("paths", array("tank/k8s/a@s"))),
                ApiCall.of(
                        ApiAction.RESOURCE_SNAPSHOT_CREATE,
                        object("dataset", "tank/k8s", "name", "s", "exclude", array("tank/k8s/a"))),
                ApiCall.of(ApiAction.FILESYSTEM_SETPERM, object("path", "/mnt/tank/k8s/a", "mode", "0777")),
                ApiCall.create(ApiCollection.ISCSI_EXTENT, object("name", "x", "disk", "zvol/fast+pool/k8s/a")),
                ApiCall.create(ApiCollection.ISCSI_TARGET, object("name", "anything")),
                ApiCall.query(ApiCollection.DATASET, ApiQuery.of("id", "tank/k8s")),
                ApiCall.query(
                        ApiCollection.SNAPSHOT, ApiQuery.all().where("id", "^", new JsonPrimitive("tank/k8s/a@"))),
                ApiCall.query(ApiCollection.POOL, ApiQuery.of("name", "tank")));
    }

    private static JsonArray array(String... texts) {
        var array = new JsonArray();
        for (String text : texts) {
            array.add(text);
        }
        return array;
    }

    @ParameterizedTest
    @MethodSource("escaping")
    void what_leaves_the_parents_is_refused(ApiCall call) {
        assertThat(JAIL.escaping(call)).as("%s %s", call, call.arguments()).isPresent();
    }

    @ParameterizedTest
    @MethodSource("staying")
    void what_stays_below_them_is_not(ApiCall call) {
        assertThat(JAIL.escaping(call)).as("%s %s", call, call.arguments()).isEmpty();
    }

    @Test
    void nothing_of_a_call_that_leaves_is_sent() {
        try (var box = ConnectedBox.start(Profile.V25_10, folder);
                TruenasApi api = box.open("here")) {
            var work = TestWork.patient();
            api.release(work);
            box.simulator().clearCalls();

            assertThatThrownBy(() -> api.change(ApiCall.delete(ApiCollection.DATASET, "tank/other"), "x", work))
                    .hasMessageContaining("here")
                    .hasMessageContaining("'tank/other'")
                    .hasMessageContaining("not sent");
            assertThatThrownBy(() -> api.find(ApiCollection.DATASET, "tank/other", work))
                    .hasMessageContaining("not sent");
            assertThat(box.simulator().calls()).isEmpty();
            assertThat(work.effects()).isEmpty();
        }
    }
}
