package dev.fairlead.adapter.local.directory.sign;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/**
 * Writes the file whose time says that a node is at work, and whose content says which of its processes is. A process
 * that begins puts its name there. One that finds another name than its own has been succeeded, as by the next pod of
 * its node or by a second node of the same name, and writes nothing any more, until the other has been silent for long.
 */
public final class NodeSign {
    private static final int LONGEST = 64;

    private final Path file;
    private final String process;
    private final Duration gone;
    private final InstantSource clock;
    private Optional<Seen> other = Optional.empty();

    /**
     * @param process the name of this process, always of the same length
     * @param gone the time after which another process that wrote nothing counts as gone
     */
    public NodeSign(Path file, String process, Duration gone, InstantSource clock) {
        this.file = file;
        this.process = process;
        this.gone = gone;
        this.clock = clock;
    }

    /** Describes the last sign of another process, and since when, by this process's clock, there was no newer one. */
    private record Seen(FileTime time, Instant since) {}

    /** Writes this process's name, in the place of any other. Writing lets the file system's server choose the time. */
    public void put() throws IOException {
        // Not emptied first: who reads it meanwhile would see nobody's.
        try (SeekableByteChannel channel = Files.newByteChannel(
                file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
            var _ = channel.write(ByteBuffer.wrap((process + "\n").getBytes(StandardCharsets.UTF_8)));
        }
        synchronized (this) {
            other = Optional.empty();
        }
    }

    /** Returns whether this process may go on: the file is its own, or nobody's, or its writer is gone. */
    public synchronized boolean isOwn() throws IOException {
        if (writer().filter(it -> !it.equals(process)).isEmpty()) {
            other = Optional.empty();
            return true;
        }
        FileTime time = Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS);
        Instant now = clock.instant();
        Seen seen = other.filter(it -> it.time().equals(time)).orElseGet(() -> new Seen(time, now));
        other = Optional.of(seen);
        return now.isAfter(seen.since().plus(gone));
    }

    /** Returns when this process wrote last, by the clock of the file system. */
    public Instant time() throws IOException {
        return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant();
    }

    /** Returns whether a file is there and was written not long ago. */
    public boolean isYoung(Path other, Instant now) throws IOException {
        try {
            return Files.getLastModifiedTime(other, LinkOption.NOFOLLOW_LINKS)
                    .toInstant()
                    .plus(gone)
                    .isAfter(now);
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    /** Returns the process that wrote last; empty if there is no file, or no name in it. */
    private Optional<String> writer() throws IOException {
        ByteBuffer content = ByteBuffer.allocate(LONGEST);
        try (SeekableByteChannel channel =
                Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            var _ = channel.read(content);
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
        String text = new String(content.array(), 0, content.position(), StandardCharsets.UTF_8).strip();
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}
