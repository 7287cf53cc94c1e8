package dev.fairlead.lab.soak.audit;

/**
 * The scripts by which machines tell what volumes have on them: the kind of each thing in {@link LeftOver.Kind}, a tab
 * and its name. They fail where they cannot look, and what goes away meanwhile is no failure.
 */
final class LookScripts {
    private static final String BEGIN = """
            set -eu
            there() { # kind, files: each that is there, by its last name
              kind=$1
              shift
              for each in "$@"; do
                each=${each%/}
                [ ! -e "$each" ] || printf '%s\\t%s\\n' "$kind" "${each##*/}"
              done
            }
            content() { # kind, files: each that is there, by what is in it
              kind=$1
              shift
              for each in "$@"; do
                read -r said 2>/dev/null <"$each" && printf '%s\\t%s\\n' "$kind" "$said" || true
              done
            }
            waiting() { ps -eo stat=,comm= | awk '$1 ~ /^D/ { print $2 }' | sort -u; }
            """;

    /** Processes that waited for the kernel at three looks, so that a disk's work is not taken for it. */
    private static final String END = """
            one=$(waiting)
            sleep 2
            two=$(waiting)
            sleep 3
            three=$(waiting)
            printf '%s\\n%s\\n%s\\n' "$one" "$two" "$three" | sort | uniq -c | awk '$1 == 3 && NF == 2 { print "stuck_process\\t" $2 }'
            echo end
            """;

    static final String STORAGE = BEGIN + """
            names=$(zfs list -H -t filesystem,volume -o name)
            printf '%s\\n' "$names" | awk -F / 'NF > 3 && ($3 == "v" || $3 == "s") { print "dataset\\t" $0 }'
            names=$(zfs list -H -t snapshot -o name)
            printf '%s\\n' "$names" | awk 'NF { print "snapshot\\t" $0 }'
            awk 'NF { print "nfs_export\\t" $1 }' /var/lib/nfs/etab
            for file in /etc/exports.d/*.exports; do
              [ ! -e "$file" ] || awk '/^[^#]/ { print "saved_nfs_export\\t" $1 }' "$file"
            done
            there smb_share /var/lib/samba/usershares/*
            there iscsi_target /sys/kernel/config/target/iscsi/iqn.*
            there iscsi_backstore /sys/kernel/config/target/core/*_*/*/
            there nvme_subsystem /sys/kernel/config/nvmet/subsystems/*
            python3 - <<'PYTHON'
            import json, os
            def saved(path):
                return json.load(open(path)) if os.path.exists(path) else {}
            targets = saved("/etc/rtslib-fb-target/saveconfig.json")
            for each in targets.get("targets", []):
                print("saved_iscsi\\t" + each["wwn"])
            for each in targets.get("storage_objects", []):
                print("saved_iscsi\\t" + each["name"])
            for each in saved("/etc/nvmet/config.json").get("subsystems", []):
                print("saved_nvme\\t" + each["nqn"])
            PYTHON
            """ + END;

    static final String NODE = BEGIN + """
            awk '$2 ~ "/volumes/kubernetes.io~csi/" || $2 ~ "/plugins/kubernetes.io/csi/" { print "mount\\t" $2 }' /proc/self/mounts
            content iscsi_session /sys/class/iscsi_session/*/targetname
            content nvme_controller /sys/class/nvme/*/subsysnqn
            there iscsi_record /etc/iscsi/nodes/* /var/lib/iscsi/nodes/*
            there journal_entry /var/lib/kubelet/plugins/*/csi.sock.staged/*
            for each in /var/lib/kubelet/pods/*/volumes/kubernetes.io~csi/* /var/lib/kubelet/plugins/kubernetes.io/csi/*/*; do
              [ ! -e "$each" ] || printf 'kubelet_folder\\t%s\\n' "$each"
            done
            """ + END;

    private LookScripts() {}
}
