package dev.fairlead.adapter.node.journal;

import dev.fairlead.application.port.out.node.StageJournal.CutFormat;
import dev.fairlead.application.port.out.node.StageJournal.Entry;
import dev.fairlead.application.port.out.node.StageJournal.FilesystemState;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writes an entry as lines of {@code key=value}, between a line that names the format and one that ends it, and reads
 * it. Keys that a later version adds are passed over.
 */
final class EntryText {
    private static final String FIRST = "fairlead staged 1";
    private static final String LAST = "end";
    private static final String CONTEXT = "context.";
    private static final String FACT = "fact.";

    private EntryText() {}

    static String of(Entry entry) {
        Map<String, String> values = new TreeMap<>();
        values.put("handle", entry.handle());
        values.put("staging", entry.staging().toString());
        values.put("access", entry.block() ? "block" : "mount");
        AttachmentCodec.encode(entry.attachment()).forEach((key, value) -> values.put(CONTEXT + key, value));
        entry.facts().forEach((key, value) -> values.put(FACT + key, value));
        entry.filesystem().ifPresent(content -> {
            values.put("filesystem.type", content.type());
            values.put("filesystem.state", content.finished() ? "made" : "begun");
            content.uuid().ifPresent(uuid -> values.put("filesystem.uuid", uuid));
            content.cut().ifPresent(cut -> {
                values.put("filesystem.device", cut.identity());
                values.put("filesystem.path", cut.device().toString());
                cut.remains().ifPresent(remains -> values.put("filesystem.remains", remains));
            });
        });
        StringBuilder text = new StringBuilder(FIRST).append('\n');
        values.forEach((key, value) ->
                text.append(encoded(key)).append('=').append(encoded(value)).append('\n'));
        return text.append(LAST).append('\n').toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    static Entry read(String text) throws IOException {
        List<String> lines = text.lines().toList();
        if (lines.size() < 2 || !lines.getFirst().equals(FIRST)) {
            throw new IOException("it does not begin with '" + FIRST + "'");
        }
        if (!lines.getLast().equals(LAST)) {
            throw new IOException("it is cut off");
        }
        Map<String, String> values = new TreeMap<>();
        for (String line : lines.subList(1, lines.size() - 1)) {
            int sign = line.indexOf('=');
            if (sign < 0) {
                throw new IOException("a line has no '='");
            }
            values.put(decoded(line.substring(0, sign)), decoded(line.substring(sign + 1)));
        }
        return entry(values);
    }

    private static String decoded(String text) throws IOException {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IOException("a value is not encoded as it should be", e);
        }
    }

    private static Entry entry(Map<String, String> values) throws IOException {
        try {
            Path staging = Path.of(required(values, "staging"));
            if (!staging.isAbsolute()) {
                throw new IOException("staging is no absolute path");
            }
            return new Entry(
                    required(values, "handle"),
                    staging,
                    AttachmentCodec.decode(below(values, CONTEXT)),
                    required(values, "access").equals("block"),
                    below(values, FACT),
                    Optional.ofNullable(values.get("filesystem.type"))
                            .map(type -> new FilesystemState(
                                    type, Optional.ofNullable(values.get("filesystem.uuid")), cut(values))));
        } catch (InvalidPathException | StorageException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Returns how the making of a file system began; former versions noted neither path nor, before that, identity. */
    private static Optional<CutFormat> cut(Map<String, String> values) {
        return "begun".equals(values.get("filesystem.state"))
                ? Optional.of(new CutFormat(
                        Path.of(values.getOrDefault("filesystem.path", "/")),
                        values.getOrDefault("filesystem.device", ""),
                        Optional.ofNullable(values.get("filesystem.remains"))))
                : Optional.empty();
    }

    private static String required(Map<String, String> values, String key) throws IOException {
        return Optional.ofNullable(values.get(key))
                .filter(it -> !it.isEmpty())
                .orElseThrow(() -> new IOException("it has no " + key));
    }

    private static Map<String, String> below(Map<String, String> values, String prefix) {
        Map<String, String> found = new TreeMap<>();
        values.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                found.put(key.substring(prefix.length()), value);
            }
        });
        return found;
    }
}
