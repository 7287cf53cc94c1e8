package dev.fairlead.bootstrap.serving;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Tells of each protocol how a connection is set up, and how a machine uses a volume without Fairlead. */
enum FencedProtocol {
    NFS("nfs", false),
    ISCSI("iscsi", false),
    ISCSI_RAW("iscsi", true),
    NVMEOF("nvmeof", false),
    NVMEOF_RAW("nvmeof", true);

    /** Where another machine has the volume, or a link to its device. */
    private static final String PLACE = "/run/fencing";

    private static final String NFS_PART = """
            nfs:
              shareHost: %s
              shareStrategy: setDatasetProperties
              shareStrategySetDatasetProperties:
                properties: {sharenfs: "rw,no_subtree_check,no_root_squash"}
            """;

    private static final String ISCSI_PART = """
            iscsi:
              targetPortal: %s:3260
              shareStrategy: targetCli
              shareStrategyTargetCli:
                basename: iqn.2003-01.org.example.fencing
                tpg:
                  attributes: {authentication: 0}
            """;

    /** The port is the one that the storage machine has for every subsystem. */
    private static final String NVMEOF_PART = """
            nvmeof:
              transports: ["tcp://%s:4420?ctrl-loss-tmo=12&reconnect-delay=2"]
              shareStrategy: nvmetCli
              shareStrategyNvmetCli:
                basename: nqn.2003-01.org.example.fencing
                configPath: /run/nvmet-fencing.json
                ports: ["99"]
            """;

    private static final String SCSI_DISK = """
            iscsiadm -m node -T @NAME@ -p @STOR@:3260 -o new >/dev/null
            iscsiadm -m node -T @NAME@ -p @STOR@:3260 --login >/dev/null
            for try in $(seq 100); do
              session=$(grep -lFx @NAME@ /sys/class/iscsi_session/*/targetname || true)
              disk=$(ls -d ${session%/targetname}/device/target*/*/block/* 2>/dev/null || true)
              [ -z "$disk" ] || break
              sleep 0.1
            done
            device=/dev/${disk##*/}
            """;

    private static final String NVME_DISK = """
            nvme connect -t tcp -a $(getent hosts @STOR@ | cut -d' ' -f1) -s 4420 -n @NAME@ >/dev/null
            for try in $(seq 100); do
              subsystem=$(grep -lFx @NAME@ /sys/class/nvme-subsystem/*/subsysnqn || true)
              disk=$(ls ${subsystem%/subsysnqn} | grep -x 'nvme[0-9]*n1' || true)
              [ -z "$disk" ] || [ ! -b /dev/$disk ] || break
              sleep 0.1
            done
            device=/dev/$disk
            """;

    private final String part;
    private final boolean block;

    FencedProtocol(String part, boolean block) {
        this.part = part;
        this.block = block;
    }

    boolean block() {
        return block;
    }

    /** The file of a connection. */
    String connection(String storage, List<String> key) {
        String more = switch (part) {
            case "nfs" -> NFS_PART;
            case "iscsi" -> ISCSI_PART;
            default -> NVMEOF_PART;
        };
        String indented =
                String.join("\n", key.stream().map(line -> "    " + line).toList());
        String common = """
            driver: zfs-generic-%s
            sshConnection:
              host: %s
              username: root
              privateKey: |
            %s
            zfs:
              datasetParentName: tank/fencing/v
              detachedSnapshotsDatasetParentName: tank/fencing/s
            """.formatted(part, storage, indented);
        return common + more.formatted(storage);
    }

    /** Settings that let a device which is gone fail in seconds. */
    Map<String, String> secrets() {
        return part.equals("iscsi") ? Map.of("node-db.node.session.timeo.replacement_timeout", "8") : Map.of();
    }

    private String name(Map<String, String> context) {
        String key = switch (part) {
            case "nfs" -> "share";
            case "iscsi" -> "iqn";
            default -> "nqn";
        };
        return Objects.requireNonNull(context.get(key), key);
    }

    /** The script that has the volume used by a machine; {@code $file} is what it reads and writes then. */
    String use(String storage, Map<String, String> context) {
        String attach = switch (part) {
            case "nfs" -> "mount -t nfs -o vers=4.2 @STOR@:@NAME@ " + PLACE + "\n";
            case "iscsi" -> SCSI_DISK;
            default -> NVME_DISK;
        };
        String mount = part.equals("nfs") ? "" : block ? "file=$device\n" : "mount $device " + PLACE + "\n";
        return ("set -e\nmkdir -p " + PLACE + "\nfile=" + PLACE + "/file\n" + attach + mount
                        + "echo file=$file >/run/fencing.file\n")
                .replace("@NAME@", name(context))
                .replace("@STOR@", storage);
    }

    /** The script that has the machine leave the volume. */
    String leave(Map<String, String> context) {
        String detach = switch (part) {
            case "nfs" -> "";
            case "iscsi" ->
                "iscsiadm -m node -T @NAME@ --logout >/dev/null\niscsiadm -m node -T @NAME@ -o delete >/dev/null\n";
            default -> "nvme disconnect -n @NAME@ >/dev/null\n";
        };
        return ("! mountpoint -q " + PLACE + " || umount " + PLACE + "\n" + detach).replace("@NAME@", name(context));
    }

    /**
     * The script that makes what volumes are made in. Nothing else is exported, so that a node is no client of another
     * share.
     */
    static String prepare() {
        return """
                set -e
                zfs create -p tank/fencing/v
                zfs create tank/fencing/s
                mv /etc/exports.d/srv.exports /run/srv.exports
                exportfs -ra
                """;
    }

    /** The script that takes all volumes of these tests from the storage machine, whatever has become of them. */
    static String clean() {
        return """
                for l in /sys/kernel/config/nvmet/ports/*/subsystems/nqn.2003-01.org.example.fencing:*; do rm -f "$l"; done
                for s in /sys/kernel/config/nvmet/subsystems/nqn.2003-01.org.example.fencing:*; do
                  [ -d "$s" ] || continue
                  for l in "$s"/allowed_hosts/*; do [ ! -L "$l" ] || rm "$l"; done
                  echo 0 >"$s/namespaces/1/enable"; rmdir "$s/namespaces/1" "$s"
                done
                for t in /sys/kernel/config/target/iscsi/iqn.2003-01.org.example.fencing:*; do
                  [ -d "$t" ] || continue
                  targetcli /iscsi delete "${t##*/}" >/dev/null
                done
                for b in /sys/kernel/config/target/core/iblock_*/*/udev_path; do
                  grep -q tank/fencing "$b" 2>/dev/null || continue
                  b=${b%/udev_path}
                  targetcli /backstores/block delete "${b##*/}" >/dev/null
                done
                rm -f /run/nvmet-fencing.json /etc/rtslib-fb-target/saveconfig.json
                [ ! -e /run/srv.exports ] || mv /run/srv.exports /etc/exports.d/srv.exports
                zfs set sharenfs=off tank/fencing/v 2>/dev/null
                for d in $(zfs list -H -o name -r tank/fencing/v 2>/dev/null); do zfs set sharenfs=off $d 2>/dev/null; done
                exportfs -ra
                exportfs -f
                zfs destroy -rf tank/fencing 2>/dev/null
                true
                """;
    }
}
