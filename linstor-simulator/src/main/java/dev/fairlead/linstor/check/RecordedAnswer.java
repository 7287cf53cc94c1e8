package dev.fairlead.linstor.check;

import static dev.fairlead.linstor.state.LinstorJson.text;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.linstor.state.LinstorJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Holds a request and what a real LINSTOR 1.33.1 (REST 1.28.0) answered to it.
 *
 * @param number the place in the recording, from 0
 * @param label what it was made for; several may have the same one
 */
public record RecordedAnswer(
        int number,
        String label,
        String method,
        String path,
        String body,
        int status,
        String type,
        JsonElement answer) {
    private static final Pattern REPEATED = Pattern.compile("\"\\((\\d+) times (.)\\)\"");

    /** Reads the recording; long texts, which it holds in short, are written out in the requests. */
    public static List<RecordedAnswer> all() {
        try (InputStream in = RecordedAnswer.class.getResourceAsStream("/dev/fairlead/linstor/answers.jsonl")) {
            if (in == null) throw new IllegalStateException("the recording is not there");
            List<RecordedAnswer> all = new ArrayList<>();
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
                if (!line.isBlank()) all.add(read(all.size(), line));
            }
            return all;
        } catch (IOException e) {
            throw new IllegalStateException("the recording cannot be read", e);
        }
    }

    private static RecordedAnswer read(int number, String line) {
        JsonObject row = JsonParser.parseString(line).getAsJsonObject();
        JsonElement body = row.get("body");
        return new RecordedAnswer(
                number,
                text(row, "label"),
                text(row, "method"),
                text(row, "path"),
                body == null || body.isJsonNull() ? "" : writtenOut(body.toString()),
                (int) LinstorJson.number(row, "status", 0),
                text(row, "content_type"),
                row.get("answer"));
    }

    private static String writtenOut(String body) {
        return REPEATED.matcher(body)
                .replaceAll(found -> "\"" + found.group(2).repeat(Integer.parseInt(found.group(1))) + "\"");
    }

    /** Returns the same with other names in it: of what is asked and of what was answered. */
    public RecordedAnswer renamed(String from, String to) {
        return new RecordedAnswer(
                number,
                label,
                method,
                path.replace(from, to),
                body.replace(from, to),
                status,
                type,
                JsonParser.parseString(answer.toString().replace(from, to)));
    }

    @Override
    public String toString() {
        return number + " " + label + ": " + method + " " + path;
    }
}
