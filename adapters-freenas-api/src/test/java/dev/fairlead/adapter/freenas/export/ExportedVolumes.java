package dev.fairlead.adapter.freenas.export;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.fake.TestVolumes;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Volumes of a simulated box that no store made. */
public record ExportedVolumes(SimulatedBox box, VolumeMedium.Kind kind) {
    public static final String PARENT = SimulatedBox.PARENT;

    private boolean isBlock() {
        return kind == VolumeMedium.Kind.BLOCK_DEVICE;
    }

    public Birth birth(String name) {
        VolumeMedium medium = isBlock()
                ? new VolumeMedium.BlockDevice("/dev/zvol/" + PARENT + "/" + name)
                : new VolumeMedium.Filesystem("/mnt/" + PARENT + "/" + name);
        return new Birth(new NativeId(name), TestVolumes.empty(name), TestVolumes.SIZE, medium, Map.of());
    }

    public StoredVolume volume(Birth birth, Map<String, String> notes) {
        Map<String, String> all = new HashMap<>(birth.notes());
        all.putAll(notes);
        box.putDataset(dataset(birth.id()), isBlock() ? "VOLUME" : "FILESYSTEM", new JsonObject());
        return birth.made().withNotes(all);
    }

    public static String dataset(NativeId id) {
        return PARENT + "/" + id;
    }

    public void remove(StoredVolume volume) {
        box.removeDataset(dataset(volume.id()));
    }

    /** Records who the volume is published to, as a store does. */
    public void record(StoredVolume volume, String grants) {
        box.tamper("dataset", dataset(volume.id()), row -> {
            row.getAsJsonObject("user").addProperty("dev.fairlead:grants", grants);
            return row;
        });
    }

    /** Reads a connection's file. */
    public static ConfigNode file(Map<String, Object> file, Problems problems) {
        return ConfigNode.root(ConfigTrees.of(file), problems);
    }

    public static Optional<String> text(JsonObject row, String key) {
        return row.has(key) && row.get(key).isJsonPrimitive()
                ? Optional.of(row.get(key).getAsString())
                : Optional.empty();
    }
}
