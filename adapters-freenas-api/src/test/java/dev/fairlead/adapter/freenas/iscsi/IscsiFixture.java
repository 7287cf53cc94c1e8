package dev.fairlead.adapter.freenas.iscsi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.export.ExportedVolumes;
import dev.fairlead.adapter.freenas.export.HostTurns;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.out.store.NoteLook;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Exporters of iSCSI over a simulated box, and what the box itself lets in. */
record IscsiFixture(SimulatedBox box, HostTurns turns) {
    static final Map<String, Object> BY_NUMBER = Map.of(
            "targetPortal",
            "10.0.0.100:3260",
            "namePrefix",
            "csi-",
            "targetGroups",
            List.of(Map.of("targetGroupPortalGroup", 1, "targetGroupInitiatorGroup", "-1")));

    IscsiFixture(SimulatedBox box) {
        this(box, new HostTurns());
    }

    /** Makes a box of 26 one whose target is LIO, as its database alone can. */
    static IscsiFixture lio(SimulatedBox box) {
        return new IscsiFixture(box).mode(2);
    }

    IscsiFixture mode(int mode) {
        box.tamper("iscsi_global", "config", row -> {
            row.addProperty("mode", mode);
            return row;
        });
        return this;
    }

    ExportedVolumes volumes() {
        return new ExportedVolumes(box, VolumeMedium.Kind.BLOCK_DEVICE);
    }

    FreenasIscsiExporter exporter(Map<String, Object> block) {
        return exporter(block, box.client());
    }

    FreenasIscsiExporter exporter(SharedClient<TruenasApi> client) {
        return exporter(BY_NUMBER, client);
    }

    private FreenasIscsiExporter exporter(Map<String, Object> block, SharedClient<TruenasApi> client) {
        var problems = new Problems("test.yaml");
        IscsiSettings settings = IscsiSettings.read(ExportedVolumes.file(Map.of("iscsi", block), problems));
        assertThat(problems.errors()).isEmpty();
        return new FreenasIscsiExporter(client, settings, turns, "nas", NoteLook.NONE);
    }

    static Map<String, Object> with(String key, Object value) {
        Map<String, Object> block = new HashMap<>(BY_NUMBER);
        block.put(key, value);
        return block;
    }

    /** Makes a volume, planned with a target by its number's group. */
    StoredVolume volume(boolean closed) {
        try (FreenasIscsiExporter exporter = exporter(BY_NUMBER)) {
            var birth = volumes().birth("pvc-a");
            Map<String, String> notes = new HashMap<>(exporter.plan(birth).notes());
            if (closed) {
                notes.putAll(Access.CLOSED);
            }
            return volumes().volume(birth, notes);
        }
    }

    /** Returns grants of nodes with these initiators. */
    static Grants nodes(String... initiators) {
        Grants all = Grants.NONE;
        for (String each : initiators) {
            all = all.with(new Grant("node-" + each, each, false, AccessMode.MULTI_NODE_MULTI_WRITER, false));
        }
        return all;
    }

    Optional<JsonObject> target(String name) {
        return box.rows("iscsi_target").stream()
                .filter(row -> row.get("name").getAsString().equals(name))
                .findFirst();
    }

    /** Returns who is let in, as the box configures its target; empty for everybody. */
    Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
        JsonObject target = box.effective("iscsi_target").stream()
                .filter(row -> row.get("name").getAsString().equals("csi-" + volume.id()))
                .findFirst()
                .orElseThrow();
        SortedMap<String, Boolean> initiators = new TreeMap<>();
        for (JsonElement each : target.getAsJsonArray("groups")) {
            JsonElement number = each.getAsJsonObject().get("initiator");
            Optional<JsonArray> names = number.isJsonNull() ? Optional.empty() : initiators(number.getAsLong());
            if (names.filter(list -> !list.isEmpty()).isEmpty()) {
                return Optional.empty();
            }
            names.get().forEach(name -> initiators.put(name.getAsString(), false));
        }
        return Optional.of(initiators);
    }

    private Optional<JsonArray> initiators(long id) {
        return box.effective("iscsi_initiator").stream()
                .filter(row -> row.get("id").getAsLong() == id)
                .map(row -> row.getAsJsonArray("initiators"))
                .findFirst();
    }

    int exports() {
        return box.rows("iscsi_target").size()
                + box.rows("iscsi_extent").size()
                + box.rows("iscsi_targetextent").size()
                + box.rows("iscsi_initiator").size();
    }
}
