package dev.fairlead.simulator.shell;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.error.ErrorNumber;
import dev.fairlead.simulator.pool.ZfsError;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds the arguments of a subcommand: switches, options with a value, properties, and what is left.
 *
 * @param props native properties, by ZFS' names, as they are kept
 * @param user properties with a colon
 */
record ZfsWords(
        Set<String> switches, Map<String, String> options, JsonObject props, JsonObject user, List<String> rest) {
    private static final Set<String> SIZES =
            Set.of("quota", "refquota", "reservation", "refreservation", "recordsize", "volblocksize");

    /**
     * Takes the arguments apart.
     *
     * @param valued the letters of the options that have a value, but for properties
     * @param properties whether -o gives a property
     */
    static ZfsWords of(List<String> arguments, String valued, boolean properties) {
        Deque<String> words = new ArrayDeque<>(arguments);
        var parsed = new ZfsWords(
                new java.util.HashSet<>(), new HashMap<>(), new JsonObject(), new JsonObject(), new ArrayList<>());
        while (!words.isEmpty()) {
            String word = words.pop();
            boolean option = word.startsWith("-") && parsed.rest.isEmpty();
            if (option && properties && word.equals("-o")) parsed.property(words.pop());
            else if (option && word.length() == 2 && valued.indexOf(word.charAt(1)) >= 0)
                parsed.options.put(word.substring(1), words.pop());
            else if (option)
                word.substring(1).chars().forEach(letter -> parsed.switches.add(Character.toString(letter)));
            else parsed.rest.add(word);
        }
        return parsed;
    }

    void property(String pair) {
        int equals = pair.indexOf('=');
        if (equals < 1) throw new ZfsError(ErrorNumber.EINVAL, "missing '=' for property=value argument");
        String key = pair.substring(0, equals);
        String value = pair.substring(equals + 1);
        if (key.contains(":")) user.addProperty(key, value);
        else props.addProperty(key, kept(key, value));
    }

    private static String kept(String key, String value) {
        if (!SIZES.contains(key)) return value;
        if (value.equals("none")) return "0";
        int unit = "KMGT".indexOf(value.charAt(value.length() - 1));
        return unit < 0
                ? value
                : Long.toString(Long.parseLong(value.substring(0, value.length() - 1)) << (10 * (unit + 1)));
    }

    boolean has(String letter) {
        return switches.contains(letter);
    }

    String first() {
        return rest.getFirst();
    }

    String last() {
        return rest.getLast();
    }
}
