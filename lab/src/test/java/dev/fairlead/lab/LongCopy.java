package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.Volume;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A call that takes seconds: a clone of a volume with very many files. */
final class LongCopy {
    private static final int FOLDERS = 12;
    private static final int FILES = 250;

    private final Path base;
    private final Volume source;
    private final Map<String, String> parameters;

    private LongCopy(Path base, Volume source, Map<String, String> parameters) {
        this.base = base;
        this.source = source;
        this.parameters = parameters;
    }

    /** Makes the source, and fills it. */
    static LongCopy prepare(CsiClient client, Path base, Map<String, String> parameters) throws IOException {
        Volume source = client.create("long-source", parameters);
        Path root = Path.of(source.getVolumeContextOrThrow("path"));
        for (int i = 0; i < FOLDERS; i++) {
            Path folder = Files.createDirectory(root.resolve("folder-" + i));
            for (int n = 0; n < FILES; n++) {
                Files.writeString(folder.resolve("file-" + n), "content " + n);
            }
        }
        return new LongCopy(base, source, parameters);
    }

    String sourceId() {
        return source.getVolumeId();
    }

    /** Asks for the clone, and returns when it is being made. */
    CompletableFuture<Volume> begin(CsiClient client) throws InterruptedException {
        CompletableFuture<Volume> made = CompletableFuture.supplyAsync(() -> ask(client));
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!isBeingMade()) {
            assertThat(System.nanoTime()).as("waiting for the copy to begin").isLessThan(giveUp);
            assertThat(made).as("the copy").isNotCompletedExceptionally();
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return made;
    }

    Volume ask(CsiClient client) {
        return client.create(CsiClient.request("long-copy", parameters)
                .setVolumeContentSource(CsiClient.fromVolume(sourceId()))
                .build());
    }

    /**
     * Returns once the process refuses calls on this connection, which it does an instant after its socket has gone: a
     * call that was there before is one of those that may finish.
     */
    static void awaitRefusal(CsiClient client) {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            try {
                client.name();
            } catch (StatusRuntimeException refusal) {
                assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
                return;
            }
            assertThat(System.nanoTime()).as("waiting for calls to be refused").isLessThan(giveUp);
        }
    }

    /** Whether the volume holds all that the source held. */
    static boolean isWhole(Volume copy) throws IOException {
        try (Stream<Path> all = Files.walk(Path.of(copy.getVolumeContextOrThrow("path")))) {
            return all.filter(Files::isRegularFile).count() == (long) FOLDERS * FILES;
        }
    }

    private boolean isBeingMade() {
        Path partial = base.resolve(".fairlead/partial");
        try (Stream<Path> entries = Files.isDirectory(partial) ? Files.list(partial) : Stream.empty()) {
            return entries.findAny().isPresent();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
