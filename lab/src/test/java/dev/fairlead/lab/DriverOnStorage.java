package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CapacityRange;
import csi.v1.CreateVolumeRequest;
import csi.v1.Volume;
import csi.v1.VolumeCapability;
import csi.v1.VolumeContentSource;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The driver as a process of its own, with connections to pools of storage hosts, and a client on its socket. */
final class DriverOnStorage implements AutoCloseable {
    private static final long SIZE = 96L << 20;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration LONGEST = Duration.ofMinutes(4);

    /** After these a caller repeats its call. */
    private static final Set<Status.Code> AGAIN =
            Set.of(Status.Code.UNAVAILABLE, Status.Code.ABORTED, Status.Code.DEADLINE_EXCEEDED);

    enum Protocol {
        NFS("zfs-generic-nfs", """
                nfs:
                  shareHost: 127.0.0.1
                  shareStrategy: setDatasetProperties
                  shareStrategySetDatasetProperties:
                    properties: {sharenfs: "rw,no_subtree_check,no_root_squash"}
                """),
        ISCSI("zfs-generic-iscsi", """
                iscsi:
                  targetPortal: 127.0.0.1:3260
                  shareStrategy: targetCli
                  shareStrategyTargetCli:
                    basename: iqn.2003-01.org.example.fairlead
                    tpg: {attributes: {authentication: 0, generate_node_acls: 1}}
                """);

        private final String driver;
        private final String export;

        Protocol(String driver, String export) {
            this.driver = driver;
            this.export = export;
        }
    }

    /** Where the volumes of a connection are: on this host, in {@code v} below this dataset. */
    record Parent(StorageHost host, String dataset) {
        String shell(String line) throws IOException {
            return host.shell(line);
        }

        /** All datasets and snapshots below it but those that hold volumes and detached snapshots. */
        List<String> left() throws IOException {
            return shell("zfs list -H -o name -t all -r " + dataset)
                    .lines()
                    .filter(name ->
                            !Set.of(dataset, dataset + "/v", dataset + "/s").contains(name))
                    .toList();
        }

        String property(String name, String volume) throws IOException {
            return shell("zfs get -Hp -o value " + name + " " + dataset + "/" + volume + " 2>/dev/null || true")
                    .strip();
        }
    }

    private final DriverFixture fixture;
    private final Protocol protocol;
    private final Map<String, Parent> parents;
    private DriverProcess process;
    private CsiClient client;

    private DriverOnStorage(DriverFixture fixture, Protocol protocol, Map<String, Parent> parents)
            throws IOException, InterruptedException {
        this.fixture = fixture;
        this.protocol = protocol;
        this.parents = parents;
        this.process = fixture.start();
        this.client = new CsiClient(fixture.socket(), PATIENCE);
    }

    /** @param parents by the names of the connections */
    static DriverOnStorage start(Path folder, Protocol protocol, Map<String, Parent> parents)
            throws IOException, InterruptedException {
        DriverFixture fixture = DriverFixture.central(folder);
        for (Map.Entry<String, Parent> parent : parents.entrySet()) {
            fixture.write(parent.getKey(), file(protocol, parent.getValue()));
        }
        return new DriverOnStorage(fixture, protocol, parents);
    }

    private static String file(Protocol protocol, Parent parent) throws IOException {
        StorageHost host = parent.host();
        return """
                driver: %s
                sshConnection:
                  host: 127.0.0.1
                  port: %d
                  username: root
                  privateKey: "%s"
                  knownHosts: "%s"
                zfs:
                  datasetParentName: %s
                  detachedSnapshotsDatasetParentName: %s
                  cli: {paths: {zfs: %s}}
                """.formatted(
                                protocol.driver,
                                host.port("ssh"),
                                host.key("plain").replace("\n", "\\n"),
                                host.knownHosts().replace("\n", "\\n"),
                                parent.dataset() + "/v",
                                parent.dataset() + "/s",
                                SlowStreams.PROGRAM)
                + protocol.export;
    }

    CsiClient client() {
        return client;
    }

    /** Kills the process by SIGKILL. */
    void kill() {
        process.kill();
    }

    /** Starts another process once the first is dead, with the same files and the same socket. */
    void startAgain() throws IOException, InterruptedException {
        client.close();
        process = fixture.start();
        client = new CsiClient(fixture.socket(), PATIENCE);
    }

    Volume make(String name, String connection, Map<String, String> parameters) {
        return client.create(request(name, connection, parameters).build());
    }

    Volume make(String name, String connection, Map<String, String> parameters, VolumeContentSource source) {
        return client.create(request(name, connection, parameters)
                .setVolumeContentSource(source)
                .build());
    }

    private static CreateVolumeRequest.Builder request(String name, String connection, Map<String, String> parameters) {
        return CreateVolumeRequest.newBuilder()
                .setName(name)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(SIZE))
                .addVolumeCapabilities(VolumeCapability.newBuilder()
                        .setMount(VolumeCapability.MountVolume.getDefaultInstance())
                        .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                                .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER)))
                .putParameters("connection", connection)
                .putAllParameters(parameters);
    }

    private String content(String connection, String volume) {
        String dataset = parent(connection).dataset() + "/v/" + volume;
        return protocol == Protocol.ISCSI ? "/dev/zvol/" + dataset : "/" + dataset + "/data";
    }

    Parent parent(String connection) {
        return Optional.ofNullable(parents.get(connection)).orElseThrow();
    }

    /** Writes so much to a volume that compresses to nothing less. */
    void fill(String connection, String volume, long bytes) throws IOException {
        parent(connection)
                .shell("udevadm settle; head -c " + bytes + " /dev/urandom | dd of=" + content(connection, volume)
                        + " bs=1M iflag=fullblock conv=notrunc,fsync 2>/dev/null; zpool sync");
    }

    String checksum(String connection, String volume, long bytes) throws IOException {
        return parent(connection)
                .shell("udevadm settle; head -c " + bytes + " " + content(connection, volume) + " | cksum");
    }

    /** Makes a call in a thread of its own, and tells how it ended. */
    static CompletableFuture<Optional<Status.Code>> begin(Supplier<?> call) {
        return CompletableFuture.supplyAsync(
                () -> code(call), task -> Thread.ofPlatform().daemon().start(task));
    }

    /** Tells how a call is refused; empty where it is answered. */
    static Optional<Status.Code> code(Supplier<?> call) {
        try {
            var _ = call.get();
            return Optional.empty();
        } catch (StatusRuntimeException e) {
            return Optional.of(e.getStatus().getCode());
        }
    }

    static boolean isRepeated(Optional<Status.Code> code) {
        return code.filter(AGAIN::contains).isPresent();
    }

    /** Repeats a call as its caller does until it is answered. */
    static <T> T repeated(Supplier<T> call) throws InterruptedException {
        List<String> said = new ArrayList<>();
        long giveUp = System.nanoTime() + LONGEST.toNanos();
        while (true) {
            try {
                return call.get();
            } catch (StatusRuntimeException e) {
                said.add(e.getStatus().toString());
                assertThat(e.getStatus().getCode()).as("%s", said).isIn(AGAIN);
                assertThat(System.nanoTime()).as("%s", said).isLessThan(giveUp);
                TimeUnit.SECONDS.sleep(1);
            }
        }
    }

    /** The same of a call without an answer. */
    static void repeated(Runnable call) throws InterruptedException {
        var _ = repeated(() -> {
            call.run();
            return true;
        });
    }

    @Override
    public void close() {
        client.close();
        process.kill();
    }
}
