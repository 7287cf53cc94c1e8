package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import csi.v1.CapacityRange;
import csi.v1.ControllerGrpc.ControllerBlockingStub;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.NodeGetInfoRequest;
import csi.v1.Volume;
import csi.v1.VolumeCapability;
import csi.v1.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A node that is shut out while it has its session and its files open, seen from that node and from another one:
 * {@code FAIRLEAD_STOR} names the storage machine, {@code FAIRLEAD_OTHER} the other node, and {@code FAIRLEAD_STOR_KEY}
 * the file of a key that lets in to both as root.
 */
@Tag("machine")
@EnabledIfEnvironmentVariable(named = "FAIRLEAD_STOR", matches = ".+")
@EnabledIfEnvironmentVariable(named = "FAIRLEAD_OTHER", matches = ".+")
class FencingOnMachinesTest {
    private static final Duration AT_ONCE = Duration.ofSeconds(20);

    /** What waits for a device that is gone is given up after 8 s by iSCSI here, and after 12 s by NVMe. */
    private static final Duration GIVEN_UP = Duration.ofSeconds(45);

    private static final String FILL =
            ". /run/fencing.file; head -c 1048576 /dev/zero | tr '\\0' O | dd of=$file bs=64K conv=notrunc,fsync 2>&1\n";

    /** Tells how many bytes are not what {@link #FILL} has written, past the page cache. */
    private static final String STRANGE =
            ". /run/fencing.file; dd if=$file bs=64K count=16 iflag=direct 2>/dev/null | tr -d O | wc -c\n";

    private final RemoteShell storage = RemoteShell.named("FAIRLEAD_STOR");
    private final RemoteShell other = RemoteShell.named("FAIRLEAD_OTHER");

    @TempDir
    Path folder = Path.of("/nonexistent");

    @BeforeEach
    void make_the_parents() throws Exception {
        var _ = storage.run(FencedProtocol.clean() + FencedProtocol.prepare());
    }

    @AfterEach
    void clean() throws Exception {
        NodeShell.unmountAll(folder);
        var _ = NodeShell.run("nvme", "disconnect-all");
        var _ = NodeShell.run("iscsiadm", "-m", "node", "-u");
        var _ = NodeShell.run("iscsiadm", "-m", "node", "-o", "delete");
        var _ = other.run("touch /run/fencing.stop; umount -l /run/fencing 2>&1; nvme disconnect-all 2>&1;"
                + " iscsiadm -m node -u 2>&1; iscsiadm -m node -o delete 2>&1; true\n");
        var _ = storage.run(FencedProtocol.clean());
    }

    private RunningDriver driver(FencedProtocol protocol) throws Exception {
        String address;
        try (Socket way = new Socket(storage.host(), 22)) {
            address = way.getLocalAddress().getHostAddress();
        }
        return new RunningDriver(folder)
                .main("""
                        driver: proxy
                        fairlead: {publish: nodes}
                        proxy:
                          configFolder: "@DIR@/connections"
                          nodeTopology: {type: node}
                          nodeId:
                            parts: {nodeName: true, address: true, iqn: true, nqn: true}
                            iqnPrefix: [{shortName: "1", prefix: "iqn.1993-08.org.debian:01:"}]
                            nqnPrefix: [{shortName: u, prefix: "nqn.2014-08.org.nvmexpress:uuid:"}]
                        """)
                .connection("c", protocol.connection(storage.host(), Files.readAllLines(Path.of(storage.key()))))
                .env("CSI_NODE_ID", "here")
                .env("CSI_NODE_ADDRESS", address)
                .start("controller", "node");
    }

    private static String here(RunningDriver driver) {
        return driver.node()
                .nodeGetInfo(NodeGetInfoRequest.getDefaultInstance())
                .getNodeId();
    }

    private static String line(String text, String beginning) {
        return text.lines()
                .filter(it -> it.startsWith(beginning))
                .findFirst()
                .orElseThrow()
                .substring(beginning.length())
                .strip();
    }

    private static String end(String name) {
        return name.substring(name.lastIndexOf(':') + 1);
    }

    /** Returns the id that the other machine would have as a node. */
    private String there(RunningDriver driver) throws Exception {
        String names = "cat /etc/iscsi/initiatorname.iscsi; sed 's/^/nqn=/' /etc/nvme/hostnqn\n";
        String its = other.run(names);
        String own = Files.readString(Path.of("/etc/iscsi/initiatorname.iscsi"));
        String id = here(driver);
        try (Socket way = new Socket(storage.host(), 22)) {
            id = id.replace(
                    way.getLocalAddress().getHostAddress(),
                    InetAddress.getByName(other.host()).getHostAddress());
        }
        id = id.replace("=" + end(line(own, "InitiatorName=")) + "/", "=" + end(line(its, "InitiatorName=")) + "/")
                .replace(end(Files.readString(Path.of("/etc/nvme/hostnqn")).strip()), end(line(its, "nqn=")))
                .replace("=here", "=there");
        assertThat(id)
                .contains("=there", "=" + end(line(its, "InitiatorName=")) + "/", end(line(its, "nqn=")))
                .doesNotContain("=here");
        return id;
    }

    private static ControllerBlockingStub controller(RunningDriver driver) {
        return driver.controller().withDeadlineAfter(2, TimeUnit.MINUTES);
    }

    private static VolumeCapability capability(FencedProtocol protocol, Mode mode) {
        VolumeCapability.Builder capability = VolumeCapability.newBuilder();
        capability.getAccessModeBuilder().setMode(mode);
        return protocol.block()
                ? capability
                        .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
                        .build()
                : capability
                        .setMount(VolumeCapability.MountVolume.getDefaultInstance())
                        .build();
    }

    private static Volume create(RunningDriver driver, String name, VolumeCapability capability) {
        return controller(driver)
                .createVolume(RunningDriver.volume(name, Map.of("connection", "c"))
                        .setVolumeCapabilities(0, capability)
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(64 << 20))
                        .build())
                .getVolume();
    }

    private static void publish(RunningDriver driver, Volume volume, String node, VolumeCapability capability) {
        var _ = controller(driver)
                .controllerPublishVolume(ControllerPublishVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setNodeId(node)
                        .setVolumeCapability(capability)
                        .putAllVolumeContext(volume.getVolumeContextMap())
                        .build());
    }

    private static void unpublish(RunningDriver driver, Volume volume, String node) {
        var _ = controller(driver)
                .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setNodeId(node)
                        .build());
    }

    /** Has a pod of this node use the volume, which has a MiB of content afterwards. */
    private KubeletVolume used(RunningDriver driver, FencedProtocol protocol, Volume volume) throws Exception {
        KubeletVolume pod = new KubeletVolume(
                volume.getVolumeId(), folder, protocol.block(), volume.getVolumeContextMap(), protocol.secrets());
        pod.stage(driver.node());
        pod.publish(driver.node());
        NodeShell.must("dd", "if=/dev/urandom", "of=" + content(pod), "bs=64K", "count=16", "conv=notrunc,fsync");
        return pod;
    }

    private static Path content(KubeletVolume pod) {
        return pod.block() ? pod.pod() : pod.pod().resolve("file");
    }

    private static void assertUsable(OpenFile file) throws Exception {
        for (OpenFile.Use use : OpenFile.Use.values()) {
            assertThat(file.use(use, AT_ONCE)).as(use.name()).contains(0);
        }
    }

    private void assertShutOut(FencedProtocol protocol, OpenFile file) throws Exception {
        for (OpenFile.Use use : OpenFile.Use.values()) {
            long began = System.nanoTime();
            Optional<Integer> code = file.use(use, GIVEN_UP);
            System.out.println(protocol + ": " + use + " ended with " + code + " after "
                    + (System.nanoTime() - began) / 1_000_000 + " ms");
            assertThat(code).as(use.name()).isPresent().isNotEqualTo(Optional.of(0));
        }
    }

    private void assertNothingIsLeftHere(Volume volume) throws IOException {
        assertThat(NodeShell.mounts(folder)).isEmpty();
        assertThat(NodeShell.files(folder.resolve("csi.sock.staged"))).isEmpty();
        Map<String, String> context = volume.getVolumeContextMap();
        assertThat(NodeShell.sessions(context.getOrDefault("iqn", "none"))).isEmpty();
        assertThat(NodeShell.controllers(context.getOrDefault("nqn", "none"))).isEmpty();
    }

    private static void assertUndisturbed(FencedProtocol protocol, List<SteadyWrites.Write> writes) {
        int slowest =
                writes.stream().mapToInt(SteadyWrites.Write::milliseconds).max().orElse(0);
        System.out.println(
                protocol + ": " + writes.size() + " writes of the other node, the slowest of " + slowest + " ms");
        assertThat(writes)
                .hasSizeGreaterThan(10)
                .allMatch(write -> write.code() == 0 && write.milliseconds() < AT_ONCE.toMillis() / 4);
    }

    private static String timed(String what, long began) {
        return what + " in " + (System.nanoTime() - began) / 1_000_000 + " ms";
    }

    @ParameterizedTest
    @EnumSource
    void a_node_that_is_shut_out_neither_reads_nor_writes_any_more(FencedProtocol protocol) throws Exception {
        try (RunningDriver driver = driver(protocol)) {
            VolumeCapability writer = capability(protocol, Mode.SINGLE_NODE_WRITER);
            Volume volume = create(driver, "pvc-1", writer);
            publish(driver, volume, here(driver), writer);
            KubeletVolume pod = used(driver, protocol, volume);
            try (OpenFile file = new OpenFile(content(pod), folder)) {
                assertUsable(file);

                long began = System.nanoTime();
                unpublish(driver, volume, here(driver));
                publish(driver, volume, there(driver), writer);
                System.out.println(protocol + ": " + timed("taken from one node and given to another", began));
                var _ = other.run(protocol.use(storage.host(), volume.getVolumeContextMap()) + FILL);

                assertShutOut(protocol, file);
            }
            long began = System.nanoTime();
            pod.unpublish(driver.node());
            pod.unstage(driver.node());
            System.out.println(protocol + ": " + timed("taken from the node", began));
            assertNothingIsLeftHere(volume);
            assertThat(other.run(STRANGE).strip()).isEqualTo("0");

            var _ = other.run(protocol.leave(volume.getVolumeContextMap()));
            unpublish(driver, volume, there(driver));
            ProxySteps.delete(driver, volume.getVolumeId());
            assertThat(storage.run("zfs list -H -o name -r tank/fencing/v | grep -c pvc || true\n")
                            .strip())
                    .isEqualTo("0");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NFS", "ISCSI_RAW", "NVMEOF_RAW"})
    void who_shares_a_volume_with_a_node_that_is_shut_out_goes_on(FencedProtocol protocol) throws Exception {
        assumeTrue(
                protocol != FencedProtocol.NVMEOF_RAW
                        || storage.run("ls -d /sys/kernel/debug/nvmet 2>&1 || true\n")
                                .startsWith("/sys/kernel/debug/nvmet\n"),
                "left out: the storage machine's kernel ends no single host's connection");
        try (RunningDriver driver = driver(protocol)) {
            VolumeCapability writers = capability(protocol, Mode.MULTI_NODE_MULTI_WRITER);
            Volume volume = create(driver, "pvc-1", writers);
            publish(driver, volume, here(driver), writers);
            publish(driver, volume, there(driver), writers);
            KubeletVolume pod = used(driver, protocol, volume);
            var _ = other.run(protocol.use(storage.host(), volume.getVolumeContextMap()) + FILL);
            try (OpenFile file = new OpenFile(content(pod), folder)) {
                assertUsable(file);

                List<SteadyWrites.Write> writes =
                        SteadyWrites.during(other, () -> unpublish(driver, volume, here(driver)));

                assertUndisturbed(protocol, writes);
                assertShutOut(protocol, file);
            }
            pod.unpublish(driver.node());
            pod.unstage(driver.node());
            assertNothingIsLeftHere(volume);
        }
    }

    @ParameterizedTest
    @EnumSource
    void who_uses_another_volume_goes_on(FencedProtocol protocol) throws Exception {
        try (RunningDriver driver = driver(protocol)) {
            VolumeCapability writer = capability(protocol, Mode.SINGLE_NODE_WRITER);
            List<Volume> volumes = Stream.of("pvc-1", "pvc-2")
                    .map(name -> create(driver, name, writer))
                    .toList();
            publish(driver, volumes.getFirst(), here(driver), writer);
            publish(driver, volumes.getLast(), there(driver), writer);
            KubeletVolume pod = used(driver, protocol, volumes.getFirst());
            String format = protocol.block() || protocol == FencedProtocol.NFS ? "" : "mkfs.ext4 -q $device\n";
            var _ = other.run(protocol.use(storage.host(), volumes.getLast().getVolumeContextMap())
                            .replace("mount $device", format + "mount $device")
                    + FILL);

            List<SteadyWrites.Write> writes =
                    SteadyWrites.during(other, () -> unpublish(driver, volumes.getFirst(), here(driver)));

            assertUndisturbed(protocol, writes);
            pod.unpublish(driver.node());
            pod.unstage(driver.node());
            assertNothingIsLeftHere(volumes.getFirst());
        }
    }
}
