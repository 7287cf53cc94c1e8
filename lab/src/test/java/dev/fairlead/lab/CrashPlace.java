package dev.fairlead.lab;

import csi.v1.CapacityRange;
import csi.v1.CreateVolumeRequest;
import csi.v1.Volume;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The folder in which one scenario is played on one kind of storage, and what is to be seen there. */
final class CrashPlace {
    private final CrashKind kind;
    private final Scenario scenario;
    private final Path folder;
    private final DriverFixture driver;
    private Volume volume = Volume.getDefaultInstance();

    private CrashPlace(CrashKind kind, Scenario scenario, Path folder, DriverFixture driver) {
        this.kind = kind;
        this.scenario = scenario;
        this.folder = folder;
        this.driver = driver;
    }

    /** Makes the place anew, with the disk that the kind needs; the test is left out where there can be none. */
    static CrashPlace in(Path folder, CrashKind kind, Scenario scenario) throws IOException, InterruptedException {
        CrashKind.remove(folder);
        Files.createDirectories(folder.resolve("node"));
        Path disk = Files.createDirectories(folder.resolve("disk"));
        Optional<String> obstacle = kind.mount(folder, disk);
        if (obstacle.isPresent()) {
            CrashKind.remove(folder);
        }
        Needs.nothingAgainst(obstacle);
        Path base = Files.createDirectory(disk.resolve("base"));
        return new CrashPlace(kind, scenario, folder, DriverFixture.alone(folder, kind.yaml(base)));
    }

    void remove() throws IOException {
        try {
            CrashKind.remove(folder);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(folder + " was not removed", e);
        }
    }

    DriverFixture driver() {
        return driver;
    }

    /** Where the driver has everything. */
    Path base() {
        return folder.resolve("disk/base");
    }

    Path folder() {
        return folder;
    }

    Path log() {
        return folder.resolve("trace");
    }

    Path staging() {
        return folder.resolve("node/staging");
    }

    Path target() {
        return folder.resolve("node/target");
    }

    CsiClient client() {
        return new CsiClient(driver.socket(), java.time.Duration.ofSeconds(60), kind.capability());
    }

    CreateVolumeRequest.Builder request(String name) {
        return CsiClient.request(name, java.util.Map.of())
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes()))
                .clearVolumeCapabilities()
                .addVolumeCapabilities(kind.capability());
    }

    /** Whether the driver has programs make, check and grow file systems. */
    boolean runsPrograms() {
        return kind.isImage() && scenario.isOnNode();
    }

    /** The size of a volume, in which a file system has room. */
    long bytes() {
        return runsPrograms() ? 1 << 24 : 1 << 20;
    }

    /** What CreateVolume answered for the first volume, without asking again. */
    Volume volume() {
        return volume;
    }

    void create(CsiClient client) {
        volume = client.create(request("v1").build());
    }

    /** Makes the first volume, and has it hold what a pod has written. */
    void fill(CsiClient client) {
        create(client);
        Path content = base().resolve("v/v1");
        try {
            if (kind == CrashKind.ZFS) {
                // Nothing but a node mounts it.
                client.stage(volume, staging());
                fill(staging());
                client.unstage(volume, staging());
            } else if (!kind.isImage()) {
                fill(content);
            } else if (!scenario.isOnNode()) {
                write(content.resolve("disk.img"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void fill(Path content) throws IOException {
        Files.createDirectories(content.resolve("deep/er"));
        Files.writeString(content.resolve("deep/er/file"), "content\n".repeat(1000));
        Files.writeString(content.resolve("small"), "x");
        Path link = content.resolve("link");
        if (!Files.isSymbolicLink(link)) {
            Files.createSymbolicLink(link, Path.of("../../outside"));
        }
    }

    private static void write(Path image) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.seek(300_000);
            file.write("content\n".repeat(10_000).getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Takes all out of the base and has it forgotten, as an administrator might. */
    void emptyBase() {
        try {
            Tree.remove(folder.resolve("csi.sock.bases"));
            Tree.remove(base());
            Files.createDirectory(base());
            kind.forgetVolumes(folder.resolve("disk"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Has no limit of a deleted volume be left. */
    void forgetSizes() throws IOException, InterruptedException {
        kind.forgetSizes(folder.resolve("disk"));
    }

    String state() throws IOException, InterruptedException {
        settle();
        Path node = folder.resolve("node");
        return String.join(
                "\n", Tree.of(base(), runsPrograms()), kind.facts(base()), Tree.mountsBelow(node), Tree.of(node));
    }

    /** Waits until the trash is empty, which happens after the answer; a minute at most, since programs may be slow. */
    void settle() throws IOException, InterruptedException {
        Path trash = base().resolve(".fairlead/trash");
        for (int i = 0; i < 12_000 && Files.isDirectory(trash) && isFilled(trash); i++) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private static boolean isFilled(Path folder) throws IOException {
        try (Stream<Path> list = Files.list(folder)) {
            return list.findAny().isPresent();
        }
    }
}
