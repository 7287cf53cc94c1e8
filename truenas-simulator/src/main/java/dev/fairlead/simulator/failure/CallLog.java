package dev.fairlead.simulator.failure;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** All calls since the start, with secrets concealed. */
public final class CallLog {
    private static final Set<String> SECRET = Set.of(
            "secret",
            "peersecret",
            "password",
            "api_key",
            "dhchap_key",
            "dhchap_ctrl_key",
            "passphrase",
            "key_text",
            "token",
            "rfc_str");

    private static final List<String> READS =
            List.of(".query", "get_instance", "config", "get_jobs", "choices", "info", "stat", "version");

    private final List<Entry> entries = new CopyOnWriteArrayList<>();

    /**
     * Records one call.
     *
     * @param outcome "ok", or the reason of its failure, or the injury that it got
     * @param steps how many of its steps have ended after which another one came
     * @param read what a real box would read of ZFS for it
     */
    public record Entry(String method, String user, JsonArray params, String outcome, int steps, RowsRead read) {}

    /** Says whether a method may change something, by its name. */
    public static boolean isChange(String method) {
        return READS.stream().noneMatch(method::endsWith);
    }

    /** Adds a call. */
    public void add(Entry entry) {
        entries.add(entry);
    }

    /** Returns all calls in order. */
    public List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** Forgets all calls. */
    public void clear() {
        entries.clear();
    }

    /** Conceals the secrets of arguments. */
    public static JsonArray concealed(String method, JsonArray params) {
        JsonArray copy = params.deepCopy();
        if (method.startsWith("auth.") && !method.startsWith("auth.login_ex")) {
            for (int i = 0; i < copy.size(); i++)
                if (copy.get(i).isJsonPrimitive()) copy.set(i, new JsonPrimitive("********"));
        }
        conceal(copy);
        return copy;
    }

    private static void conceal(JsonElement element) {
        if (element.isJsonArray()) element.getAsJsonArray().forEach(CallLog::conceal);
        if (!element.isJsonObject()) return;
        JsonObject object = element.getAsJsonObject();
        object.entrySet().forEach(member -> {
            if (SECRET.contains(member.getKey().toLowerCase(Locale.ROOT))
                    && !member.getValue().equals(JsonNull.INSTANCE)) member.setValue(new JsonPrimitive("********"));
            else conceal(member.getValue());
        });
    }
}
