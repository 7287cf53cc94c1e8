package dev.fairlead.simulator.engine;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.failure.Fault;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Carries out the faults that change an answer or the end of a job. */
final class Disturbance {
    private Disturbance() {}

    static JsonElement of(Optional<Fault.Injury> injury, JsonElement answer) {
        if (injury.isEmpty()) return answer;
        return switch (injury.get()) {
            case Fault.Shuffled ignored -> shuffled(answer);
            case Fault.Strange ignored -> strange(answer);
            default -> answer;
        };
    }

    static JsonElement job(Optional<Fault.Injury> injury, Supplier<JsonElement> body) {
        if (injury.isPresent() && injury.get() instanceof Fault.JobFails fails) {
            throw failed(fails, body);
        }
        if (injury.isPresent() && injury.get() instanceof Fault.JobAborts aborts) {
            throw aborted(aborts, body);
        }
        if (injury.isPresent() && injury.get() instanceof Fault.JobHangs) throw new NoReturn();
        return body.get();
    }

    private static ApiFailure failed(Fault.JobFails fails, Supplier<JsonElement> body) {
        if (!fails.effect()) return ApiFailure.call(fails.text());
        JsonElement _ = body.get();
        return ApiFailure.call(fails.text());
    }

    private static ApiFailure aborted(Fault.JobAborts aborts, Supplier<JsonElement> body) {
        if (!aborts.effect()) return ApiFailure.aborted();
        JsonElement _ = body.get();
        return ApiFailure.aborted();
    }

    private static JsonElement shuffled(JsonElement answer) {
        if (!answer.isJsonArray()) return answer;
        List<JsonElement> rows = new ArrayList<>(answer.getAsJsonArray().asList());
        Collections.shuffle(rows);
        JsonArray shuffled = new JsonArray();
        rows.forEach(shuffled::add);
        return shuffled;
    }

    private static JsonElement strange(JsonElement answer) {
        if (answer.isJsonArray()) {
            JsonArray strange = new JsonArray();
            answer.getAsJsonArray().forEach(row -> strange.add(strange(row)));
            return strange;
        }
        if (!answer.isJsonObject()) return answer;
        JsonObject row = answer.getAsJsonObject().deepCopy();
        row.add("invented_attribute", JsonTools.object("of", "tomorrow"));
        if (row.has("comment")) row.add("comment", JsonNull.INSTANCE);
        return row;
    }
}
