package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.ssh.SshModule;
import dev.fairlead.adapter.zfs.host.ZfsConnections;
import dev.fairlead.adapter.zfs.lio.TargetModule;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.ExporterContract;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.HostileInput;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Volumes as targets of the kernel of a real storage host, and logins to them by a real initiator. */
@OnStorage
class TargetcliOnStorageTest {
    private static final SshModule.Sessions SESSIONS =
            SshModule.sessions(Thread.ofPlatform().daemon().factory());
    private static final String BASE = "iqn.2003-01.org.example.fairlead";
    private static final Map<String, Object> OPEN =
            Map.of("attributes", Map.of("authentication", 0, "generate_node_acls", 1, "demo_mode_write_protect", 0));
    private static final String PASSWORD = "wonder?;&*$!#,=_\\+/.<>()~@:-%[]x";

    /** Each character that targetcli takes is in one of the passwords. */
    private static final Map<String, Object> CHAP = Map.of(
            "attributes",
            Map.of("authentication", 1, "generate_node_acls", 1, "demo_mode_write_protect", 0),
            "auth",
            Map.of(
                    "userid",
                    "alice",
                    "password",
                    PASSWORD,
                    "mutual_userid",
                    "bob",
                    "mutual_password",
                    "builder-123456"));

    private static Exporter exporter(StorageHost host, String user, Map<String, Object> tpg) {
        try {
            var problems = new Problems("nas.yaml");
            ConfigNode file = ConfigNode.root(
                    ConfigTrees.of(Map.of(
                            "sshConnection",
                            Map.of(
                                    "host",
                                    "127.0.0.1",
                                    "port",
                                    host.port("ssh"),
                                    "username",
                                    user,
                                    "privateKey",
                                    host.key("plain"),
                                    "knownHosts",
                                    host.knownHosts()),
                            "zfs",
                            Map.of("datasetParentName", host.parent()),
                            "iscsi",
                            Map.of(
                                    "shareStrategy",
                                    "targetCli",
                                    "targetPortal",
                                    "127.0.0.1:3260",
                                    "shareStrategyTargetCli",
                                    Map.of(
                                            "basename",
                                            BASE,
                                            "sudoEnabled",
                                            !user.equals("root"),
                                            "tpg",
                                            tpg,
                                            "block",
                                            Map.of("attributes", Map.of("emulate_tpu", 1)))))),
                    problems);
            CommandRunnerFactory ssh = SshModule.ssh(SESSIONS);
            Exporter exporter = TargetModule.iscsi(new ZfsConnections(Map.of("ssh", ssh, "local", ssh)))
                    .open(
                            new ConnectionScope(
                                    new ConnectionName("nas"), "zfs-generic-iscsi", Optional.empty(), "lab"),
                            file);
            assertThat(problems.errors()).isEmpty();
            return exporter;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Birth birth(StorageHost host, String name) {
        return new Birth(
                new NativeId(name),
                TestVolumes.empty(name),
                TestVolumes.SIZE,
                new VolumeMedium.BlockDevice("/dev/zvol/" + host.parent() + "/" + name),
                Map.of());
    }

    private static StoredVolume volume(StorageHost host, Birth birth, Map<String, String> notes) throws IOException {
        String dataset = host.parent() + "/" + birth.id();
        host.shell("zfs list " + dataset + " >/dev/null 2>&1 || zfs create -V " + TestVolumes.SIZE.bytes() + " "
                + dataset);
        return new StoredVolume(
                birth.id(),
                Optional.of(birth.request().name()),
                Optional.of(birth.capacity()),
                birth.medium(),
                Content.EMPTY,
                notes);
    }

    private static StoredVolume volume(StorageHost host, String name) throws IOException {
        return volume(host, birth(host, name), Map.of("iscsi-asset", name));
    }

    private static Attachment.Iscsi export(Exporter exporter, StoredVolume volume) {
        return (Attachment.Iscsi) exporter.export(volume, TestWork.patient()).attachment();
    }

    private static void unexport(Exporter exporter, StoredVolume volume) {
        exporter.unexport(volume.id(), Optional.of(volume), TestWork.patient());
    }

    /** Targets, backstores and what is saved; each a line. */
    private static List<String> exports(StorageHost host) throws IOException {
        return host.shell("cd /sys/kernel/config/target; ls -d iscsi/" + BASE + ":*; grep -l " + host.parent()
                        + "/ core/*/*/udev_path; grep -h -e " + BASE + " -e " + host.parent()
                        + "/ /etc/rtslib-fb-target/saveconfig.json; true")
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    }

    /** All that is promised of an exporter. */
    @Nested
    class Promises implements ExporterContract {
        private Optional<StorageHost> host = Optional.empty();

        @BeforeEach
        void take(StorageHost given) {
            host = Optional.of(given);
        }

        private StorageHost host() {
            return host.orElseThrow();
        }

        @Override
        public Exporter exporter() {
            return TargetcliOnStorageTest.exporter(host(), "root", CHAP);
        }

        @Override
        public Birth birth(String name) {
            return TargetcliOnStorageTest.birth(host(), name);
        }

        @Override
        public StoredVolume volume(Birth birth, Map<String, String> notes) {
            try {
                return TargetcliOnStorageTest.volume(host(), birth, notes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void remove(StoredVolume volume) {
            try {
                // The kernel does not let go of a device that is a LUN: a volume goes first only by force.
                host().shell("zfs destroy " + host().parent() + "/" + volume.id() + " 2>/dev/null || true");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public int exports() {
            try {
                return TargetcliOnStorageTest.exports(host()).size();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** A round trip for each; over the fake it is all of them. */
        @Test
        @Override
        public void hostile_ids_unexport_nothing() {
            try (Exporter exporter = exporter()) {
                StoredVolume volume =
                        volume(birth("pvc-a"), exporter.plan(birth("pvc-a")).notes());
                exporter.export(volume, TestWork.patient());
                int before = exports();

                HostileInput.ids()
                        .filter(id -> id.value().matches("[A-Za-z0-9_-]+"))
                        .limit(10)
                        .forEach(id -> exporter.unexport(id, Optional.empty(), TestWork.patient()));

                assertThat(exports()).isEqualTo(before);
                exporter.unexport(volume.id(), Optional.of(volume), TestWork.patient());
            }
        }
    }

    /** Tries to log in, and tells how that ended: 0, or an exit code of iscsiadm (24 is a refused login). */
    private static int login(StorageHost host, Attachment.Iscsi target, String... settings) throws IOException {
        var script = new StringBuilder("node() { iscsiadm -m node -T " + target.iqn() + " -p " + target.portal()
                + " \"$@\"; }; { node -o new; ");
        for (int i = 0; i < settings.length; i += 2) {
            script.append("node -o update -n node.session.")
                    .append(settings[i])
                    .append(" -v '")
                    .append(settings[i + 1])
                    .append("'; ");
        }
        script.append("node -o update -n node.session.initial_login_retry_max -v 1; node --login; } >/dev/null 2>&1;"
                + " echo $?");
        return Integer.parseInt(host.shell(script.toString()).strip());
    }

    private static void logout(StorageHost host, Attachment.Iscsi target) throws IOException {
        host.shell("iscsiadm -m node -T " + target.iqn() + " --logout; iscsiadm -m node -T " + target.iqn()
                + " -o delete; true");
    }

    /** The folder of the block device that a login gave. */
    private static String disk(Attachment.Iscsi target) {
        return "d=$(ls -d /sys/class/iscsi_session/session*/targetname | xargs grep -l '^" + target.iqn()
                + "$'); d=$(ls -d ${d%/targetname}/device/target*/*:0/block/*)";
    }

    @Test
    void who_has_the_password_gets_in_and_nobody_else(StorageHost host) throws IOException {
        StoredVolume volume = volume(host, "pvc-chap");
        try (Exporter exporter = exporter(host, "root", CHAP)) {
            Attachment.Iscsi target = export(exporter, volume);
            String[] right = {
                "auth.authmethod",
                "CHAP",
                "auth.username",
                "alice",
                "auth.password",
                PASSWORD,
                "auth.username_in",
                "bob",
                "auth.password_in",
                "builder-123456"
            };

            assertThat(login(host, target)).as("without").isEqualTo(24);
            assertThat(login(host, target, "auth.authmethod", "CHAP", "auth.username", "alice", "auth.password", "x"))
                    .as("with a wrong one")
                    .isEqualTo(24);
            assertThat(login(host, target, right)).as("with the right one").isZero();

            logout(host, target);
            unexport(exporter, volume);
        }
        assertThat(exports(host)).isEmpty();
    }

    @Test
    void the_lun_grows_with_its_volume(StorageHost host) throws IOException {
        StoredVolume volume = volume(host, "pvc-grow");
        try (Exporter exporter = exporter(host, "root", OPEN)) {
            Attachment.Iscsi target = export(exporter, volume);
            assertThat(login(host, target)).isZero();
            String before = host.shell("udevadm settle; " + disk(target) + "; cat $d/size");

            host.shell("zfs set volsize=64M " + host.parent() + "/pvc-grow");
            exporter.expanded(volume, TestWork.patient());

            String after = host.shell(
                    disk(target) + "; iscsiadm -m node -T " + target.iqn() + " --rescan >/dev/null; cat $d/size");
            assertThat(before.strip()).isEqualTo("32768");
            assertThat(after.strip()).isEqualTo("131072");
            logout(host, target);
            unexport(exporter, volume);
        }
    }

    @Test
    void a_user_who_is_not_root_exports_by_sudo_and_one_who_may_not_is_told_so(StorageHost host) throws IOException {
        StoredVolume volume = volume(host, "pvc-sudo");
        try (Exporter keeper = exporter(host, "keeper", OPEN);
                Exporter guest = exporter(host, "guest", OPEN)) {
            export(keeper, volume);
            assertThat(exports(host)).hasSize(4);

            assertThatThrownBy(() -> export(guest, volume)).hasMessageContaining("NOPASSWD");

            unexport(keeper, volume);
            assertThat(exports(host)).isEmpty();
        }
    }

    /** Targetcli takes some seconds; it is killed soon after it has made one thing, in the middle of what it does. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "core/iblock_*/pvc-kill",
                "iscsi/" + BASE + ":pvc-kill",
                "iscsi/" + BASE + ":pvc-kill/tpgt_1",
                "iscsi/" + BASE + ":pvc-kill/tpgt_1/lun/lun_0"
            })
    void targetcli_killed_in_the_middle_leaves_what_a_retry_finishes(String made, StorageHost host) throws IOException {
        StoredVolume volume = volume(host, "pvc-kill");
        try (Exporter exporter = exporter(host, "root", CHAP)) {
            Concurrently.run(List.of(() -> Failing.works(() -> export(exporter, volume)), () -> killOnce(host, made)));

            export(exporter, volume);
            assertThat(exports(host)).hasSize(4);
            unexport(exporter, volume);
            assertThat(exports(host)).isEmpty();
        }
    }

    /** Kills targetcli as soon as a folder of the kernel's is there. */
    private static void killOnce(StorageHost host, String folder) {
        try {
            host.shell(
                    "i=0; until set -- /sys/kernel/config/target/" + folder + "; [ -e \"$1\" ] || [ $i -gt 1000 ];"
                            + " do i=$((i + 1)); sleep 0.05; done; pkill -KILL -f '^/usr/bin/python3 /usr/bin/targetcli'; true");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void two_connections_to_one_host_keep_each_others_targets(StorageHost host) throws IOException {
        List<StoredVolume> volumes = List.of(volume(host, "pvc-1"), volume(host, "pvc-2"));
        try (Exporter one = exporter(host, "root", CHAP);
                Exporter two = exporter(host, "keeper", OPEN)) {
            Concurrently.run(List.of(() -> export(one, volumes.get(0)), () -> export(two, volumes.get(1))));
            assertThat(exports(host)).hasSize(8);

            Concurrently.run(List.of(() -> unexport(two, volumes.get(0)), () -> unexport(one, volumes.get(1))));
            assertThat(exports(host)).isEmpty();
        }
    }

    /** What a host looks like that has restarted before its pool was there. */
    @Test
    void a_saved_configuration_that_is_not_running_is_kept(StorageHost host) throws IOException {
        StoredVolume old = volume(host, "pvc-old");
        StoredVolume fresh = volume(host, "pvc-fresh");
        try (Exporter exporter = exporter(host, "root", OPEN)) {
            export(exporter, old);
            host.shell("targetcli clearconfig confirm=true");
            String saved = host.shell("cat /etc/rtslib-fb-target/saveconfig.json");

            Failing.with(Failure.BackendUnavailable.class, () -> export(exporter, fresh));
            assertThat(host.shell("cat /etc/rtslib-fb-target/saveconfig.json")).isEqualTo(saved);

            host.shell("targetcli restoreconfig clear_existing=true");
            export(exporter, fresh);
            assertThat(exports(host)).hasSize(8);
            unexport(exporter, old);
            unexport(exporter, fresh);
            assertThat(exports(host)).isEmpty();
        }
    }
}
