package dev.fairlead.adapter.node.filesystem;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads what the kernel knows of a block device in sysfs, where it costs no program. */
final class DeviceFacts {
    private static final Path DEVICES = Path.of("/sys/dev/block");
    private static final Path BTRFS = Path.of("/sys/fs/btrfs");
    private static final List<String> NUMBERS = List.of("dm/uuid", "wwid", "device/wwid", "device/serial", "uuid");

    private final Path folder;

    private DeviceFacts(Path folder) {
        this.folder = folder;
    }

    /** Reads the facts of a device node, wherever it is. */
    static DeviceFacts of(Path device) throws IOException {
        if (!(Files.getAttribute(device, "unix:rdev") instanceof Long number) || number == 0) {
            throw new IOException(device + " is no device");
        }
        long major = ((number >>> 8) & 0xfffL) | ((number >>> 32) & 0xfffff000L);
        long minor = (number & 0xffL) | ((number >>> 12) & 0xffffff00L);
        return new DeviceFacts(DEVICES.resolve(major + ":" + minor));
    }

    /** Returns whether nobody may write to the device. */
    boolean isReadOnly() throws IOException {
        return text("ro")
                .map("1"::equals)
                .orElseThrow(() -> new IOException("the kernel does not tell whether it may be written"));
    }

    /** Returns the numbers that its maker or the kernel gave the device, each with its name. */
    List<String> numbers() throws IOException {
        List<String> found = new ArrayList<>();
        for (String name : NUMBERS) {
            text(name).filter(it -> !it.isEmpty()).ifPresent(it -> found.add(name + "=" + it));
        }
        return found;
    }

    /** Returns the devices of the btrfs with this UUID that is mounted on this node; none if there is no such one. */
    static List<String> ofBtrfs(String uuid) throws IOException {
        Path devices = BTRFS.resolve(uuid).resolve("devices");
        if (!uuid.matches("[0-9a-fA-F-]{36}") || !Files.isDirectory(devices)) {
            return List.of();
        }
        try (Stream<Path> names = Files.list(devices)) {
            return names.map(it -> it.getFileName().toString()).sorted().toList();
        }
    }

    /** Returns the device's number, as the mount table writes it. */
    String number() {
        return String.valueOf(folder.getFileName());
    }

    /** Returns the kernel's name of the device. */
    String name() throws IOException {
        return String.valueOf(folder.toRealPath().getFileName());
    }

    private Optional<String> text(String name) throws IOException {
        Path file = folder.resolve(name);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    Files.readString(file, StandardCharsets.ISO_8859_1).strip());
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            if (name.equals("ro")) {
                throw e;
            }
            return Optional.empty(); // some devices have the file and refuse to tell the number
        }
    }
}
