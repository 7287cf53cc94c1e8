package dev.fairlead.bootstrap.driver;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.FreenasExportModule;
import dev.fairlead.adapter.freenas.FreenasHybridModule;
import dev.fairlead.adapter.freenas.FreenasModule;
import dev.fairlead.adapter.freenas.client.connection.TruenasConnections;
import dev.fairlead.adapter.freenas.export.HostTurns;
import dev.fairlead.adapter.freenas.hybrid.BoxWay;
import dev.fairlead.adapter.freenas.hybrid.OneBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.adapter.ssh.SshModule;
import dev.fairlead.adapter.zfs.host.ZfsConnections;
import dev.fairlead.adapter.zfs.store.ZfsStoreModule;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.simulator.shell.SshFace;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.SteppingClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Connections of one process to one box, each of another type and with a parent of its own, by the API and by SSH. */
final class LoadedConnections implements AutoCloseable {
    private static final String PARENTS = "tank/k8s";

    /** How often a box is started whose port is not free yet, ten times a second. */
    private static final int MOST_STARTS = 200;

    private final Simulator simulator;
    private final String certificate;
    private final SteppingClock ahead = SteppingClock.standing();
    private final Outages outages = new Outages();
    private final Map<String, OneConnectionFixture> open = new TreeMap<>();
    private final Map<String, StoreFactory> stores;
    private final Map<String, ExporterFactory> exporters;
    private final int sshPort;
    private SshFace ssh;

    LoadedConnections(Profile profile, Path folder, Set<String> types) {
        this.simulator = Simulator.start(profile, folder);
        this.certificate = folder.resolve("tls.pem").toString();
        this.ssh = simulator.openSsh(0);
        this.sshPort = ssh.port();
        ThreadFactory threads = task -> Thread.ofPlatform().daemon().unstarted(task);
        InstantSource clock = () -> Instant.now().plus(Duration.between(SteppingClock.START, ahead.instant()));
        var connections = new TruenasConnections(threads);
        SshModule.Sessions sessions = SshModule.sessions(threads);
        var hosts =
                new StorageHosts(Map.of("ssh", SshModule.ssh(() -> sessions), "local", SshModule.ssh(() -> sessions)));
        var zfs = new ZfsConnections(hosts);
        var late = new LateCalls(clock);
        var turns = new HostTurns();
        BoxWay way = FreenasHybridModule.way(connections, hosts, new OneBox(clock));
        this.stores = Map.of(
                "zfs-filesystem", ZfsStoreModule.filesystems(zfs),
                "zfs-volume", ZfsStoreModule.volumes(zfs),
                "truenas-filesystem", FreenasModule.filesystems(connections, late, clock),
                "truenas-volume", FreenasModule.volumes(connections, late, clock));
        this.exporters = new HashMap<>(Map.of(
                "truenas-nfs", FreenasModule.nfs(connections, late),
                "truenas-smb", FreenasExportModule.smb(connections, late, turns),
                "truenas-iscsi", FreenasExportModule.iscsi(connections, turns),
                "truenas-nvmeof", FreenasExportModule.nvmeof(connections, late, turns),
                "truenas-nfs-with-ssh", FreenasHybridModule.nfsWithSsh(way, late),
                "truenas-smb-with-ssh", FreenasHybridModule.smbWithSsh(way, late, turns),
                "truenas-iscsi-with-ssh", FreenasHybridModule.iscsiWithSsh(way, turns),
                "truenas-nvmeof-with-ssh", FreenasHybridModule.nvmeofWithSsh(way, late, turns)));
        make(PARENTS);
        types.forEach(this::open);
    }

    private void open(String type) {
        make(parent(type));
        make(parent(type) + "-s");
        open.put(type, new OneConnectionFixture(HybridBox.backend(file(type), stores, exporters)));
    }

    /** Makes a dataset as an administrator does. */
    private void make(String name) {
        var fields = new JsonObject();
        fields.addProperty("name", name);
        var arguments = new JsonArray();
        arguments.add(fields);
        var _ = simulator.call("pool.dataset.create", arguments);
    }

    private String file(String type) {
        String protocol = type.substring(type.lastIndexOf('-') + 1);
        String settings = switch (protocol) {
            case "iscsi" -> "targetPortal: \"192.0.2.1:3260\"";
            case "nvmeof" -> "transport: \"tcp://192.0.2.1:4420\"";
            default -> "shareHost: 192.0.2.1";
        };
        String files =
                HybridBox.isBlock(protocol) ? "" : ", datasetEnableQuotas: true, datasetPermissionsMode: \"0777\"";
        String ssh = type.contains("-api-")
                ? ""
                : "sshConnection: {host: 127.0.0.1, port: %d, username: root, password: %s}\n"
                        .formatted(sshPort, simulator.rootPassword());
        return """
                driver: %s
                zfs: {%s datasetParentName: %s, detachedSnapshotsDatasetParentName: %s-s%s}
                %s: {%s}
                httpConnection: {protocol: https, host: 127.0.0.1, port: %d, apiKey: %s}
                %scsi: {access_modes: [SINGLE_NODE_WRITER, MULTI_NODE_MULTI_WRITER]}
                fairlead: {publish: nodes, http: {ca: "%s"}}
                """.formatted(
                        type,
                        ssh.isEmpty() ? "" : "cli: {paths: {zfs: zfs, zpool: " + zpool() + "}},",
                        parent(type),
                        parent(type),
                        files,
                        protocol,
                        settings,
                        simulator.port(),
                        simulator.rootKey(),
                        ssh,
                        certificate);
    }

    private String zpool() {
        return simulator.programs().resolve("zpool").toString();
    }

    /** Returns the dataset below which the volumes of a type lie. */
    static String parent(String type) {
        return PARENTS + "/" + type;
    }

    OneConnectionFixture of(String type) {
        return Objects.requireNonNull(open.get(type));
    }

    Simulator simulator() {
        return simulator;
    }

    Outages outages() {
        return outages;
    }

    /** Lets so much time go by as a caller waits for whom the box may still be at an earlier call. */
    void wait(Duration time) {
        ahead.advance(time);
    }

    /** Returns how much time has gone by in this way. */
    Duration waited() {
        return Duration.between(SteppingClock.START, ahead.instant());
    }

    /** Ends the box and its SSH at once. */
    void stop() {
        outages.begin();
        ssh.close();
        simulator.stop();
    }

    /** Starts it as another release, at the same ports. */
    void upgrade(Profile next) throws InterruptedException {
        var _ = listening(() -> {
            simulator.upgrade(next);
            return simulator;
        });
        ssh = listening(() -> simulator.openSsh(sshPort));
        outages.end();
    }

    /** Tries until its port is free: what has just tried to reach the box may hold it for a moment. */
    private static <T> T listening(Supplier<T> start) throws InterruptedException {
        for (int i = 0; ; i++) {
            try {
                return start.get();
            } catch (IllegalStateException e) {
                if (i == MOST_STARTS) {
                    throw e;
                }
                System.out.printf("the box starts again: %s, %s%n", e.getMessage(), e.getCause());
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }

    @Override
    public void close() {
        open.values().forEach(OneConnectionFixture::close);
        ssh.close();
        simulator.close();
    }
}
