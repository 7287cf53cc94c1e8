package dev.fairlead.adapter.node.filesystem;

import dev.fairlead.adapter.node.kernel.MountTable;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks file systems before they are mounted. ext is checked by {@code e2fsck -p}, which looks at the superblock,
 * replays the journal, and goes on only if the file system says that it has errors. XFS and btrfs replay their logs
 * while they are mounted, and their programs refuse to before; a btrfs is looked up among those that are mounted, since
 * the kernel takes two devices with one UUID for parts of one file system.
 */
record FilesystemCheck(DevicePrograms programs) {
    private static final int CORRECTED = 1 | 2;
    private static final int LEFT = 4;
    private static final Logger log = LoggerFactory.getLogger(FilesystemCheck.class);

    void check(Path device, String type, Optional<String> uuid, Work work) {
        switch (type) {
            case "ext2", "ext3", "ext4" -> ext(device, work);
            case "btrfs" -> uuid.ifPresent(it -> btrfs(device, it, work));
            default -> {} // repaired by the kernel while it mounts, if at all
        }
    }

    private void ext(Path device, Work work) {
        boolean mounted = programs.onThread("looking at " + device, device, work, _ -> {
            String number = DeviceFacts.of(device).number();
            return !MountTable.ofDevice(number).isEmpty();
        });
        if (mounted) {
            return; // at another path of this node, as kubelet's own upgrades have it
        }
        List<String> argv = List.of("e2fsck", "-p", device.toString());
        Ended ended = programs.lasting("fsck", argv, device, work);
        int code = ended.exitCode();
        if (code == DevicePrograms.MISSING) {
            log.atWarn().addKeyValue("device", device).log("there is no program e2fsck; it is mounted unchecked");
        } else if ((code & ~CORRECTED) == 0) {
            if (code != 0) {
                log.atWarn()
                        .addKeyValue("request", work.requestId())
                        .addKeyValue("device", device)
                        .addKeyValue("said", said(ended))
                        .log("e2fsck has repaired a file system");
            }
        } else if (code == LEFT || code == (LEFT | 1)) {
            throw new StorageException(new Failure.MountFailed(
                    device.toString(),
                    "its staging path",
                    "e2fsck finds errors that it does not repair without being asked (" + said(ended)
                            + "); take a snapshot on the storage, then run e2fsck -f -y on the device"));
        } else {
            throw DevicePrograms.failed(argv, device, ended);
        }
    }

    private static String said(Ended ended) {
        String all =
                (ended.output() + " " + ended.trouble()).replaceAll("\\s+", " ").strip();
        return all.substring(0, Math.min(all.length(), 300));
    }

    private void btrfs(Path device, String uuid, Work work) {
        programs.onThread("looking for the btrfs of " + device, device, work, _ -> {
            List<String> mounted = DeviceFacts.ofBtrfs(uuid);
            if (!mounted.isEmpty() && !mounted.contains(DeviceFacts.of(device).name())) {
                throw new StorageException(new Failure.MountFailed(
                        device.toString(),
                        "its staging path",
                        "a btrfs with the same UUID " + uuid + " is mounted on this node from "
                                + String.join(", ", mounted) + ", and the kernel takes both for one; give this copy"
                                + " a UUID of its own (btrfstune -u), or use it on another node"));
            }
            return true;
        });
    }
}
