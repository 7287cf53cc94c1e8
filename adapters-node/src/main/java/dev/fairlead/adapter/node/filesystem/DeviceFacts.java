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

/** Reads what the kernel knows of a block device in sysfs, where it costs no program. */
final class DeviceFacts {
    private static final Path DEVICES = Path.of("/sys/dev/block");
    private static final String SERIAL = "device/serial";
    private static final List<String> NUMBERS = List.of("dm/uuid", "wwid", "device/wwid", SERIAL, "uuid");

    private final Path folder;

    /** @param folder what sysfs has of the device */
    DeviceFacts(Path folder) {
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

    /**
     * Returns whether both are one disk that came by two ways, by the first number that both have; empty if they have
     * none in common. The serial number does not count: all namespaces of an NVMe subsystem have the same.
     */
    Optional<Boolean> isSameDisk(DeviceFacts other) throws IOException {
        for (String name : NUMBERS) {
            Optional<String> own = text(name).filter(it -> !it.isEmpty());
            Optional<String> others = other.text(name).filter(it -> !it.isEmpty());
            if (!name.equals(SERIAL) && own.isPresent() && others.isPresent()) {
                return Optional.of(own.equals(others));
            }
        }
        return Optional.empty();
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
