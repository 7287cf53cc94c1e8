package dev.fairlead.linstor.answer;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/** Holds what goes back by HTTP. */
public record RestAnswer(int status, String type, String text) {
    private static final Gson WRITER = new GsonBuilder().disableHtmlEscaping().create();

    /** Makes an answer of JSON. */
    public static RestAnswer of(int status, JsonElement json) {
        return new RestAnswer(status, "application/json", WRITER.toJson(json));
    }

    /** Makes an answer of plain text. */
    public static RestAnswer text(String text) {
        return new RestAnswer(200, "text/plain", text);
    }

    /** Makes the answer of 500 that tells no more than that: what a satellite's silence ends in. */
    public static RestAnswer wordless(String report) {
        JsonObject entry = new JsonObject();
        entry.addProperty("ret_code", ReturnCode.ERROR | ReturnCode.UNKNOWN_ERROR);
        JsonArray reports = new JsonArray();
        reports.add(report);
        entry.add("error_report_ids", reports);
        entry.addProperty("created_at", java.time.Instant.now().toString());
        JsonArray list = new JsonArray();
        list.add(entry);
        return of(500, list);
    }
}
