package dev.fairlead.benchmarks.truenas;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.FreenasExportModule;
import dev.fairlead.adapter.freenas.FreenasModule;
import dev.fairlead.adapter.freenas.client.connection.TruenasConnections;
import dev.fairlead.adapter.freenas.export.HostTurns;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestWork;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Runs controllers of one simulated TrueNAS that is 5 ms away, and a client that was written by hand, which has the
 * same effects and reads them back.
 */
public final class TruenasRig implements AutoCloseable {
    private static final Duration EACH_WAY = Duration.ofNanos(2_500_000);
    private static final String PARENT = "tank/bench/v";
    private static final String FLOOR = "tank/bench/f";
    private static final CapacityRange SIZE =
            new CapacityRange(Optional.of(Capacity.ofBytes(1L << 30)), Optional.empty());

    private final Simulator box;
    private final DelayedLink link;
    private final boolean isBlock;
    private final List<OneConnectionFixture> controllers = new ArrayList<>();
    private final HandWrittenClient client;
    private final Map<String, List<Long>> rows = new ConcurrentHashMap<>();

    private TruenasRig(Simulator box, DelayedLink link, boolean isBlock, int connections) {
        this.box = box;
        this.link = link;
        this.isBlock = isBlock;
        var process =
                new TruenasConnections(task -> Thread.ofPlatform().daemon().unstarted(task));
        var late = new LateCalls(InstantSource.system());
        for (int i = 0; i < connections; i++) {
            controllers.add(controller(process, late, i));
        }
        this.client = new HandWrittenClient(link.port(), box.rootKey(), trusting(box.certificate()));
        for (String dataset : List.of("tank/bench", PARENT, FLOOR)) {
            client.call("pool.dataset.create", HandWrittenClient.object("{\"name\": \"" + dataset + "\"}"));
        }
    }

    /** @param connections of one process to the box, by turns for the volumes */
    public static TruenasRig start(boolean isBlock, int connections, Path folder) throws IOException {
        Simulator box = Simulator.start(Profile.V25_10, folder);
        return new TruenasRig(box, DelayedLink.to(box.port(), EACH_WAY), isBlock, connections);
    }

    private static SSLContext trusting(String certificate) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setCertificateEntry(
                    "box",
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(
                                    new ByteArrayInputStream(certificate.getBytes(StandardCharsets.UTF_8))));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the box's certificate cannot be used", e);
        }
    }

    private OneConnectionFixture controller(TruenasConnections process, LateCalls late, int number) {
        String type = isBlock ? "freenas-api-iscsi" : "freenas-api-nfs";
        var scope = new ConnectionScope(new ConnectionName("box-" + number), type, Optional.empty(), "benchmark");
        InstantSource clock = InstantSource.system();
        StoreFactory store =
                isBlock ? FreenasModule.volumes(process, late, clock) : FreenasModule.filesystems(process, late, clock);
        ExporterFactory exporter =
                isBlock ? FreenasExportModule.iscsi(process, new HostTurns()) : FreenasModule.nfs(process, late);
        ConfigNode file = file(type);
        return OneConnectionFixture.closed(type, store.open(scope, file), exporter.open(scope, file));
    }

    private ConfigNode file(String type) {
        return ConfigNode.root(
                ConfigTrees.of(Map.of(
                        "driver",
                        type,
                        "httpConnection",
                        Map.of(
                                "host",
                                "127.0.0.1",
                                "protocol",
                                "https",
                                "port",
                                link.port(),
                                "apiKey",
                                box.rootKey(),
                                "allowInsecure",
                                true),
                        "zfs",
                        Map.of(
                                "datasetParentName",
                                PARENT,
                                "detachedSnapshotsDatasetParentName",
                                "tank/bench/s",
                                "datasetEnableQuotas",
                                true),
                        isBlock ? "iscsi" : "nfs",
                        Map.of(isBlock ? "targetPortal" : "shareHost", "127.0.0.1"))),
                new Problems("box.yaml"));
    }

    private OneConnectionFixture of(String name) {
        return controllers.get(Math.floorMod(name.hashCode(), controllers.size()));
    }

    private static Work work(String what) {
        return TestWork.named(what).left(Duration.ofMinutes(2));
    }

    public void create(String name) {
        var _ = of(name).create(name, SIZE, Source.NONE, Map.of());
    }

    public void snapshot(String name) {
        var _ = of(name).useCases()
                .takeSnapshot()
                .take(new CsiName("s-" + name), "v:nas/" + name, Map.of(), work(name));
    }

    public void deleteSnapshot(String name) {
        of(name).useCases().deleteSnapshot().delete("s:nas/" + name + "@s-" + name, work(name));
    }

    public void delete(String name) {
        of(name).useCases().deleteVolume().delete("v:nas/" + name, work(name));
    }

    /** Lists all volumes, and returns how many there are. */
    public int list() {
        return controllers
                .getFirst()
                .useCases()
                .listVolumes()
                .list(Optional.empty(), 0, work("list"))
                .items()
                .size();
    }

    /** Returns how many calls the box has had since this was asked last. */
    public int calls() {
        int calls = box.calls().size();
        box.clearCalls();
        return calls;
    }

    /** Returns how many sockets are open to it, without that of the client that was written by hand. */
    public int sockets() {
        return box.sockets() - 1;
    }

    @SuppressWarnings("AnnotateFormatMethod") // that annotation would be a dependency for two private methods
    private JsonObject made(String method, String fields, Object... values) {
        return client.call(method, HandWrittenClient.object(fields.formatted(values)))
                .getAsJsonObject();
    }

    @SuppressWarnings("AnnotateFormatMethod")
    private long id(String method, String fields, Object... values) {
        return made(method, fields, values).get("id").getAsLong();
    }

    /** Makes, exports and marks a volume; each answer is what the box has read back. */
    public void floorCreate(String name) {
        String dataset = FLOOR + "/" + name;
        String marks = """
                "user_properties": [{"key": "democratic-csi:managed_resource", "value": "true"},
                 {"key": "democratic-csi:csi_volume_name", "value": "%s"}]""".formatted(name);
        if (isBlock) {
            made("pool.dataset.create", """
                    {"name": "%s", "type": "VOLUME", "volsize": 1073741824, "volblocksize": "16K", %s}
                    """, dataset, marks);
            long target = id("iscsi.target.create", "{\"name\": \"f%s\", \"groups\": []}", name);
            long extent = id("iscsi.extent.create", """
                    {"name": "f%s", "type": "DISK", "disk": "zvol/%s"}
                    """, name, dataset);
            id("iscsi.targetextent.create", "{\"target\": %d, \"extent\": %d, \"lunid\": 0}", target, extent);
            rows.put(name, List.of(target, extent));
        } else {
            made("pool.dataset.create", "{\"name\": \"%s\", \"refquota\": 1073741824, %s}", dataset, marks);
            rows.put(name, List.of(id("sharing.nfs.create", "{\"path\": \"/mnt/%s\", \"enabled\": false}", dataset)));
        }
        client.call("pool.dataset.update", new JsonPrimitive(dataset), HandWrittenClient.object("""
                        {"user_properties_update": [{"key": "democratic-csi:id", "value": "%d"}]}
                        """.formatted(
                        export(name).getFirst())));
    }

    private List<Long> export(String name) {
        return Optional.ofNullable(rows.get(name)).orElseThrow();
    }

    /** Takes a snapshot after it has looked whether the name is taken, which CSI wants to be told. */
    public void floorSnapshot(String name) {
        client.call(
                "pool.snapshot.query",
                JsonParser.parseString("[[\"snapshot_name\", \"=\", \"s-%s\"]]".formatted(name)));
        made("pool.snapshot.create", "{\"dataset\": \"%s/%s\", \"name\": \"s-%s\"}", FLOOR, name, name);
    }

    /** Deletes a snapshot, and looks whether it is gone. */
    public void floorDeleteSnapshot(String name) {
        String snapshot = FLOOR + "/" + name + "@s-" + name;
        client.call("pool.snapshot.delete", new JsonPrimitive(snapshot));
        var query = JsonParser.parseString("[[\"id\", \"=\", \"%s\"]]".formatted(snapshot));
        if (!client.call("pool.snapshot.query", query).getAsJsonArray().isEmpty()) {
            throw new IllegalStateException(snapshot + " was deleted, and is still there");
        }
    }

    /** Looks what hangs on a volume, takes its export away, deletes it, and looks whether it is gone. */
    public void floorDelete(String name) {
        String dataset = FLOOR + "/" + name;
        var query = JsonParser.parseString("[[\"id\", \"=\", \"%s\"]]".formatted(dataset));
        client.call("pool.dataset.query", query, HandWrittenClient.object("{\"extra\": {\"snapshots\": true}}"));
        List<Long> export = export(name);
        if (isBlock) {
            client.call("iscsi.target.delete", new JsonPrimitive(export.getFirst()));
            client.call("iscsi.extent.delete", new JsonPrimitive(export.getLast()));
        } else {
            client.call("sharing.nfs.delete", new JsonPrimitive(export.getFirst()));
        }
        client.call("pool.dataset.delete", new JsonPrimitive(dataset));
        if (!client.call("pool.dataset.query", query).getAsJsonArray().isEmpty()) {
            throw new IllegalStateException(dataset + " was deleted, and is still there");
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
        controllers.forEach(OneConnectionFixture::close);
        link.close();
        box.close();
    }
}
