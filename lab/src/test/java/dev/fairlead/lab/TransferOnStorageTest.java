package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.ssh.SshModule;
import dev.fairlead.adapter.zfs.host.ZfsConnections;
import dev.fairlead.adapter.zfs.share.ShareModule;
import dev.fairlead.adapter.zfs.store.ZfsStoreModule;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.in.ControllerUseCases;
import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.cluster.Whereabouts;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.node.NodeIdCodec;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.BackendSettingsBuilder;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checksummed content that is carried over between two connections, each of a real pool of its own. */
@OnStorage
class TransferOnStorageTest {
    private static final long SIZE = 96L << 20;

    /** What is written: more than passes before the cut, and less than the small pool has room for. */
    private static final long BYTES = 70_000_000;

    private static final int MOST_CALLS = 30;

    private Optional<ZfsPoolFixture> entered = Optional.empty();

    @BeforeEach
    void enter(StorageHost host) {
        entered = Optional.of(new ZfsPoolFixture(host));
        shell("zfs create -p " + parent("west"));
    }

    /** The second pool is nobody's after the test but ours. */
    @AfterEach
    void leave() {
        shell("zfs destroy -R small/" + leaf());
    }

    private ZfsPoolFixture rig() {
        return entered.orElseThrow();
    }

    private String shell(String line) {
        return rig().shell(line);
    }

    private String leaf() {
        String parent = rig().host().parent();
        return parent.substring(parent.lastIndexOf('/') + 1);
    }

    private String parent(String connection) {
        return connection.equals("east") ? rig().parent() : "small/" + leaf() + "/v";
    }

    /** A controller of both, as a process that starts makes it; each connection has a session of its own. */
    private Controller open(String driverType) {
        InstantSource clock = InstantSource.system();
        Telemetry telemetry = new Telemetry() {};
        var all = new Connections(Thread.ofPlatform().daemon().factory(), clock, telemetry);
        List.of("east", "west").forEach(name -> all.install(backend(name, driverType)));
        return new Controller(
                all,
                UseCases.controller(
                        all,
                        new HandleCodec.Proxied(),
                        new KeyedLocks(clock),
                        Optional.empty(),
                        new NodeIdCodec(List.of(), List.of()),
                        telemetry,
                        Whereabouts.NONE));
    }

    private Backend backend(String name, String driverType) {
        CommandRunnerFactory ssh = SshModule.ssh(() -> ZfsPoolFixture.SESSIONS);
        var connections = new ZfsConnections(new StorageHosts(Map.of("ssh", ssh, "local", ssh)));
        ConfigNode file = rig().file(
                        Map.of(
                                "datasetParentName",
                                parent(name),
                                "datasetEnableQuotas",
                                true,
                                "datasetPermissionsMode",
                                "0777"),
                        Map.of());
        var scope = new ConnectionScope(
                new ConnectionName(name), driverType, Optional.of("lab"), "lab", driverType.startsWith("zfs-local-"));
        boolean block = driverType.equals("zfs-local-zvol");
        VolumeStore store = (block ? ZfsStoreModule.volumes(connections) : ZfsStoreModule.filesystems(connections))
                .open(scope, file);
        Exporter exporter = (block ? ShareModule.localVolume(connections) : ShareModule.localDataset(connections))
                .open(scope, file);
        var settings = new BackendSettingsBuilder().concurrency(8).build();
        return new Backend(new ConnectionName(name), driverType, store, exporter, settings);
    }

    private record Controller(Connections connections, ControllerUseCases useCases) implements AutoCloseable {
        VolumeView make(String name, String connection, Source source) {
            var command = new CreateVolume.Command(
                    new CsiName(name),
                    CapacityRange.of(SIZE, 0),
                    List.of(TestVolumes.MOUNT),
                    Map.of("connections", connection),
                    source,
                    AccessibilityRequirement.NONE);
            return useCases.createVolume().create(command, TestWork.patient());
        }

        void delete(String handle) {
            useCases.deleteVolume().delete(handle, TestWork.patient());
        }

        @Override
        public void close() {
            connections.close();
        }
    }

    private String content(String connection, String id, String driverType) {
        String dataset = parent(connection) + "/" + id;
        return driverType.equals("zfs-local-zvol") ? "/dev/zvol/" + dataset : "/" + dataset + "/data";
    }

    private void fill(String driverType) {
        String to = content("east", "pvc-1", driverType);
        shell("udevadm settle; head -c " + BYTES + " /dev/urandom | dd of=" + to
                + " bs=1M iflag=fullblock conv=notrunc,fsync 2>/dev/null");
    }

    private String checksum(String connection, String id, String driverType) {
        return shell("udevadm settle; head -c " + BYTES + " " + content(connection, id, driverType) + " | cksum");
    }

    /** Does something to the session p, on which a stream is written, as soon as some of it has come. */
    private Thread meanwhile(String line) {
        String wait = "for i in $(seq 600); do case $(zfs get -Hp -o value receive_resume_token " + parent("west")
                + "/pvc-2 2>/dev/null) in 1-*) break; esac; sleep 0.05; done;"
                + " p=$(pgrep -n -f '^[^ ]*zfs send [^-]') || exit 1;"
                + " while [ \"$p\" -gt 1 ] && [ \"$(cat /proc/$p/comm)\" != sshd ]; do"
                + " p=$(awk '{print $4}' /proc/$p/stat); done; ";
        return Thread.ofPlatform().daemon().start(() -> shell(wait + line));
    }

    private Thread cutter() {
        return meanwhile("kill -KILL \"$p\"");
    }

    /** Fills the pool that the stream goes to, and lets no more of it come until that is done. */
    private Thread filler() {
        String fill = "small/" + leaf() + "/fill";
        return meanwhile("kill -STOP \"$p\"; zfs create " + fill + "; dd if=/dev/urandom of=/" + fill
                + "/data bs=1M 2>/dev/null; sync; kill -CONT \"$p\"");
    }

    private String token() {
        return shell("zfs get -Hp -o value receive_resume_token " + parent("west") + "/pvc-2 2>/dev/null || true")
                .strip();
    }

    @ParameterizedTest
    @ValueSource(strings = {"zfs-local-dataset", "zfs-local-zvol"})
    void content_is_restored_across_connections_though_a_session_and_the_controller_end_on_the_way(String type)
            throws Exception {
        List<String> said = new ArrayList<>();
        String sum;
        Source source;
        try (Controller first = open(type)) {
            first.make("pvc-1", "east", Source.NONE);
            fill(type);
            sum = checksum("east", "pvc-1", type);
            source = new Source.Snapshot(first.useCases()
                    .takeSnapshot()
                    .take(new CsiName("snap-1"), "v:east/pvc-1", Map.of(), TestWork.patient())
                    .handle());
            Thread cutter = cutter();
            Failing.with(Failure.BackendUnavailable.class, () -> first.make("pvc-2", "west", source));
            cutter.join();
        }
        assertThat(token()).as("some of it has come").startsWith("1-");

        try (Controller second = open(type)) {
            VolumeView volume = made(second, source, said);

            assertThat(volume.handle()).isEqualTo("v:west/pvc-2");
            assertThat(volume.source()).isEqualTo(source);
            assertThat(volume.capacity().bytes()).isEqualTo(SIZE);
            assertThat(checksum("west", "pvc-2", type)).as("%s", said).isEqualTo(sum);
            assertThat(shell("zfs holds -H " + parent("east") + "/pvc-1@snap-1"))
                    .isEmpty();
            assertThat(shell("zfs list -H -o name -t snapshot -r small/" + leaf()))
                    .isEmpty();

            second.delete("v:west/pvc-2");
            second.useCases().deleteSnapshot().delete("s:east/pvc-1@snap-1", TestWork.patient());
            second.delete("v:east/pvc-1");
        }
        assertThat(rig().left()).isEmpty();
    }

    /** Its source is alive again once the storage host has noticed the end of what wrote. */
    private VolumeView made(Controller controller, Source source, List<String> said) {
        for (int call = 0; call < MOST_CALLS; call++) {
            try {
                return controller.make("pvc-2", "west", source);
            } catch (StorageException e) {
                assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class);
                said.add(e.failure().message());
                shell("sleep 1");
            }
        }
        throw new AssertionError(said);
    }

    @Test
    void a_volume_that_is_written_is_cloned_as_it_was_and_a_partial_clone_is_deleted() throws Exception {
        String type = "zfs-local-dataset";
        try (Controller controller = open(type)) {
            controller.make("pvc-1", "east", Source.NONE);
            fill(type);
            String sum = checksum("east", "pvc-1", type);
            Thread cutter = cutter();
            Failing.with(
                    Failure.BackendUnavailable.class,
                    () -> controller.make("pvc-2", "west", new Source.Volume("v:east/pvc-1")));
            cutter.join();
            Failing.with(Failure.InUse.class, () -> controller.delete("v:east/pvc-1"));
            shell("head -c 1000000 /dev/urandom >" + content("east", "pvc-1", type));

            made(controller, new Source.Volume("v:east/pvc-1"), new ArrayList<>());

            assertThat(checksum("west", "pvc-2", type)).isEqualTo(sum);
            controller.delete("v:west/pvc-2");
            controller.delete("v:east/pvc-1");
        }
        assertThat(rig().left()).isEmpty();
    }

    @Test
    void a_host_that_restarts_on_the_way_has_kept_what_had_come(StorageHost host) throws Exception {
        String type = "zfs-local-dataset";
        try (Controller controller = open(type)) {
            controller.make("pvc-1", "east", Source.NONE);
            fill(type);
            shell("zpool sync");
            String sum = checksum("east", "pvc-1", type);
            Thread cutter = cutter();
            Failing.with(
                    Failure.BackendUnavailable.class,
                    () -> controller.make("pvc-2", "west", new Source.Volume("v:east/pvc-1")));
            cutter.join();
            host.reboot();

            made(controller, new Source.Volume("v:east/pvc-1"), new ArrayList<>());

            assertThat(checksum("west", "pvc-2", type)).isEqualTo(sum);
            controller.delete("v:west/pvc-2");
            controller.delete("v:east/pvc-1");
        }
        assertThat(rig().left()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"zfs-local-dataset", "zfs-local-zvol"})
    void a_pool_that_fills_up_is_out_of_space_and_nothing_is_left_at_either_end(String type) throws Exception {
        try (Controller controller = open(type)) {
            controller.make("pvc-1", "east", Source.NONE);
            fill(type);
            String sum = checksum("east", "pvc-1", type);
            Thread filler = filler();
            Failing.with(
                    Failure.OutOfSpace.class,
                    () -> controller.make("pvc-2", "west", new Source.Volume("v:east/pvc-1")));

            filler.join();
            assertThat(shell("zfs list -H -o name -t all -r " + parent("west")).strip())
                    .isEqualTo(parent("west"));
            assertThat(rig().left().lines()).containsExactly(parent("east") + "/pvc-1");
            shell("zfs destroy small/" + leaf() + "/fill; zpool sync");
            made(controller, new Source.Volume("v:east/pvc-1"), new ArrayList<>());
            assertThat(checksum("west", "pvc-2", type)).isEqualTo(sum);
            controller.delete("v:west/pvc-2");
            controller.delete("v:east/pvc-1");
        }
        assertThat(rig().left()).isEmpty();
    }

    @Test
    void deleting_what_is_on_its_way_leaves_nothing_at_either_end() throws Exception {
        String type = "zfs-local-zvol";
        try (Controller controller = open(type)) {
            controller.make("pvc-1", "east", Source.NONE);
            fill(type);
            Thread cutter = cutter();
            Failing.with(
                    Failure.BackendUnavailable.class,
                    () -> controller.make("pvc-2", "west", new Source.Volume("v:east/pvc-1")));
            cutter.join();
            assertThat(token()).startsWith("1-");

            for (int call = 0; call < MOST_CALLS && !Failing.works(() -> controller.delete("v:west/pvc-2")); call++) {
                shell("sleep 1"); // the storage host is at the end of what was cut
            }

            assertThat(shell("zfs list -H -o name -r " + parent("west")).strip())
                    .isEqualTo(parent("west"));
            assertThat(rig().left().lines()).containsExactly(parent("east") + "/pvc-1");
            controller.delete("v:east/pvc-1");
        }
    }
}
