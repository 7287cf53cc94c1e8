package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.linux.DeviceCalls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Connects by the kernel's own device {@code /dev/nvme-fabrics}, which takes all options in one write. No program is
 * run, so no key is an argument, and there is no version of a tool to tell apart.
 *
 * <p>The kernel makes one connection at a time on the whole node, and this waits for its turn as kernel calls do.
 */
record FabricsDevice(Path device, KernelThreads threads, CommandRunner programs) implements Fabrics {
    private static final int LONGEST = 4096;
    private static final Duration LOADING = Duration.ofSeconds(10);

    /** The time that both calls may take, for as long as their callers have it: the one waits for another's end. */
    private static final Duration UNBOUNDED = Duration.ofHours(24);

    @Override
    public Set<String> options(Work work) throws IOException {
        load(work);
        return threads.run("reading " + device, List.of(device), UNBOUNDED, work, _ -> {
            try (InputStream in = Files.newInputStream(device)) {
                String text = new String(in.readNBytes(LONGEST), StandardCharsets.US_ASCII);
                return Arrays.stream(text.strip().split(",", -1))
                        .map(word -> word.replaceFirst("=.*", ""))
                        .filter(word -> !word.isEmpty())
                        .collect(Collectors.toSet());
            }
        });
    }

    @Override
    public Optional<String> atWork() {
        return threads.running(device);
    }

    @Override
    public void connect(String shown, Secret options, Work work) throws IOException {
        load(work);
        byte[] text = options.reveal().getBytes(StandardCharsets.US_ASCII);
        if (text.length >= LONGEST) {
            throw new IOException("the options of the connection have " + text.length + " bytes (expected: fewer than "
                    + LONGEST + ")");
        }
        var _ = threads.run("connecting to " + shown, List.of(device), UNBOUNDED, work, wanted -> {
            wanted.effect(new Effect("nvme-connect", shown), () -> DeviceCalls.write(device, text));
            return true;
        });
    }

    /** Loads the kernel's module if there is no device yet. */
    private void load(Work work) {
        if (!Files.exists(device)) {
            Command load = Command.of(new Effect("modprobe", "nvme-fabrics"), List.of("modprobe", "nvme-fabrics"))
                    .within(LOADING);
            // whatever it answers, the device says whether it was of use
            var _ = threads.call("loading nvme-fabrics", device, work, wanted -> programs.run(load, wanted));
        }
    }
}
