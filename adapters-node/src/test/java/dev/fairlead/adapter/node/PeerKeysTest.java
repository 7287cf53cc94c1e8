package dev.fairlead.adapter.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.hostpath.HostPathModule;
import dev.fairlead.adapter.node.iscsi.IscsiModule;
import dev.fairlead.adapter.node.lustre.LustreModule;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.adapter.node.nfs.NfsModule;
import dev.fairlead.adapter.node.nvmeof.NvmeofModule;
import dev.fairlead.adapter.node.settings.NodeSettings;
import dev.fairlead.adapter.node.smb.SmbModule;
import dev.fairlead.adapter.node.zfs.ZfsLocalModule;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.FakeJournal;
import dev.fairlead.testkit.fake.node.FakeMounts;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every key that democratic-csi writes into a volume_context or reads from a stage secret, one by one. */
class PeerKeysTest {
    private static final String DRIVER = "node_attach_driver";

    /** What every volume has, whatever its protocol; none of it says how the volume is attached. */
    private static final Map<String, String> OF_ALL = Map.of(
            "provisioner_driver", "zfs-generic-iscsi",
            "provisioner_driver_instance_id", "nas",
            "storage.kubernetes.io/csiProvisionerIdentity", "1700000000000-8081-org.democratic-csi.iscsi");

    /**
     * Holds a key of a protocol's contexts.
     *
     * @param isRequired whether the volume is refused without it
     * @param value as democratic-csi writes it
     * @param other another value, which makes another attachment
     */
    record Key(String driver, String name, boolean isRequired, String value, String other) {}

    private static Key required(String driver, String name, String value, String other) {
        return new Key(driver, name, true, value, other);
    }

    private static Key optional(String driver, String name, String value, String other) {
        return new Key(driver, name, false, value, other);
    }

    private static final List<Key> KEYS = List.of(
            required("nfs", "server", "10.0.0.1", "10.0.0.2"),
            required("nfs", "share", "/mnt/tank/v/pvc-1", "/mnt/tank/v/pvc-2"),
            required("lustre", "server", "10.0.0.1@tcp", "10.0.0.2@tcp"),
            required("lustre", "share", "/scratch/v/pvc-1", "/scratch/v/pvc-2"),
            required("smb", "server", "nas.example.org", "nas"),
            required("smb", "share", "tank_v_pvc_1", "tank_v_pvc_2"),
            optional("iscsi", "portal", "10.0.0.1:3260", "10.0.0.3:3260"),
            optional("iscsi", "portals", "10.0.0.2:3260,[fd00::2]:3260", "10.0.0.4"),
            optional("iscsi", "interface", "eth0", "eth1"),
            required("iscsi", "iqn", "iqn.2005-10.org.freenas.ctl:pvc-1", "iqn.2005-10.org.freenas.ctl:pvc-2"),
            required("iscsi", "lun", "0", "7"),
            optional("nvmeof", "transport", "tcp://10.0.0.1:4420?nr-io-queues=2", "rdma://10.0.0.1"),
            optional("nvmeof", "transports", "tcp://10.0.0.2:4420,tcp://10.0.0.3", "tcp://10.0.0.4"),
            required("nvmeof", "nqn", "nqn.2003-01.org.linux-nvme:pvc-1", "nqn.2003-01.org.linux-nvme:pvc-2"),
            required("nvmeof", "nsid", "1", "2"),
            required("hostpath", "path", "/var/lib/csi-local-hostpath/v/a", "/var/lib/csi-local-hostpath/v/b"),
            required("zfs-local", "zfs_asset_name", "tank/k8s/v/pvc-1", "tank/k8s/v/pvc-2"));

    /** Contexts of protocols that this node does not have, each with all of its keys. */
    private static final Map<String, Set<String>> NOT_HERE = Map.of(
            "objectivefs", Set.of("filesystem", "object_store", "env.OBJECTSTORE", "env.ENDPOINT"),
            "oneclient", Set.of("server", "space_names", "space_ids", "token"));

    private static final Map<String, Secret> SECRETS = secrets(Map.of(
            "mount_flags", "noatime",
            "node-db.node.startup", "automatic",
            "node-db.node.session.auth.authmethod", "CHAP",
            "node-db.node.session.auth.username", "user",
            "node-db.node.session.auth.password", "a-pass-word-12",
            "node-db.node.session.auth.username_in", "peer",
            "node-db.node.session.auth.password_in", "mutual-word-12",
            "node-db.node.session.timeo.replacement_timeout", "30",
            "env.ACCESS_KEY", "x",
            "token", "x"));

    private static Map<String, Secret> secrets(Map<String, String> texts) {
        return texts.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, it -> new Secret(it.getValue())));
    }

    private static final Set<String> SHARES = Set.of("nfs", "lustre", "smb");

    static List<Key> keys() {
        return KEYS;
    }

    static Stream<String> drivers() {
        return KEYS.stream().map(Key::driver).distinct();
    }

    /** Returns a context with all keys of a protocol. */
    private static Map<String, String> context(String driver) {
        Map<String, String> context = new HashMap<>(OF_ALL);
        context.put(DRIVER, driver);
        KEYS.stream().filter(it -> it.driver().equals(driver)).forEach(it -> context.put(it.name(), it.value()));
        return context;
    }

    private static Map<String, String> with(Map<String, String> context, String key, String value) {
        Map<String, String> changed = new HashMap<>(context);
        changed.put(key, value);
        return changed;
    }

    private static Map<String, String> without(Map<String, String> context, String key) {
        Map<String, String> changed = new HashMap<>(context);
        changed.remove(key);
        return changed;
    }

    private static Attacher<?> attacher(String driver) {
        var mounts = new FakeMounts();
        var threads = MountSandbox.threads();
        var settings = NodeSettings.of(List::of, Path.of("/nonexistent"), MountSandbox.THREADS);
        return switch (driver) {
            case "nfs" -> NfsModule.nfs(mounts);
            case "lustre" -> LustreModule.lustre(mounts);
            case "smb" -> SmbModule.smb(mounts);
            case "iscsi" -> IscsiModule.iscsi(mounts, new FakeJournal(), threads, MountSandbox.NO_PROGRAMS, settings);
            case "nvmeof" ->
                NvmeofModule.nvmeof(mounts, new FakeJournal(), threads, MountSandbox.NO_PROGRAMS, settings);
            case "hostpath" -> HostPathModule.hostPath(mounts, threads, settings);
            default -> ZfsLocalModule.zfsLocal(mounts, MountSandbox.NO_PROGRAMS, threads);
        };
    }

    /** Reads a context and has its attacher check it, as NodeStageVolume does before its first effect. */
    private static Attachment checked(Map<String, String> context, Map<String, Secret> secrets) {
        Attachment attachment = AttachmentCodec.decode(context);
        var _ = check(attacher(context.getOrDefault(DRIVER, "")), attachment, context, secrets);
        return attachment;
    }

    private static <A extends Attachment> Attach<A> check(
            Attacher<A> attacher, Attachment attachment, Map<String, String> context, Map<String, Secret> secrets) {
        Attach<A> request = new Attach<>(
                "pvc-1", attacher.handles().cast(attachment), TestVolumes.MOUNT, context, Map.of(), secrets);
        attacher.check(request);
        return request;
    }

    private static <A extends Attachment> List<String> options(
            Attacher<A> attacher, Map<String, String> context, Map<String, Secret> secrets) {
        Attach<A> request = check(attacher, AttachmentCodec.decode(context), context, secrets);
        return ((Attached.Share) attacher.attach(request, TestWork.patient()))
                .filesystem()
                .options();
    }

    @ParameterizedTest
    @MethodSource("keys")
    void a_key_says_how_the_volume_is_attached(Key key) {
        Map<String, String> context = context(key.driver());

        assertThat(checked(with(context, key.name(), key.other()), Map.of())).isNotEqualTo(checked(context, Map.of()));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void a_key_that_is_missing_or_empty_is_named_or_does_no_harm(Key key) {
        Map<String, String> context = context(key.driver());

        for (Map<String, String> lacking : List.of(without(context, key.name()), with(context, key.name(), ""))) {
            if (key.isRequired()) {
                assertThatThrownBy(() -> checked(lacking, Map.of()))
                        .isInstanceOf(StorageException.class)
                        .hasMessageContaining("volume_context." + key.name());
            } else {
                assertThat(checked(lacking, Map.of())).isNotEqualTo(checked(context, Map.of()));
            }
        }
    }

    /** Also keys that nobody knows, and those of other protocols. */
    @ParameterizedTest
    @MethodSource("drivers")
    void what_every_volume_has_and_what_nobody_knows_is_passed_over(String driver) {
        Map<String, String> context = context(driver);
        Set<String> own = new TreeSet<>(context.keySet());
        Set<String> passed = new TreeSet<>(OF_ALL.keySet());
        KEYS.stream().map(Key::name).filter(it -> !own.contains(it)).forEach(passed::add);
        NOT_HERE.values().forEach(passed::addAll);
        passed.add("unheard-of");
        passed.removeIf(it -> own.contains(it) && !OF_ALL.containsKey(it));

        for (String key : passed) {
            for (Map<String, String> other : List.of(with(context, key, "-x ../"), without(context, key))) {
                assertThat(checked(other, Map.of())).as(key).isEqualTo(checked(context, Map.of()));
            }
        }
        assertThat(passed).hasSizeGreaterThan(10);
    }

    /** A node is told by the context alone, and by the same keys, whoever made the volume. */
    @ParameterizedTest
    @CsvSource({
        "nfs, freenas-nfs freenas-api-nfs zfs-generic-nfs nfs-client node-manual",
        "lustre, lustre-client node-manual",
        "smb, freenas-smb freenas-api-smb zfs-generic-smb smb-client node-manual",
        "iscsi, freenas-iscsi freenas-api-iscsi zfs-generic-iscsi synology-iscsi node-manual",
        "nvmeof, zfs-generic-nvmeof freenas-api-nvmeof node-manual",
        "hostpath, local-hostpath node-manual",
        "zfs-local, zfs-local-dataset zfs-local-zvol"
    })
    void the_driver_that_made_a_volume_makes_no_difference(String driver, String makers) {
        Map<String, String> context = context(driver);

        for (String maker : makers.split(" ", -1)) {
            assertThat(checked(with(context, "provisioner_driver", maker), SECRETS))
                    .as(maker)
                    .isEqualTo(checked(context, Map.of()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"objectivefs", "oneclient", "iscsi2", ""})
    void a_protocol_that_is_not_here_is_refused_by_its_name(String driver) {
        Map<String, String> context = new HashMap<>(OF_ALL);
        context.put(DRIVER, driver);
        NOT_HERE.getOrDefault(driver, Set.of()).forEach(key -> context.put(key, "x"));

        assertThatThrownBy(() -> AttachmentCodec.decode(context))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("volume_context." + DRIVER)
                .hasMessageContaining(driver);
    }

    /** A folder of the node is bound, without options of its own. */
    @ParameterizedTest
    @MethodSource("drivers")
    void flags_of_the_secret_are_read_by_all_that_mount_with_options(String driver) {
        Map<String, Secret> hostile = secrets(Map.of("mount_flags", "noatime,-x"));

        if (driver.equals("hostpath")) {
            assertThat(checked(context(driver), hostile)).isEqualTo(checked(context(driver), Map.of()));
        } else {
            assertThatThrownBy(() -> checked(context(driver), hostile))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("secrets.mount_flags");
        }
        if (SHARES.contains(driver)) {
            assertThat(options(attacher(driver), context(driver), SECRETS)).contains("noatime");
        }
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void secrets_of_another_protocol_are_passed_over(String driver) {
        Map<String, String> context = context(driver);

        for (String key : SECRETS.keySet()) {
            if (!(driver.equals("iscsi") && key.startsWith("node-db."))) {
                assertThat(checked(context, secrets(Map.of(key, "noatime"))))
                        .as(key)
                        .isEqualTo(checked(context, SECRETS));
            }
        }
    }
}
