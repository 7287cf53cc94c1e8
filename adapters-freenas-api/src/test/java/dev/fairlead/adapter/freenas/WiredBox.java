package dev.fairlead.adapter.freenas;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.client.connection.TruenasConnections;
import dev.fairlead.adapter.freenas.export.HostTurns;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A simulated box that is reached over its wire, by a store and an exporter that are opened as in production. */
record WiredBox(Simulator simulator, SharedClient<TruenasApi> administrator, VolumeStore store, Exporter exporter)
        implements AutoCloseable {
    static final String PARENT = "tank/k8s/v";

    /** The user of a connection that has single roles. */
    static final String USER = "csi";

    /**
     * The tables that outlive volumes: who called, what was numbered, what an administrator has set up, and the hosts
     * of NVMe, since all volumes of a node share its row.
     */
    private static final Set<String> KEPT =
            Set.of("api_key", "secret", "sequence", "service", "user", "iscsi_global", "nvmet_global", "nvmet_host");

    /** A way to export volumes, with its block of a connection's file. */
    enum Protocol {
        NFS("nfs", VolumeMedium.Kind.FILESYSTEM, "shareHost", "nas.example.org"),
        SMB("smb", VolumeMedium.Kind.FILESYSTEM, "shareHost", "nas.example.org"),
        ISCSI("iscsi", VolumeMedium.Kind.BLOCK_DEVICE, "targetPortal", "nas.example.org:3260"),
        NVMEOF("nvmeof", VolumeMedium.Kind.BLOCK_DEVICE, "transport", "tcp://nas.example.org:4420");

        private final String block;
        private final VolumeMedium.Kind kind;
        private final String hostKey;
        private final String host;

        Protocol(String block, VolumeMedium.Kind kind, String hostKey, String host) {
            this.block = block;
            this.kind = kind;
            this.hostKey = hostKey;
            this.host = host;
        }

        String block() {
            return block;
        }

        boolean isBlock() {
            return kind == VolumeMedium.Kind.BLOCK_DEVICE;
        }
    }

    /** Starts a box, and opens a connection to it. */
    static WiredBox start(Profile profile, Protocol protocol, Path folder) {
        return start(profile, protocol, folder, Optional.empty());
    }

    /** Starts a box, and opens a connection to it as a user who has these roles alone. */
    static WiredBox startAs(Set<String> roles, Profile profile, Protocol protocol, Path folder) {
        return start(profile, protocol, folder, Optional.of(roles));
    }

    private static WiredBox start(Profile profile, Protocol protocol, Path folder, Optional<Set<String>> roles) {
        Simulator simulator = Simulator.start(profile, folder);
        roles.ifPresent(had -> simulator.user(USER, "pass-w0rd", had));
        var connections =
                new TruenasConnections(task -> Thread.ofPlatform().daemon().unstarted(task));
        var problems = new Problems("box.yaml");
        ConfigNode root = ConfigNode.root(ConfigTrees.of(file(simulator, protocol)), problems);
        ConfigNode file =
                roles.isEmpty() ? root : ConfigNode.root(ConfigTrees.of(asUser(simulator, protocol)), problems);
        ConnectionScope scope = scope("box", protocol);
        var pending = new LateCalls(InstantSource.system());
        var box = new WiredBox(
                simulator,
                connections.open(scope("administrator", protocol), root, List.of("tank")),
                store(protocol, connections, pending).open(scope, file),
                exporter(protocol, connections, pending).open(scope, file));
        if (problems.hasErrors()) {
            throw new IllegalStateException(problems.errors().toString());
        }
        return box;
    }

    private static ConnectionScope scope(String name, Protocol protocol) {
        return new ConnectionScope(new ConnectionName(name), "freenas-api-" + protocol.block, Optional.empty(), "test");
    }

    private static Map<String, Object> file(Simulator simulator, Protocol protocol) {
        Map<String, Object> http = Map.of(
                "host",
                "127.0.0.1",
                "protocol",
                "https",
                "port",
                simulator.port(),
                "apiKey",
                simulator.rootKey(),
                "allowInsecure",
                true);
        Map<String, Object> zfs =
                new TreeMap<>(Map.of("datasetParentName", PARENT, "detachedSnapshotsDatasetParentName", "tank/k8s/s"));
        if (!protocol.isBlock()) {
            zfs.put("datasetEnableQuotas", true);
            zfs.put("datasetPermissionsMode", "0777");
        }
        return Map.of(
                "driver",
                "freenas-api-" + protocol.block,
                "httpConnection",
                http,
                "zfs",
                zfs,
                protocol.block,
                Map.of(protocol.hostKey, protocol.host));
    }

    private static Map<String, Object> asUser(Simulator simulator, Protocol protocol) {
        Map<String, Object> file = new TreeMap<>(file(simulator, protocol));
        file.put(
                "httpConnection",
                Map.of(
                        "host",
                        "127.0.0.1",
                        "protocol",
                        "https",
                        "port",
                        simulator.port(),
                        "username",
                        USER,
                        "apiKey",
                        simulator.key(USER),
                        "allowInsecure",
                        true));
        return file;
    }

    private static StoreFactory store(Protocol protocol, TruenasConnections connections, LateCalls pending) {
        return protocol.isBlock()
                ? FreenasModule.volumes(connections, pending, InstantSource.system())
                : FreenasModule.filesystems(connections, pending, InstantSource.system());
    }

    private static ExporterFactory exporter(Protocol protocol, TruenasConnections connections, LateCalls pending) {
        return switch (protocol) {
            case NFS -> FreenasModule.nfs(connections, pending);
            case SMB -> FreenasExportModule.smb(connections, pending, new HostTurns());
            case ISCSI -> FreenasExportModule.iscsi(connections, new HostTurns());
            case NVMEOF -> FreenasExportModule.nvmeof(connections, pending, new HostTurns());
        };
    }

    /** Makes the datasets below which the volumes lie, as an administrator does. */
    void makeParents() {
        make("tank/k8s", VolumeMedium.Kind.FILESYSTEM, Map.of());
        make(PARENT, VolumeMedium.Kind.FILESYSTEM, Map.of());
    }

    /** Makes a dataset by the API, as an administrator or another driver does. */
    void make(String name, VolumeMedium.Kind kind, Map<String, String> user) {
        var properties = new JsonArray();
        user.forEach((key, value) -> {
            var property = new JsonObject();
            property.addProperty("key", key);
            property.addProperty("value", value);
            properties.add(property);
        });
        var fields = new JsonObject();
        fields.addProperty("name", name);
        fields.add("user_properties", properties);
        if (kind == VolumeMedium.Kind.BLOCK_DEVICE) {
            fields.addProperty("type", "VOLUME");
            fields.addProperty("volsize", 1L << 30);
        }
        administrator
                .get()
                .change(ApiCall.create(ApiCollection.DATASET, fields), name, TestWork.patient())
                .orThrow();
    }

    /** Returns the user properties of a dataset or a snapshot. */
    Map<String, String> properties(String table, String name) {
        Map<String, String> all = new TreeMap<>();
        simulator
                .dump()
                .getAsJsonObject(table)
                .getAsJsonObject(name)
                .getAsJsonObject("user")
                .asMap()
                .forEach((key, value) -> all.put(key, value.getAsString()));
        return all;
    }

    /** Returns the rows of all tables that volumes, snapshots and exports leave traces in. */
    Set<String> rows() {
        Set<String> rows = new TreeSet<>();
        simulator.dump().asMap().forEach((table, all) -> {
            if (!KEPT.contains(table)) {
                all.getAsJsonObject().keySet().forEach(key -> rows.add(table + " " + key));
            }
        });
        return rows;
    }

    @Override
    public void close() {
        exporter.close();
        store.close();
        administrator.close();
        simulator.close();
    }
}
