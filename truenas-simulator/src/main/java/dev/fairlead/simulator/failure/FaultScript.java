package dev.fairlead.simulator.failure;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Duration;

/**
 * Reads a fault from JSON: {@code {"method":"pool.dataset.create","nth":2,"times":1,"having":"vol-1","injury":"late",
 * "millis":500}}.
 */
public final class FaultScript {
    private FaultScript() {}

    /** Reads one. */
    public static Fault read(JsonObject script) {
        return new Fault(
                text(script, "method", "*"),
                (int) number(script, "nth", 1),
                (int) number(script, "times", 1),
                text(script, "having", ""),
                injury(script));
    }

    private static Fault.Injury injury(JsonObject script) {
        String text = text(script, "text", "");
        int number = (int) number(script, "errno", 14);
        int status = (int) number(script, "status", 200);
        boolean effect = script.has("effect") && script.get("effect").getAsBoolean();
        Duration time = Duration.ofMillis(number(script, "millis", 1000));
        String name = text(script, "injury", "");
        return switch (name) {
            case "cut-before" -> new Fault.CutBefore();
            case "cut-after" -> new Fault.CutAfter();
            case "stopped" -> new Fault.Stopped((int) number(script, "steps", 1));
            case "unloaded" -> new Fault.Unloaded(false);
            case "unloaded-cut" -> new Fault.Unloaded(true);
            case "late" -> new Fault.Late(time);
            case "slow" -> new Fault.Slow(time);
            case "hesitant" -> new Fault.Hesitant(time);
            case "result" -> new Fault.Result(text(script, "json", "null"));
            case "silent" -> new Fault.Silent();
            case "page" -> new Fault.Page(status, effect);
            case "refusal" -> new Fault.Refusal(number, text, effect);
            case "invalid" -> new Fault.Invalid(text(script, "attribute", ""), text, number);
            case "answer" -> new Fault.Answer(status, text(script, "body", ""));
            case "lie" -> new Fault.Lie();
            case "job-fails" -> new Fault.JobFails(text, effect);
            case "job-aborts" -> new Fault.JobAborts(effect);
            case "job-hangs" -> new Fault.JobHangs();
            case "shuffled" -> new Fault.Shuffled();
            case "strange" -> new Fault.Strange();
            case "close" -> new Fault.Close(status, text, effect);
            case "lost" -> new Fault.Lost();
            default ->
                throw new IllegalArgumentException("injury: '" + name + "' (expected one of docs/lab-truenas.md)");
        };
    }

    private static String text(JsonObject script, String key, String fallback) {
        JsonElement value = script.get(key);
        return value == null ? fallback : value.getAsString();
    }

    private static long number(JsonObject script, String key, long fallback) {
        JsonElement value = script.get(key);
        return value == null ? fallback : value.getAsLong();
    }
}
