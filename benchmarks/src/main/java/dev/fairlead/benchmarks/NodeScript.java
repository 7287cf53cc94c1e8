package dev.fairlead.benchmarks;

import csi.v1.Volume;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Attaches, mounts, unmounts and detaches a volume by a shell script, as somebody does it by hand. */
enum NodeScript {
    NFS("mount -t nfs \"$server:$share\" \"$staging\"", ""),
    SMB("mount -t cifs -o guest \"//$server/$share\" \"$staging\"", ""),
    ISCSI("""
            iscsiadm -m node -T "$iqn" -p "$portal" -o new >/dev/null
            iscsiadm -m node -T "$iqn" -p "$portal" --login >/dev/null
            until
              session=$(grep -lFx "$iqn" /sys/class/iscsi_session/*/targetname) &&
                disk=$(ls -d "${session%/targetname}"/device/target*/*/block/*) && [ -b "/dev/${disk##*/}" ]
            do sleep 0.05; done 2>/dev/null
            device=/dev/${disk##*/}
            """ + NodeScript.OF_DEVICES, """
            iscsiadm -m node -T "$iqn" -p "$portal" --logout >/dev/null
            iscsiadm -m node -T "$iqn" -p "$portal" -o delete >/dev/null
            """),
    NVMEOF("""
            nvme connect -t tcp -a "$address" -s "$port" -n "$nqn" >/dev/null
            until
              subsystem=$(grep -lFx "$nqn" /sys/class/nvme-subsystem/*/subsysnqn) &&
                disk=$(ls "${subsystem%/subsysnqn}" | grep -x 'nvme[0-9]*n1') && [ -b "/dev/$disk" ]
            do sleep 0.05; done 2>/dev/null
            device=/dev/$disk
            """ + NodeScript.OF_DEVICES, "nvme disconnect -n \"$nqn\" >/dev/null\n");

    /** Looks what is on a device, has it checked, and mounts it. */
    private static final String OF_DEVICES = """
            [ "$(blkid -p -o value -s TYPE "$device")" = ext4 ]
            e2fsck -p "$device" >/dev/null
            mount "$device" "$staging"
            """;

    private final String attach;
    private final String detach;

    NodeScript(String attach, String detach) {
        this.attach = attach;
        this.detach = detach;
    }

    /** Returns whether a volume is a device, which one node mounts. */
    boolean isDevice() {
        return !detach.isEmpty();
    }

    void use(Volume volume, Path staging, Path target) throws IOException, InterruptedException {
        run(
                volume,
                staging,
                target,
                "mkdir -p \"$staging\" \"$target\"\n" + attach
                        + "\nmount --bind \"$staging\" \"$target\"\nmountpoint -q \"$target\"\n");
    }

    void leave(Volume volume, Path staging, Path target) throws IOException, InterruptedException {
        run(volume, staging, target, "umount \"$target\"\numount \"$staging\"\nrmdir \"$target\"\n" + detach);
    }

    private static void run(Volume volume, Path staging, Path target, String script)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-euc", script).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.putAll(volume.getVolumeContextMap());
        environment.put("staging", staging.toString());
        environment.put("target", target.toString());
        String transports = volume.getVolumeContextMap().getOrDefault("transports", "");
        if (!transports.isEmpty()) {
            String authority = transports.split("[/?]", -1)[2];
            environment.put("address", authority.substring(0, authority.lastIndexOf(':')));
            environment.put("port", authority.substring(authority.lastIndexOf(':') + 1));
        }
        Process process = builder.start();
        process.getOutputStream().close();
        String said;
        try (var output = process.inputReader()) {
            said = output.lines().reduce("", (all, line) -> all + "\n" + line);
        } catch (UncheckedIOException e) {
            throw Objects.requireNonNull(e.getCause());
        }
        if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("the script ended badly:" + said);
        }
    }
}
