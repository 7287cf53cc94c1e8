package dev.fairlead.adapter.freenas.client.connection;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiMethod;
import dev.fairlead.adapter.freenas.client.ApiMethod.OnCollection;
import dev.fairlead.adapter.freenas.client.ApiMethod.Verb;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps a connection's calls below its parent datasets. Every argument that names a dataset, a snapshot, a path or a
 * zvol is looked at, at whatever depth, whoever made the call: a box's roles are not limited to datasets, so nothing
 * else would stop one that went astray. The parents themselves may be read, changed and snapshotted, and not be made,
 * deleted, renamed, or be the target of anything.
 */
final class Jail {
    private static final String MOUNTED = "/mnt/";
    private static final String ZVOL = "zvol/";

    /** The fields that name a dataset or a snapshot, in every call. */
    private static final Set<String> DATASETS =
            Set.of("dataset", "dataset_dst", "target_dataset", "source_datasets", "snapshot", "new_name");

    /** The fields that name what comes to be. */
    private static final Set<String> TARGETS = Set.of("dataset_dst", "target_dataset", "new_name");

    /** The fields that name a dataset in the calls of {@code zfs.resource}, and a path in all others. */
    private static final Set<String> PATHS = Set.of("path", "paths", "mountpoint", "disk", "device_path");

    private static final Set<String> IDENTITIES = Set.of("id", "name", "dataset", "snapshot_name");
    private static final Set<ApiAction> BELOW_PARENTS = Set.of(ApiAction.DATASET_PROMOTE, ApiAction.DATASET_RENAME);

    private final List<String> parents;

    /** @param parents the names of the parent datasets */
    Jail(List<String> parents) {
        this.parents = List.copyOf(parents);
    }

    /** Returns the first argument that leaves the parents; empty if none does. */
    Optional<String> escaping(ApiCall call) {
        List<JsonElement> arguments = call.arguments();
        boolean strict = isStrict(call.method());
        if (isQuery(call.method())) {
            return isOfDatasets(call.method()) ? escapingFilter(arguments) : Optional.empty();
        }
        for (int i = 0; i < arguments.size(); i++) {
            JsonElement argument = arguments.get(i);
            Optional<String> found = argument.isJsonPrimitive()
                    ? (i == 0 ? escapingFirst(call.method(), argument, strict) : Optional.empty())
                    : escaping(argument, call.method(), strict);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static boolean isQuery(ApiMethod method) {
        return switch (method) {
            case OnCollection(var _, Verb verb) -> verb == Verb.QUERY;
            case ApiAction action -> action.parameters().contains("query-filters");
        };
    }

    private static boolean isOfDatasets(ApiMethod method) {
        return method instanceof OnCollection(ApiCollection collection, Verb _)
                && (collection == ApiCollection.DATASET || collection == ApiCollection.SNAPSHOT);
    }

    private static boolean isStrict(ApiMethod method) {
        return switch (method) {
            case OnCollection(ApiCollection collection, Verb verb) ->
                collection == ApiCollection.DATASET && (verb == Verb.CREATE || verb == Verb.DELETE);
            case ApiAction action -> BELOW_PARENTS.contains(action);
        };
    }

    /** Looks at an argument that is no object: the id of a dataset or snapshot. */
    private Optional<String> escapingFirst(ApiMethod method, JsonElement argument, boolean strict) {
        boolean dataset = isOfDatasets(method)
                || (method instanceof ApiAction action && action.name().startsWith("DATASET_"));
        return dataset ? unless(isInside(argument.getAsString(), strict), argument) : Optional.empty();
    }

    private Optional<String> escaping(JsonElement element, ApiMethod method, boolean strict) {
        if (element.isJsonArray()) {
            return element.getAsJsonArray().asList().stream()
                    .flatMap(each -> escaping(each, method, strict).stream())
                    .findFirst();
        }
        if (!element.isJsonObject()) {
            return Optional.empty();
        }
        JsonObject object = element.getAsJsonObject();
        for (String key : object.keySet()) {
            Optional<String> found = escaping(key, object.get(key), method, strict);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<String> escaping(String key, JsonElement value, ApiMethod method, boolean strict) {
        if (value.isJsonArray() && (DATASETS.contains(key) || PATHS.contains(key))) {
            return value.getAsJsonArray().asList().stream()
                    .flatMap(each -> escaping(key, each, method, strict).stream())
                    .findFirst();
        }
        if (!value.isJsonPrimitive()) {
            return escaping(value, method, strict);
        }
        String text = value.getAsString();
        boolean named = key.equals("name") && method.equals(new OnCollection(ApiCollection.DATASET, Verb.CREATE));
        if (DATASETS.contains(key) || named) {
            return unless(isInside(text, strict || TARGETS.contains(key)), value);
        }
        if (!PATHS.contains(key)) {
            return Optional.empty();
        }
        boolean resource = method instanceof ApiAction action && action.name().startsWith("RESOURCE_");
        return unless(resource ? isInside(text, strict) : isPathInside(text, !method.isRead()), value);
    }

    /** Looks at the filters by name; one that names a prefix may name a parent with a slash. */
    private Optional<String> escapingFilter(List<JsonElement> arguments) {
        for (JsonElement each : arguments.getFirst().getAsJsonArray()) {
            JsonArray filter = each.getAsJsonArray();
            if (filter.size() != 3 || !IDENTITIES.contains(filter.get(0).getAsString())) {
                continue;
            }
            JsonElement value = filter.get(2);
            boolean fine = switch (filter.get(1).getAsString()) {
                case "=" -> isInside(value.getAsString(), false);
                case "^" -> isInside(value.getAsString().replaceFirst("[/@]$", ""), false);
                case "in" ->
                    value.getAsJsonArray().asList().stream().allMatch(name -> isInside(name.getAsString(), false));
                default -> true;
            };
            if (!fine && !filter.get(0).getAsString().equals("snapshot_name")) {
                return Optional.of(value.toString());
            }
        }
        return Optional.empty();
    }

    private static Optional<String> unless(boolean fine, JsonElement value) {
        return fine ? Optional.empty() : Optional.of(value.getAsString());
    }

    /** Says whether a dataset, or that of a snapshot, is one of the parents or below one. */
    private boolean isInside(String name, boolean strictly) {
        int at = name.indexOf('@');
        String dataset = at < 0 ? name : name.substring(0, at);
        boolean plain = at < 0 || (name.indexOf('@', at + 1) < 0 && name.indexOf('/', at) < 0);
        return plain
                && isPlain(dataset)
                && parents.stream()
                        .anyMatch(parent -> dataset.startsWith(parent + "/") || (!strictly && dataset.equals(parent)));
    }

    private boolean isPathInside(String path, boolean strictly) {
        if (path.startsWith(ZVOL)) {
            // A box writes the spaces of a zvol's name as a plus.
            String zvol = path.substring(ZVOL.length());
            return isPlain(zvol)
                    && parents.stream()
                            .map(parent -> parent.replace(' ', '+') + "/")
                            .anyMatch(zvol.replace(' ', '+')::startsWith);
        }
        return path.startsWith(MOUNTED) && isInsideMounted(path.substring(MOUNTED.length()), strictly);
    }

    private boolean isInsideMounted(String path, boolean strictly) {
        return isPlain(path)
                && parents.stream()
                        .anyMatch(parent -> path.startsWith(parent + "/") || (!strictly && path.equals(parent)));
    }

    /** Says whether no part of a path is empty or leads upward. */
    private static boolean isPlain(String path) {
        for (String part : path.split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..")) {
                return false;
            }
        }
        return path.chars().noneMatch(Character::isISOControl);
    }
}
