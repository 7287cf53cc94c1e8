package dev.fairlead.bootstrap.serving;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a file open in a process, as a pod does, and uses it on demand past the page cache. A process of its own can be
 * left behind if the kernel does not let go of it.
 */
final class OpenFile implements AutoCloseable {
    /** Reads, direct writes and synced writes have a place in the file each, which goes on from page to page. */
    private static final String LOOP = """
            exec 3<>"$1" 4<"$1" 5<>"$1"
            while read -r use; do
              case $use in
                READ) dd of=/dev/null bs=4096 count=1 iflag=direct <&4 ;;
                WRITE) dd if="$2" bs=4096 count=1 oflag=direct conv=notrunc >&3 ;;
                SYNC) dd if="$2" bs=4096 count=1 conv=notrunc,fsync >&5 ;;
                OPEN) dd if="$1" of=/dev/null bs=4096 count=1 iflag=direct ;;
              esac 2>>"$3"
              echo $?
            done
            """;

    private final Process process;
    private final LinkedBlockingQueue<Integer> ends = new LinkedBlockingQueue<>();

    /** What is done with the file. */
    enum Use {
        READ,
        WRITE,
        /** Writes by the page cache, and waits until it is on the storage. */
        SYNC,
        /** Opens the file anew, and reads. */
        OPEN
    }

    /** @param folder for what it writes, and for what its programs say */
    OpenFile(Path file, Path folder) throws IOException {
        Path page = Files.writeString(folder.resolve("page"), "A".repeat(4096));
        process = new ProcessBuilder(
                        "sh",
                        "-c",
                        LOOP,
                        "pod",
                        file.toString(),
                        page.toString(),
                        folder.resolve("pod.log").toString())
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("pod.log").toFile()))
                .start();
        Thread.ofVirtual().start(() -> {
            try (BufferedReader said =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                said.lines().forEach(line -> ends.add(Integer.valueOf(line)));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Returns the exit code; empty if it has not ended in time, after which nothing more can be asked for. */
    Optional<Integer> use(Use use, Duration atMost) throws IOException, InterruptedException {
        process.getOutputStream().write((use + "\n").getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().flush();
        return Optional.ofNullable(ends.poll(atMost.toMillis(), TimeUnit.MILLISECONDS));
    }

    @Override
    public void close() throws IOException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                throw new IOException("the kernel does not let go of " + process.pid());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
