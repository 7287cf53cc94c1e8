package dev.fairlead.simulator.model;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.error.Violation;
import java.util.List;
import java.util.regex.Pattern;

/** Checks what the vendor's models check by code of their own, which their schemas do not tell. */
final class Validators {
    private static final Pattern DATASET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.: /-]*");
    private static final Pattern MODE = Pattern.compile("0?[0-7]{3}");
    private static final int LONGEST_SHARE = 80;
    private static final int LONGEST_DATASET = 255;

    private Validators() {}

    /** Lists what is refused of an argument that fits its schema. */
    static List<Violation> after(String method, String argument, JsonElement given) {
        if (!given.isJsonObject()) return List.of();
        JsonObject data = given.getAsJsonObject();
        return switch (method) {
            case "filesystem.setperm" -> setperm(argument, data);
            case "filesystem.chown" -> chown(argument, data);
            case "sharing.smb.create", "sharing.smb.update" -> share(argument, data);
            default -> List.of();
        };
    }

    private static List<Violation> setperm(String argument, JsonObject data) {
        String mode = JsonTools.text(data, "mode");
        if (!mode.isEmpty() && !MODE.matcher(mode).matches())
            return List.of(
                    Violation.of(argument + ".mode", "Value error, Not a valid integer. Must be between 000 and 777"));
        boolean strip = JsonTools.flag(JsonTools.child(data, "options"), "stripacl", false);
        return mode.isEmpty() && !strip
                ? List.of(Violation.of(
                        argument,
                        "Value error, Payload must either explicitly specify permissions or contain the stripacl"
                                + " option."))
                : List.of();
    }

    private static List<Violation> chown(String argument, JsonObject data) {
        for (String id : List.of("uid", "gid", "user", "group"))
            if (JsonTools.at(data, id).isPresent()) return List.of();
        return List.of(Violation.of(
                argument, "Value error, At least one of uid, gid, user, and group must be set in chown payload"));
    }

    private static List<Violation> share(String argument, JsonObject data) {
        String name = JsonTools.text(data, "name");
        return name.length() > LONGEST_SHARE
                ? List.of(Violation.of(
                        argument + ".name",
                        "Value error, " + name + ": share name must not exceed " + LONGEST_SHARE
                                + " characters in length"))
                : List.of();
    }

    /**
     * Says in the words of such code what the schema said in others, and adds what it alone sees of a dataset's name.
     */
    static List<Violation> reworded(String method, JsonArray params, List<Violation> found) {
        if (method.equals("iscsi.target.create"))
            return found.stream().map(Validators::items).toList();
        if (!method.equals("pool.dataset.create") || params.isEmpty()) return found;
        return found.stream()
                .map(each -> each.attribute().orElse("").endsWith(".name")
                                && each.text().startsWith("String should have at least")
                        ? Violation.of(each.attribute().orElse(""), dataset())
                        : each)
                .toList();
    }

    /** Empties the name of a dataset that is no name, which the models refuse in the same words as an empty one. */
    static JsonArray emptied(String method, JsonArray params) {
        if (!method.equals("pool.dataset.create")
                || params.isEmpty()
                || !params.get(0).isJsonObject()) return params;
        String name = JsonTools.text(params.get(0).getAsJsonObject(), "name", "a");
        if (DATASET.matcher(name).matches() && !name.endsWith(" ") && name.length() <= LONGEST_DATASET) return params;
        JsonArray emptied = params.deepCopy();
        emptied.get(0).getAsJsonObject().addProperty("name", "");
        return emptied;
    }

    private static String dataset() {
        return "Value error, Please provide a valid dataset name according to ZFS standards";
    }

    private static Violation items(Violation violation) {
        String text = violation.text();
        if (!text.startsWith("String should have at most 120")) return violation;
        return Violation.of(
                violation.attribute().orElse(""), "Value should have at most 120 items after validation, not 121");
    }
}
