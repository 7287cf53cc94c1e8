package dev.fairlead.adapter.freenas.smb;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.export.ExportedVolumes;
import dev.fairlead.adapter.freenas.export.HostTurns;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.config.Problems;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.http.Json;
import dev.fairlead.testkit.fake.TestWork;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/** Exporters of SMB over a simulated box, and what the box itself lets in. */
record SmbFixture(SimulatedBox box, HostTurns turns, AtomicReference<Instant> now, LateCalls pending) {
    static final Map<String, Object> PLAIN = Map.of("shareHost", "nas.example", "namePrefix", "csi-");

    private static final String SESSIONS = "smb_session";

    static SmbFixture of(SimulatedBox box) {
        var now = new AtomicReference<>(Instant.EPOCH);
        var pending = new LateCalls(now::get);
        boolean _ = pending.mayChange(new LateCalls.ChangeTarget("", "")); // which it begins with
        now.set(now.get().plus(Duration.ofHours(1)));
        return new SmbFixture(box, new HostTurns(), now, pending);
    }

    ExportedVolumes volumes() {
        return new ExportedVolumes(box, VolumeMedium.Kind.FILESYSTEM);
    }

    FreenasSmbExporter exporter(Map<String, Object> block) {
        var problems = new Problems("test.yaml");
        SmbShareSettings settings = SmbShareSettings.read(ExportedVolumes.file(Map.of("smb", block), problems));
        assertThat(problems.errors()).isEmpty();
        return new FreenasSmbExporter(box.client(), settings, pending, turns, "nas");
    }

    static Map<String, Object> with(String key, Object value) {
        Map<String, Object> block = new HashMap<>(PLAIN);
        block.put(key, value);
        return block;
    }

    List<SmbShareEntry> shares() {
        return box.client().get().list(ApiCollection.SMB_SHARE, ApiQuery.all(), TestWork.patient()).stream()
                .flatMap(row -> SmbShareEntry.read(row).stream())
                .toList();
    }

    /** Returns who is let in by the shares of a volume, as Samba judges; empty for everybody. */
    Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
        SortedMap<String, Boolean> hosts = new TreeMap<>();
        for (JsonObject share : box.effective("smb_share")) {
            if (share.get("path").getAsString().equals(volume.medium().path())
                    && share.get("enabled").getAsBoolean()) {
                JsonObject options = share.getAsJsonObject("options");
                List<String> allowed = Json.texts(options, "hostsallow");
                if (allowed.isEmpty() || !Json.texts(options, "hostsdeny").isEmpty()) {
                    return Optional.empty();
                }
                allowed.forEach(host -> hosts.put(host, false));
            }
        }
        return Optional.of(hosts);
    }

    /** Has a host use the share of the fixture's volume, as one does that is let in. */
    void connect(String host) {
        box.put(SESSIONS, session(host));
    }

    /** Has a host use the same, and come back at once whenever its session is ended and the share lets it in. */
    void connectForEver(String host) {
        JsonObject session = session(host);
        session.addProperty("returns", true);
        box.put(SESSIONS, session);
    }

    private static JsonObject session(String host) {
        var session = new JsonObject();
        session.addProperty("share", "csi-pvc-a");
        session.addProperty("host", host);
        return session;
    }

    List<String> connected() {
        return box.rows(SESSIONS).stream()
                .filter(session -> !Json.flag(session, "ended"))
                .map(session -> session.get("host").getAsString())
                .toList();
    }

    int exports() {
        return shares().size();
    }
}
