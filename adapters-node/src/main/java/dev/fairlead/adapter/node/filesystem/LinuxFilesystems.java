package dev.fairlead.adapter.node.filesystem;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.out.node.Filesystems;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.format.DeviceFindings;
import dev.fairlead.domain.format.DeviceFindings.Kind;
import dev.fairlead.domain.format.DeviceFindings.Signature;
import dev.fairlead.domain.format.Emptiness;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
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
    private static final Logger log = LoggerFactory.getLogger(LinuxFilesystems.class);

    /** The number of bytes at the beginning and at the end of a device that are read to see whether it is empty. */
    private static final long LOOKED_AT = 4L << 20;

    private static final int CHUNK = 1 << 16;
    private static final Duration FORMATTING = Duration.ofMinutes(10);

    private final KernelThreads threads;
    private final CommandRunner programs;

    public LinuxFilesystems(KernelThreads threads, CommandRunner programs) {
        this.threads = threads;
        this.programs = programs;
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
    public DeviceFindings probe(Path device, Work work) {
        run("drop-buffers", List.of("blockdev", "--flushbufs", device.toString()), device, work);
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
        return onThread("reading " + device, device, work, _ -> {
            try (FileChannel channel = FileChannel.open(device, StandardOpenOption.READ)) {
                long size = channel.size();
                if (size <= 0) {
                    throw new IOException("it has no size");
                }
                boolean zeros = isZero(channel, 0, Math.min(LOOKED_AT, size))
                        && isZero(channel, Math.max(0, size - LOOKED_AT), size);
                return new DeviceFindings(size, signatures, zeros);
            }
        });
    }

    private static Kind kind(String usage) {
        return switch (usage) {
            case "filesystem" -> Kind.FILESYSTEM;
            case "partition-table" -> Kind.PARTITION_TABLE;
            default -> Kind.OTHER;
        };
    }

    private static boolean isZero(FileChannel channel, long from, long to) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
        for (long at = from; at < to; ) {
            chunk.clear().limit((int) Math.min(CHUNK, to - at));
            int read = channel.read(chunk, at);
            if (read <= 0) {
                throw new IOException("it ends at " + at + " of " + to + " bytes");
            }
            for (int i = 0; i < read; i++) {
                if (chunk.get(i) != 0) {
                    return false;
                }
            }
            at += read;
        }
        return true;
    }

    @Override
    public long size(Path device, Work work) {
        return onThread("measuring " + device, device, work, _ -> {
            try (FileChannel channel = FileChannel.open(device, StandardOpenOption.READ)) {
                return channel.size();
            }
        });
    }

    @Override
    public Optional<String> format(Path device, String type, Emptiness proof, Work work) {
        List<String> argv = new ArrayList<>(known(type).make());
        argv.add(device.toString());
        log.atInfo()
                .addKeyValue("request", work.requestId())
                .addKeyValue("device", device)
                .addKeyValue("type", type)
                .addKeyValue("proof", proof)
                .log("a file system is made on an empty device");
        succeeded("mkfs", argv, device, FORMATTING, work);
        return probe(device, work).signatures().stream()
                .filter(it -> it.type().equals(type))
                .findFirst()
                .orElseThrow(() -> KernelThreads.fault(
                        "making " + type + " on " + device, "it was made, and the device does not show it"))
                .uuid();
    }

    @Override
    public void grow(Path device, String type, Path mountPoint, Work work) {
        succeeded("grow", known(type).grow(device, mountPoint), device, FORMATTING, work);
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
        return succeeded(kind, argv, device, KernelThreads.PATIENCE, work);
    }

    private String succeeded(String kind, List<String> argv, Path device, Duration deadline, Work work) {
        String what = argv.getFirst() + " of " + device;
        Command command = Command.of(new Effect(kind, device.toString()), argv).within(deadline);
        Ended ended = onThread(what, device, deadline.plusSeconds(2), work, wanting -> programs.run(command, wanting));
        if (!ended.succeeded()) {
            throw KernelThreads.fault(what, ended.trouble().replaceAll("\\s+", " "));
        }
        return ended.output();
    }

    private <T> T onThread(String what, Path device, Work work, KernelThreads.Action<T> action) {
        return onThread(what, device, KernelThreads.PATIENCE, work, action);
    }

    private <T> T onThread(String what, Path device, Duration patience, Work work, KernelThreads.Action<T> action) {
        try {
            return threads.run(what, List.of(device), patience, work, action);
        } catch (IOException e) {
            throw new StorageException(new Failure.NodeFault(what, String.valueOf(e.getMessage())), e);
        }
    }
}
