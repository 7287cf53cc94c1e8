package dev.fairlead.lab;

import java.util.Map;

/** How somebody on the storage host itself uses an export by hand, as a node would over the network. */
enum Use {
    NFS {
        @Override
        String begin(Map<String, String> context, String at) {
            return "mount -t nfs4 " + context.get("server") + ":" + context.get("share") + " " + at;
        }

        @Override
        String end(Map<String, String> context, String at) {
            return "umount " + at;
        }
    },
    SMB {
        @Override
        String begin(Map<String, String> context, String at) {
            return "mount -t cifs -o \"username=keeper,password=$(sed -n s/^keeper://p /etc/lab/passwords)\" //"
                    + context.get("server") + "/" + context.get("share") + " " + at;
        }

        @Override
        String end(Map<String, String> context, String at) {
            return "umount " + at;
        }
    },
    ISCSI {
        @Override
        String begin(Map<String, String> context, String at) {
            String node = "iscsiadm -m node -T " + context.get("iqn") + " -p " + context.get("portal");
            return "{ " + node + " -o new && " + node + " --login; } >/dev/null && udevadm settle && d=/dev/$(ls -d"
                    + " $(dirname $(grep -l '^" + context.get("iqn")
                    + "$' /sys/class/iscsi_session/session*/targetname))/device/target*/*:0/block/* | sed 's,.*/,,') && "
                    + onDisk(at);
        }

        @Override
        String end(Map<String, String> context, String at) {
            String node = "iscsiadm -m node -T " + context.get("iqn");
            return "umount " + at + " && { " + node + " --logout; " + node + " -o delete; } >/dev/null";
        }
    },
    NVME {
        @Override
        String begin(Map<String, String> context, String at) {
            return "nvme connect -t tcp -a 127.0.0.1 -s 4420 -n " + context.get("nqn") + " >/dev/null && d='' &&"
                    + " for i in $(seq 100); do for s in /sys/class/nvme-subsystem/*/; do [ \"$(cat $s/subsysnqn)\" = "
                    + context.get("nqn")
                    + " ] || continue; for b in $s/nvme*n1; do [ ! -b /dev/${b##*/} ] || d=/dev/${b##*/}; done; done;"
                    + " [ -z \"$d\" ] || break; sleep 0.1; done && " + onDisk(at);
        }

        @Override
        String end(Map<String, String> context, String at) {
            return "umount " + at + " && nvme disconnect -n " + context.get("nqn") + " >/dev/null";
        }
    };

    /** Shell that makes the volume be mounted there. */
    abstract String begin(Map<String, String> context, String at);

    /** Shell that takes it away again. */
    abstract String end(Map<String, String> context, String at);

    /** A disk that has a file system keeps it, and fills the disk. */
    private static String onDisk(String at) {
        return "{ blkid $d >/dev/null || mkfs.ext4 -q $d; } && mount $d " + at + " && resize2fs $d >/dev/null 2>&1";
    }
}
