package dev.fairlead.adapter.node.filesystem;

import dev.fairlead.adapter.node.filesystem.DeviceContent.Btrfs;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.format.FormatGuard.Born;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whether a btrfs can be mounted while another one with its UUID is. Since Linux 6.7 the kernel gives the second
 * one a UUID for the time of its mount and writes nothing of it to the device; before, it takes both for parts of one
 * file system. The kernel tells them apart by their device numbers alone, so a disk that came by two ways would be
 * mounted twice and destroyed: they have to be known to be two disks.
 *
 * @param kernel what sysfs has of btrfs
 */
record BtrfsCopies(DevicePrograms programs, Path kernel) {
    private static final String UUID = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
    private static final Duration FORGETTING = Duration.ofSeconds(10);
    private static final Logger log = LoggerFactory.getLogger(BtrfsCopies.class);

    static BtrfsCopies ofThisKernel(DevicePrograms programs) {
        return new BtrfsCopies(programs, Path.of("/sys/fs/btrfs"));
    }

    /**
     * Returns whether the file system on a device is mounted already.
     *
     * @throws StorageException {@code MountFailed} if it cannot be mounted beside another one, with what to do
     */
    boolean isMounted(Path device, Optional<String> uuid, Born born, Work work) {
        State state = programs.onThread("looking for the btrfs of " + device, device, work, _ -> {
            DeviceFacts facts = DeviceFacts.of(device);
            List<Mounted> mounted = mounted();
            if (isMounted(facts.number(), mounted)) {
                return State.MOUNTED;
            }
            Optional<String> objection = objection(device, facts, uuid, born, mounted);
            if (objection.isPresent()) {
                throw new StorageException(
                        new Failure.MountFailed(device.toString(), "its staging path", objection.get()));
            }
            return mounted.stream().anyMatch(it -> it.has(uuid)) ? State.BESIDE_ANOTHER : State.ALONE;
        });
        if (state == State.BESIDE_ANOTHER) {
            log.atInfo()
                    .addKeyValue("device", device)
                    .addKeyValue("uuid", uuid.orElse(""))
                    .log("a copy of a btrfs is mounted beside one with the same UUID");
            forget(device, work);
        }
        return state == State.MOUNTED;
    }

    private enum State {
        MOUNTED,
        BESIDE_ANOTHER,
        ALONE
    }

    /**
     * Lets the kernel forget what was on a device of this name before and is unmounted since: it would take the copy
     * for that, and refuse it (EEXIST). Whether there was something does not matter; the mount tells.
     */
    private void forget(Path device, Work work) {
        List<String> argv = List.of("btrfs", "device", "scan", "--forget", device.toString());
        var _ = programs.ended("forget", argv, device, FORGETTING, work);
    }

    /**
     * Says what is mounted.
     *
     * @param folder what the kernel has of it; its name is the UUID by which the kernel knows it
     * @param temporary whether that is one for the time of the mount
     * @param devices the folder of each of its devices
     */
    private record Mounted(Path folder, boolean temporary, List<Path> devices) {
        private boolean has(Optional<String> uuid) {
            return uuid.filter(it -> it.equalsIgnoreCase(String.valueOf(folder.getFileName())))
                    .isPresent();
        }

        private List<String> names() {
            return devices.stream().map(it -> String.valueOf(it.getFileName())).toList();
        }
    }

    private static boolean isMounted(String number, List<Mounted> mounted) throws IOException {
        for (Mounted one : mounted) {
            for (Path device : one.devices()) {
                if (text(device.resolve("dev")).filter(number::equals).isPresent()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Reads which btrfs are mounted, in any mount namespace of the node. */
    private List<Mounted> mounted() throws IOException {
        List<Mounted> found = new ArrayList<>();
        for (Path folder : list(kernel)) {
            if (String.valueOf(folder.getFileName()).matches(UUID)) {
                found.add(new Mounted(folder, isTemporary(folder), list(folder.resolve("devices"))));
            }
        }
        return found;
    }

    /** Returns whether its UUID is one for the time of its mount; Linux before 6.7 says nothing of it. */
    private static boolean isTemporary(Path folder) throws IOException {
        return text(folder.resolve("temp_fsid")).filter("1"::equals).isPresent();
    }

    private static Optional<String> text(Path file) throws IOException {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (NoSuchFileException _) {
            return Optional.empty(); // an older kernel, or it is unmounted now
        }
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted().toList();
        } catch (NoSuchFileException _) {
            return List.of(); // the kernel has no btrfs yet, or it is unmounted now
        }
    }

    /** Returns why a file system that is not mounted cannot be mounted now, with what to do; empty if it can. */
    Optional<String> objection(Path device, DeviceFacts facts, Optional<String> uuid, Born born) throws IOException {
        return objection(device, facts, uuid, born, mounted());
    }

    private Optional<String> objection(
            Path device, DeviceFacts facts, Optional<String> uuid, Born born, List<Mounted> mounted)
            throws IOException {
        for (Mounted one : mounted) {
            if ((one.temporary() || one.has(uuid)) && isSameDisk(facts, one).orElse(false)) {
                return Optional.of("it is the same disk as " + String.join(", ", one.names())
                        + ", which is mounted on this node; mounted twice it would be destroyed");
            }
        }
        Optional<Mounted> rival = mounted.stream().filter(it -> it.has(uuid)).findFirst();
        if (rival.isEmpty()) {
            return Optional.empty();
        }
        Btrfs content = read(device);
        String beside = "a btrfs with the same UUID " + uuid.orElse("") + " is mounted on this node from "
                + String.join(", ", rival.get().names());
        if (content.devices() != 1 || content.seed() || rival.get().devices().size() != 1) {
            return Optional.of(beside + ", and the kernel tells only file systems of one device apart, which are no"
                    + " seeds; use this one on another node");
        }
        if (!Files.exists(kernel.resolve("features").resolve("temp_fsid"))) {
            return Optional.of(beside + ", and this kernel takes both for one (Linux 6.7 does not); use this one on"
                    + " another node" + remedy(content));
        }
        if (born != Born.COPIED && isSameDisk(facts, rival.get()).isEmpty()) {
            return Optional.of(beside + ", and this one is not known to be a copy on another disk; use it on another"
                    + " node" + remedy(content));
        }
        return Optional.empty();
    }

    private static Optional<Boolean> isSameDisk(DeviceFacts facts, Mounted mounted) throws IOException {
        Optional<Boolean> same = Optional.empty();
        for (Path device : mounted.devices()) {
            Optional<Boolean> one = facts.isSameDisk(new DeviceFacts(device));
            if (one.orElse(false)) {
                return one;
            }
            same = same.or(() -> one);
        }
        return same;
    }

    private static Btrfs read(Path device) throws IOException {
        try (FileChannel channel = FileChannel.open(device, StandardOpenOption.READ)) {
            return new DeviceContent(channel).btrfs();
        }
    }

    private static String remedy(Btrfs content) {
        return content.log()
                ? ", which replays its log; before that btrfstune would make it unusable"
                : ", or give the copy a UUID of its own by btrfstune -m while nobody has mounted it";
    }
}
