package dev.fairlead.adapter.freenas.store.snapshot;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.Property;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Finds snapshots without having a box read those of others. Whatever its filters are, a query for snapshots with their
 * properties costs the box all snapshots of all pools, which are many where tasks take them by the hour; their names
 * alone cost it little. So the names are asked for first, and then what has one of them: up to 25.10 by its id, or, if
 * they are many, by the transaction in which all snapshots of a group are taken, and on 26, where the usual query
 * answers no user properties, by another one that takes names.
 */
record SnapshotSearch(TruenasApi api) {
    private static final List<String> NATIVE = List.of("creation", "referenced", "logicalreferenced", "volsize");

    private static final String PUT_OFF = "defer_destroy";

    /** Names what ZFS tells with the name of a snapshot; a box that is asked for no more reads no more. */
    private static final String TRANSACTION = "createtxg";

    private static final int MOST_ROUNDS = 3;

    /** The most snapshots that are asked for one by one, each of which costs the box that one alone. */
    private static final int MOST_QUERIES = 50;

    /** The most queries for one transaction: each has the box open all snapshots of all pools. */
    private static final int MOST_WALKS = 10;

    /** The most snapshots that are described by one call, and the most bytes of their names: a box takes 64 KiB. */
    private static final int MOST_NAMES = 200;

    private static final int MOST_BYTES = 48 << 10;

    /** The length of what is around a name in a list. */
    private static final int QUOTES = 3;

    private static final String ID = "id";

    /** Holds the names of snapshots, each with the number of its transaction if the box told it. */
    private record Names(Map<String, OptionalLong> names) {
        static Names of(Collection<String> names) {
            Map<String, OptionalLong> all = new TreeMap<>();
            names.forEach(name -> all.put(name, OptionalLong.empty()));
            return new Names(all);
        }

        /** Returns those that are found by one query: one, or all of a transaction. */
        Collection<List<String>> together() {
            Map<String, List<String>> together = new TreeMap<>();
            names.forEach((name, transaction) -> together.computeIfAbsent(
                            transaction.isPresent() ? Long.toString(transaction.getAsLong()) : name,
                            _ -> new ArrayList<>())
                    .add(name));
            return together.values();
        }

        Names without(Set<String> some) {
            Map<String, OptionalLong> rest = new TreeMap<>(names);
            rest.keySet().removeAll(some);
            return new Names(rest);
        }

        /** Limits a query to the transactions of these snapshots, if they are known. */
        ApiQuery limited(Collection<String> some, ApiQuery query) {
            List<OptionalLong> all = some.stream().map(names::get).toList();
            return all.stream().allMatch(OptionalLong::isPresent)
                    ? query.extra("min_txg", bound(all, true)).extra("max_txg", bound(all, false))
                    : query;
        }

        private static JsonPrimitive bound(List<OptionalLong> all, boolean least) {
            var range = all.stream().mapToLong(OptionalLong::getAsLong).summaryStatistics();
            return new JsonPrimitive(least ? range.getMin() : range.getMax());
        }
    }

    Optional<SnapshotEntry> find(SnapshotName name, Work work) {
        List<SnapshotEntry> found = describes(work)
                ? described(List.of(name.toString()), work).orElse(List.of())
                : whole(ApiQuery.of(ID, name.toString()), work);
        return found.stream().filter(entry -> entry.name().equals(name)).findFirst();
    }

    List<SnapshotEntry> of(DatasetName dataset, Work work) {
        Supplier<Names> names = () -> Names.of(new DatasetCalls(api).snapshotNames(dataset, work));
        return of(dataset, names, work);
    }

    List<SnapshotEntry> of(DatasetName dataset, Set<String> wanted, Work work) {
        Supplier<Names> names = () -> Names.of(new DatasetCalls(api)
                .snapshotNames(dataset, work).stream()
                        .filter(name -> wanted.contains(name.substring(name.indexOf('@') + 1)))
                        .toList());
        return of(dataset, names, work).stream()
                .filter(entry -> wanted.contains(entry.name().name()))
                .toList();
    }

    List<SnapshotEntry> of(DatasetName dataset, List<String> seen, Work work) {
        var first = new ArrayList<>(List.of(Names.of(seen)));
        Supplier<Names> names = () ->
                first.isEmpty() ? Names.of(new DatasetCalls(api).snapshotNames(dataset, work)) : first.removeLast();
        return of(dataset, names, work);
    }

    private List<SnapshotEntry> of(DatasetName dataset, Supplier<Names> names, Work work) {
        return found(dataset, names, ApiQuery.of("dataset", dataset.value()), work).stream()
                .filter(entry -> entry.name().dataset().equals(dataset))
                .toList();
    }

    List<SnapshotEntry> below(DatasetName parent, Work work) {
        ApiQuery query = ApiQuery.all().where("dataset", "^", new JsonPrimitive(parent + "/"));
        return found(parent, () -> listed(parent, query, work), query, work);
    }

    List<SnapshotEntry> named(DatasetName parent, String names, Work work) {
        ApiQuery query = ApiQuery.all()
                .where("dataset", "^", new JsonPrimitive(parent.value()))
                .where("snapshot_name", "~", new JsonPrimitive("^(" + names + ")$"));
        return found(parent, () -> listed(parent, query, work), query, work).stream()
                .filter(entry -> entry.name().dataset().equals(parent)
                        || entry.name().dataset().isBelow(parent))
                .toList();
    }

    /** Lists the names of what a query finds, in pages. */
    private Names listed(DatasetName parent, ApiQuery query, Work work) {
        ApiQuery names = query.where("pool", "=", new JsonPrimitive(parent.pool())) // 26 looks no further then
                .extra("properties", array(List.of(TRANSACTION)));
        Map<String, OptionalLong> found = new TreeMap<>();
        api.listInPages(ApiCollection.SNAPSHOT, names, work)
                .forEach(row -> Json.text(row, ID).ifPresent(name -> found.put(name, transaction(row))));
        return new Names(found);
    }

    private static OptionalLong transaction(JsonObject row) {
        return Json.text(row, TRANSACTION)
                .filter(text -> text.matches("[1-9][0-9]{0,9}"))
                .map(Long::parseLong)
                .filter(number -> number <= Integer.MAX_VALUE) // which the box takes as an int of C
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    /**
     * Returns the snapshots that have these names, or that a query finds. What has a name and is not told may have gone
     * meanwhile, or be one that the box could not read, which is no proof that it is nobody's: the names are listed
     * again.
     *
     * @param names lists the names of what the query finds
     */
    private List<SnapshotEntry> found(DatasetName top, Supplier<Names> names, ApiQuery query, Work work) {
        boolean describes = describes(work);
        Map<String, SnapshotEntry> known = new TreeMap<>();
        List<String> untold = List.of();
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Names there = names.get();
            known.keySet().retainAll(there.names().keySet());
            Names asked = there.without(known.keySet());
            (describes ? resources(asked, work) : wholes(asked, query, work))
                    .forEach(entry -> known.put(entry.name().toString(), entry));
            untold = there.without(known.keySet()).names().keySet().stream()
                    .filter(name -> SnapshotName.of(name).isPresent())
                    .toList();
            if (untold.isEmpty()) {
                return List.copyOf(known.values());
            }
        }
        throw new StorageException(new Failure.BackendUnavailable(
                api.connection(),
                "snapshots below " + top + " come and go while they are looked for, or are not told, as "
                        + untold.getFirst() + "; ask again"));
    }

    /** Reads the snapshots of these names up to 25.10. */
    private List<SnapshotEntry> wholes(Names there, ApiQuery query, Work work) {
        Set<String> all = there.names().keySet();
        Collection<List<String>> together =
                all.size() <= MOST_QUERIES ? all.stream().map(List::of).toList() : there.together();
        long walks = together.stream().filter(some -> some.size() > 1).count();
        if (together.size() > MOST_QUERIES || walks > MOST_WALKS) {
            return whole(there.limited(all, query), work);
        }
        return together.stream()
                .flatMap(some ->
                        whole(some.size() == 1 ? ApiQuery.of(ID, some.getFirst()) : there.limited(some, query), work)
                                .stream())
                .toList();
    }

    private boolean describes(Work work) {
        return api.has(ApiAction.RESOURCE_SNAPSHOT_QUERY, work);
    }

    /**
     * Reads snapshots in pages, with all their properties: whether a box tells those of users if it is asked for some
     * of ZFS' own alone is not documented.
     */
    private List<SnapshotEntry> whole(ApiQuery query, Work work) {
        return read(query.extra("holds", true), work);
    }

    private List<SnapshotEntry> read(ApiQuery query, Work work) {
        return api.listInPages(ApiCollection.SNAPSHOT, query, work).stream()
                .flatMap(json -> SnapshotEntry.read(json).stream())
                .toList();
    }

    /**
     * Describes the snapshots of these names in portions, since one answer of all of them may be too long. If one of
     * them has gone, its portion is refused, and nothing of it returned.
     */
    private List<SnapshotEntry> resources(Names there, Work work) {
        return portions(List.copyOf(there.names().keySet())).stream()
                .flatMap(portion -> described(portion, work).stream().flatMap(List::stream))
                .toList();
    }

    private static List<List<String>> portions(List<String> names) {
        List<List<String>> portions = new ArrayList<>();
        int bytes = MOST_BYTES;
        for (String name : names) {
            if (bytes + name.length() > MOST_BYTES || portions.getLast().size() == MOST_NAMES) {
                portions.add(new ArrayList<>());
                bytes = 0;
            }
            portions.getLast().add(name);
            bytes += name.length() + QUOTES;
        }
        return portions;
    }

    /** Returns what 26 tells of these snapshots; empty if one of them is not there. */
    private Optional<List<SnapshotEntry>> described(List<String> names, Work work) {
        var data = new JsonObject();
        data.add("paths", array(names));
        data.addProperty("recursive", false);
        data.add("properties", array(NATIVE));
        data.addProperty("get_user_properties", true);
        data.addProperty("get_holds", true);
        ApiResult result = api.query(ApiCall.of(ApiAction.RESOURCE_SNAPSHOT_QUERY, data), work);
        if (result instanceof ApiResult.Refused refused && refused.isAbsent()) {
            return Optional.empty();
        }
        JsonElement all = result.orThrow();
        if (!all.isJsonArray()) {
            return Optional.of(List.of());
        }
        List<SnapshotEntry> found = StreamSupport.stream(all.getAsJsonArray().spliterator(), false)
                .filter(JsonElement::isJsonObject)
                .flatMap(each -> SnapshotEntry.read(each.getAsJsonObject()).stream())
                .toList();
        return found.isEmpty() ? Optional.of(found) : withPutOff(found, work);
    }

    /**
     * Adds what only the usual query says: which snapshots were deleted while clones still need them. It finds none of
     * them if one is not there.
     */
    private Optional<List<SnapshotEntry>> withPutOff(List<SnapshotEntry> found, Work work) {
        List<String> names =
                found.stream().map(entry -> entry.name().toString()).toList();
        ApiQuery query = names.size() == 1
                ? ApiQuery.of(ID, names.getFirst())
                : ApiQuery.all().where(ID, "in", array(names));
        Map<SnapshotName, SnapshotEntry> usual = read(query.extra("properties", array(List.of(PUT_OFF))), work).stream()
                .collect(Collectors.toMap(SnapshotEntry::name, entry -> entry, (one, _) -> one, HashMap::new));
        return found.stream().allMatch(entry -> usual.containsKey(entry.name()))
                ? Optional.of(found.stream()
                        .map(entry -> with(
                                entry,
                                Optional.ofNullable(usual.get(entry.name()))
                                        .map(other -> other.rows().get(PUT_OFF))))
                        .toList())
                : Optional.empty();
    }

    private static SnapshotEntry with(SnapshotEntry entry, Optional<Property> putOff) {
        return putOff.map(property -> entry.with(PUT_OFF, property)).orElse(entry);
    }

    private static JsonArray array(List<String> texts) {
        var array = new JsonArray();
        texts.forEach(array::add);
        return array;
    }
}
