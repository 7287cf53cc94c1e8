package dev.fairlead.adapter.node.filesystem;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Says how a type of file system is made and grown. */
@SuppressWarnings("ImmutableEnumChecker") // the lists are made by List.of
enum FilesystemType {
    EXT3("ext3", List.of("mkfs.ext3", "-q", "-m", "0"), List.of(), List.of("ro", "noload")) {
        @Override
        List<String> grow(Path device, Path mountPoint) {
            return List.of("resize2fs", device.toString());
        }
    },
    EXT4("ext4", List.of("mkfs.ext4", "-q", "-m", "0"), List.of(), List.of("ro", "noload")) {
        @Override
        List<String> grow(Path device, Path mountPoint) {
            return List.of("resize2fs", device.toString());
        }
    },
    XFS("xfs", List.of("mkfs.xfs", "-q"), List.of("nouuid"), List.of("ro", "norecovery")) {
        @Override
        List<String> grow(Path device, Path mountPoint) {
            return List.of("xfs_growfs", mountPoint.toString());
        }
    },
    BTRFS("btrfs", List.of("mkfs.btrfs", "-q"), List.of(), List.of("ro", "rescue=nologreplay")) {
        @Override
        List<String> grow(Path device, Path mountPoint) {
            return List.of("btrfs", "filesystem", "resize", "max", mountPoint.toString());
        }
    };

    private final String word;
    private final List<String> make;
    private final List<String> options;
    private final List<String> reading;

    FilesystemType(String word, List<String> make, List<String> options, List<String> reading) {
        this.reading = reading;
        this.word = word;
        this.make = make;
        this.options = options;
    }

    static Optional<FilesystemType> of(String word) {
        return Arrays.stream(values()).filter(it -> it.word.equals(word)).findFirst();
    }

    String word() {
        return word;
    }

    /** Returns the program that makes it and its arguments before the device; none of them forces anything. */
    List<String> make() {
        return make;
    }

    /** Returns the options that each mount of it needs. */
    List<String> options() {
        return options;
    }

    /** Returns the options by which a mount writes nothing, not even what its journal holds. */
    List<String> reading() {
        return reading;
    }

    /** Returns the program that grows it while it is mounted. */
    abstract List<String> grow(Path device, Path mountPoint);
}
