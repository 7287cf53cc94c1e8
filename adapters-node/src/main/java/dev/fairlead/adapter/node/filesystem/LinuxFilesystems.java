package dev.fairlead.adapter.node.filesystem;

import dev.fairlead.adapter.node.block.BlockTree;
import dev.fairlead.adapter.node.block.BlockUse;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.kernel.KernelWait;
import dev.fairlead.adapter.node.settings.FilesystemSettings;
import dev.fairlead.adapter.node.share.ShareValues;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.node.Filesystems;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.format.DeviceFindings;
import dev.fairlead.domain.format.DeviceFindings.Kind;
import dev.fairlead.domain.format.DeviceFindings.Signature;
import dev.fairlead.domain.format.Emptiness;
import dev.fairlead.domain.format.FormatGuard.Born;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Works on block devices by the programs of util-linux and of the file systems. */
public final class LinuxFilesystems implements Filesystems {
    private static final String XFS = "xfs";
    private static final Logger log = LoggerFactory.getLogger(LinuxFilesystems.class);
    private static final int SECTORS = 4096;

    /** The time in which the kernel, and multipathd behind it, show the partitions of a device that has just come. */
    private static final KernelWait READING_TABLE = new KernelWait(Duration.ofSeconds(3));

    private final FilesystemSettings settings;
    private final BlockUse use;
    private final DevicePrograms programs;
    private final FilesystemCheck checks;
    private final Partitions partitions = new Partitions(new BlockTree(Path.of("/sys")), Path.of("/dev"));

    public LinuxFilesystems(KernelThreads threads, CommandRunner programs, FilesystemSettings settings) {
        this(threads, programs, settings, InstantSource.system());
    }

    LinuxFilesystems(KernelThreads threads, CommandRunner programs, FilesystemSettings settings, InstantSource clock) {
        this.settings = settings;
        this.use = BlockUse.ofThisKernel(threads);
        this.programs = new DevicePrograms(threads, programs, clock, partitions);
        this.checks = new FilesystemCheck(this.programs, settings);
    }

    @Override
    public Set<String> types() {
        return Arrays.stream(FilesystemType.values()).map(FilesystemType::word).collect(Collectors.toSet());
    }

    @Override
    public List<String> mountOptions(String type) {
        return FilesystemType.of(type).map(FilesystemType::options).orElse(List.of());
    }

    @Override
    public List<String> readingOptions(String type) {
        return FilesystemType.of(type).map(FilesystemType::reading).orElse(List.of("ro"));
    }

    @Override
    public void checkOptions(String field, List<String> options) {
        var _ = ShareValues.options(field, options);
    }

    @Override
    public void check(Path device, String type, Optional<String> uuid, Born born, Work work) {
        checks.check(device, type, uuid, born, work);
    }

    @Override
    public void forgetFailures(Path device) {
        programs.forget(device);
    }

    @Override
    public String identity(Path device, Work work) {
        return programs.onThread("looking at " + device, device, work, _ -> {
            List<String> all = new ArrayList<>(List.of("size=" + sizeOf(device)));
            all.addAll(DeviceFacts.of(device).numbers());
            return String.join(" ", all);
        });
    }

    @Override
    public Optional<Path> lastPartition(Path device, Work work) {
        return programs.onThread("looking for partitions of " + device, device, work, wanting -> {
            String name = DeviceFacts.of(device).name();
            var _ = READING_TABLE.until(() -> partitions.last(name).isPresent(), wanting);
            return partitions.last(name);
        });
    }

    @Override
    public Optional<Partition> partition(Path device, Work work) {
        return programs.onThread(
                "looking at " + device,
                device,
                work,
                _ -> partitions.of(DeviceFacts.of(device).name()));
    }

    @Override
    public void writable(Path device, boolean writable, Work work) {
        if (isReadOnly(device, work) == writable) {
            String option = writable ? "--setrw" : "--setro";
            var _ = run("protect", List.of("blockdev", option, device.toString()), device, work);
            if (isReadOnly(device, work) == writable) {
                throw KernelThreads.fault(
                        "making " + device + (writable ? " writable" : " read-only"),
                        "the kernel took it, and the device is as it was");
            }
        }
    }

    private boolean isReadOnly(Path device, Work work) {
        return programs.onThread(
                "looking at " + device,
                device,
                work,
                _ -> DeviceFacts.of(device).isReadOnly());
    }

    @Override
    public String digest(Path device, Work work) {
        dropBuffers(device, work);
        return programs.onThread("reading " + device, device, work, _ -> {
            try (FileChannel channel = FileChannel.open(device, StandardOpenOption.READ)) {
                return new DeviceContent(channel).digest();
            }
        });
    }

    private void dropBuffers(Path device, Work work) {
        var _ = run("drop-buffers", List.of("blockdev", "--flushbufs", device.toString()), device, work);
    }

    @Override
    public DeviceFindings probe(Path device, Work work) {
        dropBuffers(device, work);
        List<Signature> signatures = new ArrayList<>();
        String listed = run(
                "probe",
                List.of("wipefs", "--no-act", "--noheadings", "--output", "USAGE,TYPE,UUID", device.toString()),
                device,
                work);
        for (String line : listed.lines().filter(it -> !it.isBlank()).toList()) {
            String[] words = line.strip().split("\\s+", -1);
            signatures.add(new Signature(
                    kind(words[0]),
                    words.length > 1 ? words[1] : words[0],
                    words.length > 2 ? Optional.of(words[2]) : Optional.empty()));
        }
        return programs.onThread("reading " + device, device, work, _ -> {
            try (FileChannel channel = FileChannel.open(device, StandardOpenOption.READ)) {
                return findings(new DeviceContent(channel), signatures);
            }
        });
    }

    private static DeviceFindings findings(DeviceContent content, List<Signature> signatures) throws IOException {
        if (signatures.isEmpty()) {
            List<Signature> copies = content.copies();
            return new DeviceFindings(content.size(), copies, copies.isEmpty() && content.isBlank());
        }
        boolean unfinished = content.isUnfinishedXfs();
        return new DeviceFindings(
                content.size(),
                signatures.stream()
                        .map(it -> unfinished && it.type().equals(XFS)
                                ? new Signature(Kind.UNFINISHED, it.type(), it.uuid())
                                : it)
                        .toList(),
                false);
    }

    private static Kind kind(String usage) {
        return switch (usage) {
            case "filesystem" -> Kind.FILESYSTEM;
            case "partition-table" -> Kind.PARTITION_TABLE;
            default -> Kind.OTHER;
        };
    }

    @Override
    public Optional<String> user(Path device, Work work) {
        String name = programs.onThread(
                "looking at " + device,
                device,
                work,
                _ -> DeviceFacts.of(device).name());
        return use.user(List.of(name), work);
    }

    @Override
    public long size(Path device, Work work) {
        return programs.onThread("measuring " + device, device, work, _ -> sizeOf(device));
    }

    private static long sizeOf(Path device) throws IOException {
        try (FileChannel channel = FileChannel.open(device, StandardOpenOption.READ)) {
            return channel.size();
        }
    }

    @Override
    public Optional<String> format(Path device, String type, Emptiness proof, Work work) {
        List<String> argv = new ArrayList<>(known(type).make());
        argv.addAll(settings.making(type));
        argv.add(device.toString());
        log.atInfo()
                .addKeyValue("request", work.requestId())
                .addKeyValue("device", device)
                .addKeyValue("type", type)
                .addKeyValue("proof", proof)
                .log("a file system is made on an empty device");
        clearUnfinished(device, work);
        programs.lasted("mkfs", argv, device, work);
        return probe(device, work).signatures().stream()
                .filter(it -> it.type().equals(type))
                .findFirst()
                .orElseThrow(() -> KernelThreads.fault(
                        "making " + type + " on " + device, "it was made, and the device does not show it"))
                .uuid();
    }

    /** Removes the beginning of a file system that was never finished, over which its program would not make one. */
    private void clearUnfinished(Path device, Work work) {
        programs.onThread("clearing " + device, device, work, wanting -> {
            try (FileChannel channel = FileChannel.open(device, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                if (new DeviceContent(channel).isUnfinishedXfs()) {
                    wanting.effect(new Effect("clear", device.toString()), () -> clear(channel));
                }
            }
            return true;
        });
    }

    private static void clear(FileChannel channel) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocate(SECTORS);
        while (zeros.hasRemaining()) {
            if (channel.write(zeros, zeros.position()) <= 0) {
                throw new IOException("the device takes no more bytes");
            }
        }
        channel.force(true);
    }

    @Override
    public void grow(Path device, String type, Path mountPoint, Work work) {
        programs.lasted("grow", known(type).grow(device, mountPoint), device, work);
    }

    private static FilesystemType known(String type) {
        return FilesystemType.of(type)
                .orElseThrow(() -> new StorageException(new Failure.Unsupported(
                        "a file system of type '" + type + "' is neither made nor grown on this node",
                        "use one of "
                                + Arrays.stream(FilesystemType.values())
                                        .map(FilesystemType::word)
                                        .toList())));
    }

    private String run(String kind, List<String> argv, Path device, Work work) {
        return programs.succeeded(kind, argv, device, KernelThreads.PATIENCE, work);
    }
}
