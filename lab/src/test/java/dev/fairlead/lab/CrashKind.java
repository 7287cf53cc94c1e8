package dev.fairlead.lab;

import static dev.fairlead.lab.abuse.machine.Shell.run;

import csi.v1.VolumeCapability;
import csi.v1.VolumeCapability.AccessMode;
import csi.v1.VolumeCapability.MountVolume;
import dev.fairlead.linux.ProjectQuotas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A kind of local storage whose driver is killed: its settings, the disk that it needs, and what no file shows of it.
 */
enum CrashKind {
    HOSTPATH("", ""),
    DIRECTORY("mkfs.ext4 -q", "loop"),
    /** Folders whose files share blocks with those of their copies. */
    DIRECTORY_ON_XFS("mkfs.xfs -q -m reflink=1", "loop"),
    IMAGE("mkfs.ext4 -q", "loop"),
    /** Images that share blocks with their copies. */
    IMAGE_ON_XFS("mkfs.xfs -q -m reflink=1", "loop"),
    BTRFS("mkfs.btrfs -q", "loop"),
    XFS("mkfs.xfs -q", "loop,prjquota"),
    EXT4("mkfs.ext4 -q -O quota,project", "loop,prjquota"),
    /** A ZFS pool; its disk is given to {@code zpool}, which mounts it. */
    ZFS("zpool create", "");

    private static final Path MEMORY = Path.of("/dev/shm");

    /** The number that the driver gives first. */
    private static final long FIRST_PROJECT = 1_000_000_000;

    /** More numbers than a process gives here before it is killed; the next one begins with the first again. */
    private static final int PROJECTS = 200;

    private final String mkfs;
    private final String options;

    CrashKind(String mkfs, String options) {
        this.mkfs = mkfs;
        this.options = options;
    }

    /** The word for it in the settings of a pool. */
    private String word() {
        return name().replaceFirst("_.*", "").toLowerCase(java.util.Locale.ROOT);
    }

    boolean isImage() {
        return word().equals("image");
    }

    /** Whether the driver has programs work for it. */
    boolean runsPrograms(Scenario scenario) {
        return this == ZFS || (isImage() && scenario == Scenario.STAGE);
    }

    boolean isHostpath() {
        return this == HOSTPATH;
    }

    /** How one pod of one node uses a volume; a folder may have several. */
    VolumeCapability capability() {
        return isImage()
                ? VolumeCapability.newBuilder()
                        .setMount(MountVolume.newBuilder().setFsType("ext4"))
                        .setAccessMode(AccessMode.newBuilder().setMode(AccessMode.Mode.SINGLE_NODE_WRITER))
                        .build()
                : CsiClient.MOUNT;
    }

    /** The driver's settings; one thread does the work. */
    String yaml(Path base) {
        String modes = """
                  dirPermissionsMode: "0770"
                  dirPermissionsUser: "1000"
                  dirPermissionsGroup: "1000"
                """;
        String head = isHostpath() ? """
                driver: local-hostpath
                local-hostpath:
                  shareBasePath: %1$s
                  controllerBasePath: %1$s
                %3$s""" : """
                driver: local-pool
                local-pool:
                  pools: [{name: legacy, path: "%1$s", kind: %2$s}]
                %3$s""";
        return head.formatted(base, word(), modes) + """
                service:
                  controller:
                    capabilities:
                      rpc: [CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT, CLONE_VOLUME, EXPAND_VOLUME]
                fairlead:
                  concurrency: 1
                """;
    }

    /** Why this machine cannot have such storage; nothing where it can, and has it there then. */
    Optional<String> mount(Path folder, Path at) throws InterruptedException {
        if (mkfs.isEmpty()) {
            return Optional.empty();
        }
        Path disk = disk(folder);
        try {
            run("truncate", "-s", "512M", disk.toString());
            if (this == ZFS) {
                CrashDatasets.createPool(folder, at, disk);
                return Optional.empty();
            }
            run("sh", "-c", mkfs + " " + disk);
            run("mount", "-o", options, disk.toString(), at.toString());
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("this kernel or user has no file system for " + this + ": " + e.getMessage());
        }
    }

    /** Takes off what is mounted below the folder, and takes away the devices of its images and its disk. */
    static void remove(Path folder) throws IOException, InterruptedException {
        for (Map.Entry<String, String> device : devices(folder).entrySet()) {
            Tree.unmountBelow(folder.resolve("node"));
            if (devices(folder).containsKey(device.getKey())) {
                run("losetup", "-d", device.getKey());
            }
        }
        Tree.unmountBelow(folder.resolve("node"));
        CrashDatasets.destroyPool(folder);
        Tree.unmountBelow(folder); // what is in a disk goes with it
        Files.deleteIfExists(disk(folder));
        Tree.remove(folder);
    }

    private static Path disk(Path folder) {
        String name = folder.toString().replace('/', '-').substring(1) + ".disk";
        return (Files.isDirectory(MEMORY) ? MEMORY : Path.of("/var/tmp")).resolve(name);
    }

    /** Has an empty pool be as if no volume was ever made on its disk. */
    void forgetVolumes(Path disk) throws IOException, InterruptedException {
        if (this == BTRFS) {
            run("btrfs", "quota", "disable", disk.toString());
        }
    }

    /**
     * Has a disk without volumes be as if no size was ever kept on it. A file system holds the limits of deleted
     * volumes until their numbers are given again, which takes a call more than the first time; and XFS counts deleted
     * files for a moment longer.
     */
    void forgetSizes(Path disk) throws IOException, InterruptedException {
        if (this == XFS || this == EXT4) {
            for (long number = FIRST_PROJECT; number < FIRST_PROJECT + PROJECTS; number++) {
                for (int i = 0; i < 1000 && ProjectQuotas.use(disk, number).inodes() != 0; i++) {
                    TimeUnit.MILLISECONDS.sleep(5);
                }
                ProjectQuotas.ProjectUse use = ProjectQuotas.use(disk, number);
                if (use.limit() != 0 || use.inodeLimit() != 0) {
                    ProjectQuotas.limit(disk, number, 0, 0);
                }
            }
        }
    }

    /** What the driver has made that is in no file: limits of sizes, and devices. */
    String facts(Path base) throws IOException, InterruptedException {
        return switch (this) {
            case HOSTPATH, DIRECTORY, DIRECTORY_ON_XFS -> "";
            case IMAGE, IMAGE_ON_XFS -> "devices of " + devices(base).values();
            case BTRFS -> subvolumes(base);
            case XFS, EXT4 -> projects(base);
            case ZFS -> CrashDatasets.of(base);
        };
    }

    /** The files below a folder that are block devices now, by the device. */
    private static Map<String, String> devices(Path folder) throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> all = Files.list(Path.of("/sys/block"))) {
            for (Path block : all.toList()) {
                Path file = block.resolve("loop/backing_file");
                String shown = Files.exists(file) ? Files.readString(file).strip() : "";
                if (shown.startsWith(folder + "/")) {
                    found.put("/dev/" + block.getFileName(), shown);
                }
            }
        }
        return found;
    }

    /** Each subvolume with its limit, and whether it can be written to; numbers differ between two runs. */
    private static String subvolumes(Path base) throws IOException, InterruptedException {
        String disk = base.toString();
        Map<String, String> limits = new TreeMap<>();
        run("sh", "-c", "btrfs qgroup show --raw -r " + disk + " || echo quotas are off")
                .lines()
                .map(line -> line.strip().split(" +"))
                .filter(words -> words[0].startsWith("0/"))
                .forEach(words -> limits.put(words[0], words[3]));
        String readOnly = run("btrfs", "subvolume", "list", "-r", disk) + "\n";
        List<String> lines = new ArrayList<>(List.of(limits.isEmpty() ? "no quotas" : "quotas"));
        run("btrfs", "subvolume", "list", disk)
                .lines()
                .map(line -> line.split(" ", 9))
                .map(words -> words[8] + " limit " + limits.get("0/" + words[1])
                        + (readOnly.contains("ID " + words[1] + " ") ? " read-only" : ""))
                .sorted()
                .forEach(lines::add);
        return String.join("\n", lines);
    }

    /** The limit of each volume's and snapshot's project; without numbers, which may differ. */
    private static String projects(Path base) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String part : List.of("v", "s")) {
            if (Files.isDirectory(base.resolve(part))) {
                try (Stream<Path> all = Files.list(base.resolve(part))) {
                    for (Path folder : all.sorted().toList()) {
                        ProjectQuotas.ProjectMark mark = ProjectQuotas.of(folder);
                        ProjectQuotas.ProjectUse use = ProjectQuotas.use(folder, mark.number());
                        lines.add("%s/%s inherited %s, %d files, limits %d and %d"
                                .formatted(
                                        part,
                                        folder.getFileName(),
                                        mark.inherited(),
                                        use.inodes(),
                                        use.limit(),
                                        use.inodeLimit()));
                    }
                }
            }
        }
        return String.join("\n", lines);
    }
}
