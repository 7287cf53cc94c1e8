package dev.fairlead.adapter.freenas.nvmet;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.export.ExportedVolumes;
import dev.fairlead.adapter.freenas.export.HostTurns;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.store.NoteLook;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/** Exporters of NVMe-oF over a simulated box, and what the box itself lets in. */
record NvmeofFixture(SimulatedBox box, HostTurns turns, AtomicReference<Instant> now, LateCalls pending) {
    static final Map<String, Object> BY_NUMBER =
            Map.of("transport", "tcp://10.0.0.100:4420", "namePrefix", "csi-", "ports", List.of(1));

    static NvmeofFixture of(SimulatedBox box) {
        var now = new AtomicReference<>(Instant.EPOCH);
        var pending = new LateCalls(now::get);
        boolean _ = pending.mayChange(new LateCalls.ChangeTarget("", "")); // which it begins with
        now.set(now.get().plus(Duration.ofHours(1)));
        return new NvmeofFixture(box, new HostTurns(), now, pending);
    }

    ExportedVolumes volumes() {
        return new ExportedVolumes(box, VolumeMedium.Kind.BLOCK_DEVICE);
    }

    FreenasNvmeofExporter exporter(Map<String, Object> block) {
        return exporter(block, Map.of());
    }

    FreenasNvmeofExporter exporter(Map<String, Object> block, Map<String, Object> own) {
        var problems = new Problems("test.yaml");
        SubsystemSettings settings =
                SubsystemSettings.read(ExportedVolumes.file(Map.of("nvmeof", block, "fairlead", own), problems));
        assertThat(problems.errors()).isEmpty();
        return new FreenasNvmeofExporter(box.client(), settings, pending, turns, "nas", NoteLook.NONE);
    }

    static Map<String, Object> with(String key, Object value) {
        Map<String, Object> block = new HashMap<>(BY_NUMBER);
        block.put(key, value);
        return block;
    }

    Optional<JsonObject> subsystem(String name) {
        return box.rows("nvmet_subsys").stream()
                .filter(row -> row.get("name").getAsString().equals(name))
                .findFirst();
    }

    /** Returns who is let in, as the box configures its target; empty for everybody. */
    Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
        SortedMap<String, Boolean> hosts = new TreeMap<>();
        Optional<JsonObject> found = box.effective("nvmet_subsys").stream()
                .filter(row -> row.get("name").getAsString().equals("csi-" + volume.id()))
                .findFirst();
        if (found.isEmpty()) {
            return Optional.of(hosts);
        }
        JsonObject subsystem = found.get();
        long id = subsystem.get("id").getAsLong();
        boolean shown = box.effective("nvmet_port_subsys").stream()
                .anyMatch(link -> link.get("subsys_id").getAsLong() == id);
        if (shown && subsystem.get("allow_any_host").getAsBoolean()) {
            return Optional.empty();
        }
        box.effective("nvmet_host_subsys").stream()
                .filter(link -> shown && link.get("subsys_id").getAsLong() == id)
                .forEach(link -> hosts.put(host(link.get("host_id").getAsLong()), false));
        return Optional.of(hosts);
    }

    private String host(long id) {
        return box.effective("nvmet_host").stream()
                .filter(row -> row.get("id").getAsLong() == id)
                .findFirst()
                .orElseThrow()
                .get("hostnqn")
                .getAsString();
    }

    int exports() {
        return box.rows("nvmet_subsys").size()
                + box.rows("nvmet_namespace").size()
                + box.rows("nvmet_port_subsys").size()
                + box.rows("nvmet_host_subsys").size();
    }
}
