package dev.fairlead.simulator.model;

import static dev.fairlead.simulator.engine.JsonTools.array;
import static dev.fairlead.simulator.engine.JsonTools.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.error.Violation;
import dev.fairlead.simulator.profile.Profile;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a box answers, held to the vendor's models of its entries: their fields, types and limits. */
class AnsweredEntriesTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(names = {"V25_04", "V25_10_0", "V25_10", "V26_BETA", "V26"})
    void every_entry_fits_the_model_of_the_release(Profile profile) throws IOException {
        try (Simulator box = Simulator.start(profile, folder)) {
            makeOneOfEach(box, profile.since(Profile.V25_10_0));
            JsonObject models = models(profile);
            List<String> misfits = new ArrayList<>();
            Set<String> seen = new TreeSet<>();
            for (String namespace : models.keySet()) {
                JsonObject model = models.getAsJsonObject(namespace);
                for (JsonElement entry : entries(box, namespace)) {
                    seen.add(namespace);
                    var validator = new Validator(profile, JsonTools.child(model, "$defs"));
                    for (Violation violation : validator.check(model, entry, namespace)) {
                        misfits.add(violation.attribute().orElse("") + ": " + violation.text());
                    }
                }
            }

            assertThat(misfits).isEmpty();
            assertThat(seen).isEqualTo(models.keySet());
        }
    }

    private static void makeOneOfEach(Simulator box, boolean nvme) {
        JsonArray note = array(object("key", "democratic-csi:managed_resource", "value", "true"));
        box.call("pool.dataset.create", array(object("name", "tank/a", "user_properties", note)));
        box.call("pool.dataset.create", array(object("name", "tank/z", "type", "VOLUME", "volsize", 1L << 30)));
        box.call("pool.dataset.create", array(object("name", "tank/y", "type", "VOLUME", "volsize", 1L << 30)));
        String snapshots = nvme ? "pool.snapshot" : "zfs.snapshot";
        box.call(snapshots + ".create", array(object("dataset", "tank/a", "name", "s")));
        box.call(snapshots + ".clone", array(object("snapshot", "tank/a@s", "dataset_dst", "tank/c")));
        box.call("sharing.nfs.create", array(object("path", "/mnt/tank/a", "hosts", array("10.0.0.1"))));
        box.call("sharing.smb.create", array(object("path", "/mnt/tank/a", "name", "a")));
        box.call("iscsi.auth.create", array(object("tag", 1, "user", "u", "secret", "twelve-chars1")));
        int group = id(box.call("iscsi.initiator.create", array(object("initiators", array("iqn.2024-01.x:n")))));
        int target = id(box.call(
                "iscsi.target.create",
                array(object("name", "t", "groups", array(object("portal", 1, "initiator", group))))));
        int extent =
                id(box.call("iscsi.extent.create", array(object("name", "e", "type", "DISK", "disk", "zvol/tank/z"))));
        box.call("iscsi.targetextent.create", array(object("target", target, "extent", extent, "lunid", 0)));
        if (nvme) {
            int host = id(box.call("nvmet.host.create", array(object("hostnqn", "nqn.2014-08.org.x:n"))));
            int subsystem = id(box.call("nvmet.subsys.create", array(object("name", "s"))));
            box.call(
                    "nvmet.namespace.create",
                    array(object("subsys_id", subsystem, "device_type", "ZVOL", "device_path", "zvol/tank/y")));
            box.call("nvmet.host_subsys.create", array(object("host_id", host, "subsys_id", subsystem)));
            box.call("nvmet.port_subsys.create", array(object("port_id", 1, "subsys_id", subsystem)));
        }
    }

    private static int id(JsonElement made) {
        return made.getAsJsonObject().get("id").getAsInt();
    }

    private static JsonArray entries(Simulator box, String namespace) {
        return switch (namespace) {
            case "iscsi.global", "nvmet.global" -> array(box.call(namespace + ".config", new JsonArray()));
            case "zfs.resource" ->
                box.call("zfs.resource.query", array(object("paths", array("tank/a", "tank/z"))))
                        .getAsJsonArray();
            default ->
                box.call(namespace + ".query", array(new JsonArray(), new JsonObject()))
                        .getAsJsonArray();
        };
    }

    private static JsonObject models(Profile profile) throws IOException {
        String name = "entries-" + profile.models() + ".json";
        try (InputStream in = AnsweredEntriesTest.class.getResourceAsStream(name)) {
            return JsonParser.parseReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .getAsJsonObject();
        }
    }
}
