package dev.fairlead.lab;

import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.Volume;
import csi.v1.VolumeCapability;
import csi.v1.VolumeContentSource;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.simulator.profile.SimulatorSettings;
import dev.fairlead.simulator.real.RealPool;
import dev.fairlead.simulator.shell.SshFace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A simulated TrueNAS on the pools of a storage host, and a controller of it as a process of its own. */
final class TruenasOnPool implements AutoCloseable {
    /**
     * The size of new volumes of files, of which a box sets no smaller quota; they need no room until they are written.
     */
    private static final long OF_FILES = 1L << 30;

    /**
     * The size of new disks: a box takes no disk that is larger than four fifths of its pool, and one pool is small.
     */
    private static final long OF_DISKS = 64L << 20;

    private static final VolumeCapability CAPABILITY = CsiClient.MOUNT.toBuilder()
            .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                    .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER))
            .build();
    private static final Map<String, String> BLOCKS = Map.of(
            "nfs",
            "nfs: {shareHost: " + RealNodes.HOST + ", shareMaprootUser: root, shareMaprootGroup: wheel}",
            "smb",
            "smb: {shareHost: " + RealNodes.HOST + "}",
            "iscsi",
            "iscsi: {targetPortal: \"127.0.0.1:3260\"}",
            "nvmeof",
            "nvmeof: {transport: \"tcp://" + RealNodes.HOST + ":4420\"}");

    private final StorageHost host;
    private final Simulator box;
    private final SshFace ssh;
    private final RealNodes nodes;
    private final DriverProcess driver;
    private final CsiClient client;
    private final long size;
    private final Map<String, Map<String, String>> contexts = new HashMap<>();

    private TruenasOnPool(
            StorageHost host,
            Simulator box,
            SshFace ssh,
            RealNodes nodes,
            DriverProcess driver,
            CsiClient client,
            long size) {
        this.host = host;
        this.box = box;
        this.ssh = ssh;
        this.nodes = nodes;
        this.driver = driver;
        this.client = client;
        this.size = size;
    }

    /** @param type a driver, such as freenas-api-nfs */
    static TruenasOnPool start(StorageHost host, Profile profile, String type, Path folder)
            throws IOException, InterruptedException {
        Simulator box = Simulator.start(
                profile,
                Files.createDirectories(folder.resolve("box")),
                SimulatorSettings.standard(),
                RealPool.of(host.state()));
        for (String parent : List.of("tank/k8s", "tank/k8s/v", "tank/k8s/s", "small/k8s", "small/k8s/v")) {
            var _ = box.call("pool.dataset.create", JsonTools.array(JsonTools.object("name", parent)));
        }
        SshFace ssh = box.openSsh(0);
        DriverFixture fixture = DriverFixture.alone(folder, file(box, ssh, type));
        RealNodes nodes = new RealNodes(host);
        DriverProcess driver = fixture.start();
        var client = new CsiClient(fixture.socket(), Duration.ofMinutes(3));
        return new TruenasOnPool(host, box, ssh, nodes, driver, client, isOfFiles(type) ? OF_FILES : OF_DISKS);
    }

    private static boolean isOfFiles(String type) {
        return type.endsWith("-nfs") || type.endsWith("-smb");
    }

    private static String file(Simulator box, SshFace ssh, String type) {
        String protocol = type.substring(type.lastIndexOf('-') + 1);
        boolean files = isOfFiles(type);
        String zpool = box.programs().resolve("zpool").toString();
        String shell = type.startsWith("freenas-api-")
                ? ""
                : "sshConnection: {host: 127.0.0.1, port: " + ssh.port() + ", username: root, password: "
                        + box.rootPassword() + "}";
        return """
                driver: %s
                %s
                httpConnection: {protocol: https, host: 127.0.0.1, port: %d, apiKey: "%s", allowInsecure: true}
                zfs:
                  cli: {paths: {zfs: zfs, zpool: %s}}
                  datasetParentName: tank/k8s/v
                  detachedSnapshotsDatasetParentName: tank/k8s/s
                  zvolEnableReservation: false
                  datasetEnableQuotas: true
                %s
                %s
                fairlead:
                  publish: nodes
                  parents: {second: small/k8s/v}
                  nodeId:
                    parts: {nodeName: true, address: %b, iqn: %b, nqn: %b}
                    iqnPrefix: [{shortName: "1", prefix: "iqn.1993-08.org.debian:01:"}]
                    nqnPrefix: [{shortName: u, prefix: "nqn.2014-08.org.nvmexpress:uuid:"}]
                """.formatted(
                        type,
                        shell,
                        box.port(),
                        box.rootKey(),
                        zpool,
                        files ? "  datasetPermissionsMode: \"0777\"" : "",
                        BLOCKS.get(protocol),
                        files,
                        protocol.equals("iscsi"),
                        protocol.equals("nvmeof"));
    }

    CsiClient client() {
        return client;
    }

    Simulator box() {
        return box;
    }

    /** Creates a volume and returns its id. */
    String create(String name, Map<String, String> parameters) {
        return create(name, parameters, VolumeContentSource.getDefaultInstance());
    }

    String create(String name, Map<String, String> parameters, VolumeContentSource source) {
        CreateVolumeRequest.Builder request =
                CsiClient.request(name, parameters).clearVolumeCapabilities();
        request.getCapacityRangeBuilder().setRequiredBytes(size);
        request.addVolumeCapabilities(CAPABILITY);
        if (source.getTypeCase() != VolumeContentSource.TypeCase.TYPE_NOT_SET) request.setVolumeContentSource(source);
        Volume volume = client.create(request.build());
        contexts.put(volume.getVolumeId(), volume.getVolumeContextMap());
        return volume.getVolumeId();
    }

    void grant(String volume, int node) {
        var _ = client.admit(ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(volume)
                .setNodeId(RealNodes.id(node))
                .setVolumeCapability(CAPABILITY)
                .build());
    }

    void revoke(String volume, int node) {
        client.shutOut(ControllerUnpublishVolumeRequest.newBuilder()
                .setVolumeId(volume)
                .setNodeId(RealNodes.id(node))
                .build());
    }

    /** Writes a file of four mebibytes, and returns its checksum. */
    String write(String volume, int node) throws IOException {
        return use(volume, node, "head -c 4194304 /dev/urandom > data && cksum data");
    }

    /** Returns the checksum of the file, or "refused". */
    String read(String volume, int node) throws IOException {
        return use(volume, node, "cksum data");
    }

    /** Makes a volume twice as large as it was made. */
    void expand(String volume) {
        var _ = client.expand(volume, 2 * size);
    }

    /** Returns the size of its file system in mebibytes. */
    long size(String volume, int node) throws IOException {
        return Long.parseLong(
                use(volume, node, "df -m --output=size . | tail -n 1").strip());
    }

    private String use(String volume, int node, String work) throws IOException {
        return nodes.use(contexts.getOrDefault(volume, Map.of()), node, work);
    }

    /** Lists what is left on the host of volumes, snapshots and exports. */
    List<String> left() throws IOException {
        return host.shell("zfs list -H -o name -t all -r tank small | grep -E '^[a-z]+/k8s/./|@' || true; exportfs;"
                        + " cat /etc/samba/truenas.conf; ls -d /sys/kernel/config/target/iscsi/iqn.*"
                        + " /sys/kernel/config/target/core/iblock_*/* /sys/kernel/config/nvmet/subsystems/* 2>/dev/null;"
                        + " true")
                .lines()
                .toList();
    }

    @Override
    public void close() throws IOException {
        client.close();
        driver.kill();
        nodes.close();
        ssh.close();
        box.close();
    }
}
