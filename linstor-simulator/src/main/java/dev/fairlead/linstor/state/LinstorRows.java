package dev.fairlead.linstor.state;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The state of a simulated cluster: rows by key, in one file that is written beside and renamed, and a journal of a
 * line for each change since. A change is whole or absent however the process ends.
 */
public final class LinstorRows implements AutoCloseable {
    private static final int LINES_BEFORE_A_NEW_FILE = 2000;

    /** Writes nulls, since a null in the journal removes a row. */
    private static final Gson WRITER =
            new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

    private final Path file;
    private final Path journal;
    private final SortedMap<String, JsonObject> rows = new TreeMap<>();
    private final SortedMap<String, JsonElement> before = new TreeMap<>();
    private FileChannel lines;
    private int written;

    private LinstorRows(Path folder) throws IOException {
        Files.createDirectories(folder);
        file = folder.resolve("state.json");
        journal = folder.resolve("journal");
        if (Files.exists(file)) apply(Files.readString(file));
        if (Files.exists(journal)) replay();
        lines = compacted();
    }

    /** Opens the state in a folder, which may be new. */
    public static LinstorRows open(Path folder) {
        try {
            return new LinstorRows(folder);
        } catch (IOException e) {
            throw new IllegalStateException("The folder of the simulated LINSTOR fails", e);
        }
    }

    /** Runs a piece of work on the rows; all that it changed is kept or, if it throws, nothing. */
    public synchronized <T> T change(Supplier<T> work) {
        try {
            T result = work.get();
            keep();
            return result;
        } catch (RuntimeException e) {
            undo();
            throw e;
        }
    }

    /** Returns a copy of a row. */
    public synchronized Optional<JsonObject> row(String key) {
        return Optional.ofNullable(rows.get(key)).map(JsonObject::deepCopy);
    }

    /** Returns the keys below a prefix, in order. */
    public synchronized List<String> keys(String prefix) {
        return new ArrayList<>(rows.subMap(prefix, prefix + '\uffff').keySet());
    }

    /** Returns copies of the rows below a prefix, in the order of their keys. */
    public synchronized List<JsonObject> below(String prefix) {
        return rows.subMap(prefix, prefix + '\uffff').values().stream()
                .map(JsonObject::deepCopy)
                .toList();
    }

    /** Adds a row or replaces it. */
    public synchronized void put(String key, JsonObject row) {
        remember(key);
        rows.put(key, row.deepCopy());
    }

    /** Removes a row if it is there. */
    public synchronized void remove(String key) {
        remember(key);
        rows.remove(key);
    }

    /** Returns all rows by their keys. */
    public synchronized JsonObject dump() {
        JsonObject all = new JsonObject();
        rows.forEach((key, row) -> all.add(key, row.deepCopy()));
        return all;
    }

    @Override
    public synchronized void close() {
        try {
            lines.close();
        } catch (IOException e) {
            throw new IllegalStateException("The folder of the simulated LINSTOR fails", e);
        }
    }

    private void remember(String key) {
        if (!lines.isOpen()) throw new IllegalStateException("the simulated LINSTOR has ended");
        JsonObject now = rows.get(key);
        before.putIfAbsent(key, now == null ? JsonNull.INSTANCE : now);
    }

    private void undo() {
        before.forEach((key, row) -> {
            if (row.isJsonNull()) rows.remove(key);
            else rows.put(key, row.getAsJsonObject());
        });
        before.clear();
    }

    private void keep() {
        if (before.isEmpty()) return;
        JsonObject changed = new JsonObject();
        before.keySet().forEach(key -> {
            JsonObject now = rows.get(key);
            changed.add(key, now == null ? JsonNull.INSTANCE : now);
        });
        before.clear();
        try {
            ByteBuffer bytes = ByteBuffer.wrap((WRITER.toJson(changed) + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) lines.write(bytes);
            if (++written >= LINES_BEFORE_A_NEW_FILE) {
                lines.close();
                lines = compacted();
            }
        } catch (IOException e) {
            throw new IllegalStateException("The folder of the simulated LINSTOR fails", e);
        }
    }

    private FileChannel compacted() throws IOException {
        Path beside = file.resolveSibling("state.json.new");
        Files.writeString(beside, WRITER.toJson(dump()));
        Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        written = 0;
        return FileChannel.open(
                journal, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
    }

    /** Reads the journal; a last line that a kill cut short is no change. */
    private void replay() throws IOException {
        // Not by lines of text: the cut may be in the middle of a letter, which is no text then.
        for (String line : new String(Files.readAllBytes(journal), StandardCharsets.UTF_8).split("\n", -1)) {
            try {
                apply(line);
            } catch (JsonParseException | IllegalStateException _) {
                return;
            }
        }
    }

    private void apply(String text) {
        JsonObject read = JsonParser.parseString(text).getAsJsonObject();
        read.entrySet().forEach(entry -> {
            if (entry.getValue().isJsonNull()) rows.remove(entry.getKey());
            else rows.put(entry.getKey(), entry.getValue().getAsJsonObject());
        });
    }
}
