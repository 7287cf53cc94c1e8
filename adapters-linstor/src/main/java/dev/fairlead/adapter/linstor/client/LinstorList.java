package dev.fairlead.adapter.linstor.client;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Names a list of LINSTOR and says what is read of it.
 *
 * @param keys the keys that matter, at any depth of an entry; all do if there is none
 * @param what the purpose, in words for people
 * @param reading makes what is kept of an entry
 */
public record LinstorList<T>(List<String> path, Set<String> keys, String what, Function<JsonObject, T> reading) {
    public LinstorList {
        path = List.copyOf(path);
        keys = Set.copyOf(keys);
    }
}
