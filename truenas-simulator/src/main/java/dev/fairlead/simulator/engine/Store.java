package dev.fairlead.simulator.engine;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.fairlead.simulator.failure.Interruption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The state of a box on disk: one file that is written beside and renamed, and a journal of a line for each change
 * since, so that a change is whole or absent however the process ends.
 */
public final class Store implements AutoCloseable {
    private static final int LINES_BEFORE_A_NEW_FILE = 5000;

    private final Path file;
    private final Path journal;
    private final Tables tables = new Tables();
    private final ReentrantLock lock = new ReentrantLock(true);
    private final RealStorage real;
    private FileChannel lines;
    private int written;

    private Store(Path folder, RealStorage real) throws IOException {
        this.real = real;
        Files.createDirectories(folder);
        file = folder.resolve("state.json");
        journal = folder.resolve("journal");
        if (Files.exists(file)) load(Files.readString(file));
        if (Files.exists(journal)) replay();
        lines = compacted();
    }

    /** Opens the state in a folder, which may be new. */
    public static Store open(Path folder) {
        return open(folder, RealStorage.NONE);
    }

    /** Opens the state in a folder, which may be new; each change is done to the real storage before it is kept. */
    public static Store open(Path folder, RealStorage real) {
        try {
            return new Store(folder, real);
        } catch (IOException e) {
            throw new IllegalStateException("The folder of the simulated box fails", e);
        }
    }

    /** Reads under the lock. */
    public <T> T read(Function<Tables, T> reader) {
        lock.lock();
        try {
            return reader.apply(tables);
        } finally {
            lock.unlock();
        }
    }

    /** Changes everything or, when it throws, nothing; of a call that is stopped, what its steps have done so far. */
    public <T> T change(Function<Tables, T> change) {
        lock.lock();
        try {
            if (!lines.isOpen()) throw new NoReturn();
            boolean outermost = lock.getHoldCount() == 1;
            try {
                T result = change.apply(tables);
                if (outermost) keep();
                return result;
            } catch (Interruption e) {
                if (outermost) keep();
                throw e;
            } catch (RuntimeException e) {
                if (outermost) tables.undo();
                throw e;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Changes without an answer. */
    public void update(Consumer<Tables> change) {
        change(rows -> {
            change.accept(rows);
            return true;
        });
    }

    @Override
    public void close() {
        lock.lock();
        try {
            lines.close();
        } catch (IOException e) {
            throw new IllegalStateException("The folder of the simulated box fails", e);
        } finally {
            lock.unlock();
        }
    }

    private void keep() {
        real.change(tables.pending(), tables);
        JsonObject changes = tables.drain();
        if (changes.isEmpty()) return;
        try {
            write(lines, JsonTools.WRITER.toJson(changes) + "\n");
            if (++written >= LINES_BEFORE_A_NEW_FILE) {
                lines.close();
                lines = compacted();
            }
        } catch (IOException e) {
            throw new IllegalStateException("The folder of the simulated box fails", e);
        }
    }

    private FileChannel compacted() throws IOException {
        Path beside = file.resolveSibling("state.json.new");
        Files.writeString(beside, JsonTools.WRITER.toJson(tables.dump()));
        Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        written = 0;
        return FileChannel.open(
                journal, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
    }

    private void load(String text) {
        JsonObject dump = JsonParser.parseString(text).getAsJsonObject();
        dump.entrySet()
                .forEach(table -> table.getValue().getAsJsonObject().entrySet().stream()
                        .forEach(row -> tables.set(table.getKey(), row.getKey(), row.getValue())));
        tables.drain();
    }

    // A last line that a kill cut short is no change.
    private void replay() throws IOException {
        for (String line : Files.readAllLines(journal)) {
            try {
                JsonElement changes = JsonParser.parseString(line);
                tables.apply(changes.getAsJsonObject());
            } catch (JsonParseException | IllegalStateException e) {
                return;
            }
        }
    }

    private static void write(FileChannel channel, String line) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) channel.write(bytes);
    }
}
