package dev.fairlead.lab;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Volumes as iSCSI targets of the storage host, and logins to them by its own initiator. */
final class IscsiTarget {
    static final String BASE = "iqn.2003-01.org.example.fairlead";
    static final Map<String, Object> OPEN =
            Map.of("attributes", Map.of("authentication", 0, "generate_node_acls", 1, "demo_mode_write_protect", 0));
    static final String PASSWORD = "wonder?;&*$!#,=_\\+/.<>()~@:-%[]x";

    /** Each character that targetcli takes is in one of the passwords. */
    static final Map<String, Object> CHAP = Map.of(
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

    private IscsiTarget() {}

    static Exporter exporter(StorageHost host, String user, Map<String, Object> tpg) {
        return exporter(host, user, tpg, host.parent());
    }

    /** @param parent the dataset that their volumes are below */
    static Exporter exporter(StorageHost host, String user, Map<String, Object> tpg, String parent) {
        Map<String, Object> targetcli = Map.of(
                "basename",
                BASE,
                "sudoEnabled",
                !user.equals("root"),
                "tpg",
                tpg,
                "block",
                Map.of("attributes", Map.of("emulate_tpu", 1)));
        return new ZfsPoolFixture(host)
                .iscsi(
                        Map.of(
                                "shareStrategy",
                                "targetCli",
                                "targetPortal",
                                "127.0.0.1:3260",
                                "shareStrategyTargetCli",
                                targetcli),
                        user,
                        Map.of("datasetParentName", parent));
    }

    static Birth birth(StorageHost host, String name) {
        return new Birth(
                new NativeId(name),
                TestVolumes.empty(name),
                TestVolumes.SIZE,
                new VolumeMedium.BlockDevice("/dev/zvol/" + host.parent() + "/" + name),
                Map.of());
    }

    static StoredVolume volume(StorageHost host, Birth birth, Map<String, String> notes) throws IOException {
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

    static StoredVolume volume(StorageHost host, String name) throws IOException {
        return volume(host, birth(host, name), Map.of("iscsi-asset", name));
    }

    static Attachment.Iscsi export(Exporter exporter, StoredVolume volume) {
        return (Attachment.Iscsi) exporter.export(volume, TestWork.patient()).attachment();
    }

    static void unexport(Exporter exporter, StoredVolume volume) {
        exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
    }

    /** Targets, backstores and what is saved; each a line. */
    static List<String> exports(StorageHost host) throws IOException {
        return exports(host, host.parent());
    }

    /** @param parent the dataset that their volumes are below */
    static List<String> exports(StorageHost host, String parent) throws IOException {
        return host.shell("cd /sys/kernel/config/target; ls -d iscsi/" + BASE + ":*; grep -l " + parent
                        + "/ core/*/*/udev_path; grep -h -e " + BASE + " -e " + parent
                        + "/ /etc/rtslib-fb-target/saveconfig.json; true")
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    }

    /** Tries to log in, and tells how that ended: 0, or an exit code of iscsiadm (24 is a refused login). */
    static int login(StorageHost host, Attachment.Iscsi target, String... settings) throws IOException {
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

    static void logout(StorageHost host, Attachment.Iscsi target) throws IOException {
        host.shell("iscsiadm -m node -T " + target.iqn() + " --logout; iscsiadm -m node -T " + target.iqn()
                + " -o delete; true");
    }

    /** The folder of the block device that a login gave. */
    static String disk(Attachment.Iscsi target) {
        return "d=$(ls -d /sys/class/iscsi_session/session*/targetname | xargs grep -l '^" + target.iqn()
                + "$'); d=$(ls -d ${d%/targetname}/device/target*/*:0/block/*)";
    }
}
