package dev.fairlead.adapter.node.filesystem;

import dev.fairlead.adapter.node.kernel.MountTable;
import dev.fairlead.adapter.node.settings.FilesystemSettings;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.format.FormatGuard.Born;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks file systems before they are mounted. ext is checked by {@code e2fsck -p}, which looks at the superblock,
 * replays the journal, and goes on only if the file system says that it has errors. XFS and btrfs replay their logs
 * while they are mounted, and their programs refuse to before; a btrfs is looked up among those that are mounted by
 * {@link BtrfsCopies}. What the operator wants checked in addition is checked as by democratic-csi.
 */
record FilesystemCheck(DevicePrograms programs, FilesystemSettings settings) {
    private static final int CORRECTED = 1 | 2;
    private static final int LEFT = 4;

    /** The bits of {@code e2fsck}'s exit code for what it could not do, as with a device in use, and for a stop. */
    private static final int NOT_DONE = 8 | 32;

    /** All bits that {@code e2fsck} makes its exit codes of; larger ones are of the shell, or of the linker. */
    private static final int CODES = 63;

    /** The exit code of a program that a signal has killed is larger than this. */
    private static final int SIGNALS = 128;

    /** Matches what those programs say of a device in use that have no exit code for it. */
    private static final Pattern BUSY =
            Pattern.compile("Device or resource busy|is currently mounted|contains a mounted filesystem");

    /** The exit code of {@code xfs_repair} for a log that the kernel has to replay before. */
    private static final int UNREPLAYED = 2;

    private static final Logger log = LoggerFactory.getLogger(FilesystemCheck.class);

    void check(Path device, String type, Optional<String> uuid, Born born, Work work) {
        switch (type) {
            case "ext2", "ext3", "ext4" -> ext(device, type, work);
            case "xfs" -> wanted(type).ifPresent(options -> xfs(device, options, work));
            case "btrfs" -> btrfs(device, uuid, born, work);
            default -> {} // repaired by the kernel while it mounts, if at all
        }
    }

    private Optional<List<String>> wanted(String type) {
        return Optional.ofNullable(settings.checks().get(type));
    }

    private boolean isMounted(Path device, Work work) {
        return programs.onThread("looking at " + device, device, work, _ -> {
            String number = DeviceFacts.of(device).number();
            return !MountTable.ofDevice(number).isEmpty();
        });
    }

    private void xfs(Path device, List<String> options, Work work) {
        if (isMounted(device, work)) {
            return;
        }
        List<String> argv = new ArrayList<>(List.of("xfs_repair", "-o", "force_geometry"));
        argv.addAll(options);
        argv.add(device.toString());
        Ended ended = programs.lasting("fsck", argv, device, work);
        if (ended.exitCode() == UNREPLAYED) {
            log.atWarn()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("device", device)
                    .log(
                            "xfs_repair leaves an XFS alone whose log is not replayed; the kernel does that as it mounts it");
        } else if (!ended.succeeded()) {
            throw refused(device, argv, ended);
        }
    }

    private static StorageException refused(Path device, List<String> argv, Ended ended) {
        if (BUSY.matcher(said(ended)).find()) {
            return notChecked(device, argv, ended);
        }
        return ended.exitCode() == DevicePrograms.MISSING
                ? DevicePrograms.failed(argv, device, ended)
                : new StorageException(new Failure.MountFailed(
                        device.toString(),
                        "its staging path",
                        argv.getFirst() + " ends with " + ended.exitCode() + " (" + said(ended)
                                + "); node.mount.checkFilesystem asks for this check"));
    }

    private static StorageException notChecked(Path device, List<String> argv, Ended ended) {
        return new StorageException(new Failure.NotChecked(
                device.toString(), argv.getFirst() + " ends with " + ended.exitCode() + " (" + said(ended) + ")"));
    }

    /** Returns whether {@code e2fsck} has not come to look at all of the file system, whatever it had found by then. */
    private static boolean isNotDone(int code) {
        return code > SIGNALS || (code <= CODES && (code & NOT_DONE) != 0);
    }

    private void ext(Path device, String type, Work work) {
        if (isMounted(device, work)) {
            return; // at another path of this node, as kubelet's own upgrades have it
        }
        List<String> argv = new ArrayList<>(List.of("e2fsck", "-p"));
        wanted(type).ifPresent(options -> {
            argv.add("-f");
            argv.addAll(options);
        });
        argv.add(device.toString());
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
            throw isNotDone(code) ? notChecked(device, argv, ended) : DevicePrograms.failed(argv, device, ended);
        }
    }

    private static String said(Ended ended) {
        String all =
                (ended.output() + " " + ended.trouble()).replaceAll("\\s+", " ").strip();
        return all.substring(0, Math.min(all.length(), 300));
    }

    private void btrfs(Path device, Optional<String> uuid, Born born, Work work) {
        boolean mounted = BtrfsCopies.ofThisKernel(programs).isMounted(device, uuid, born, work);
        if (!mounted) {
            wanted("btrfs").ifPresent(options -> {
                List<String> argv = new ArrayList<>(List.of("btrfs"));
                argv.addAll(options);
                argv.addAll(List.of("check", device.toString()));
                Ended ended = programs.lasting("fsck", argv, device, work);
                if (!ended.succeeded()) {
                    throw refused(device, argv, ended);
                }
            });
        }
    }
}
