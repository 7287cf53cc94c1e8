package dev.fairlead.adapter.freenas.store;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.late.CallNotes;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.application.port.out.store.VolumeModification;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.property.MutableProperty;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * Changes native properties of a volume's dataset with one call, which is noted before: one that comes late would undo
 * a later one. The box checks the names and forms of all values before it sets any, but not whether the pool takes
 * them; so what was set of a refused call is set back.
 */
final class FreenasModification implements VolumeModification {
    /** The value by which the API makes a dataset inherit a property. */
    private static final String INHERIT = "INHERIT";

    private final CallNotes notes;
    private final DatasetCalls datasets;
    private final VolumeMedium.Kind kind;
    private final BiFunction<NativeId, Work, Optional<DatasetEntry>> look;

    /** @param look finds a volume that is ours, of this kind, and complete */
    FreenasModification(
            CallNotes notes, VolumeMedium.Kind kind, BiFunction<NativeId, Work, Optional<DatasetEntry>> look) {
        this.notes = notes;
        this.datasets = notes.datasets();
        this.kind = kind;
        this.look = look;
    }

    /** Returns the names of the properties that the API can set. */
    static Set<String> keys(VolumeMedium.Kind kind) {
        Set<String> keys = new TreeSet<>(MutableProperty.keys(kind));
        keys.removeIf(key -> !DatasetFields.takes(key));
        return keys;
    }

    @Override
    public Set<String> keys() {
        return keys(kind);
    }

    @Override
    public void check(Map<String, String> parameters) {
        read(parameters);
    }

    private Map<String, String> read(Map<String, String> parameters) {
        Map<String, String> properties = MutableProperty.read(parameters, kind, keys());
        String lacking = properties.entrySet().stream()
                .filter(entry -> !DatasetFields.hasWord(entry.getKey(), entry.getValue()))
                .map(entry -> entry.getKey() + ": the API of TrueNAS has no " + entry.getValue() + " (expected: "
                        + DatasetFields.words(entry.getKey()) + ")")
                .collect(Collectors.joining("; "));
        if (!lacking.isEmpty()) {
            throw new StorageException(new Failure.InvalidRequest("mutable_parameters", lacking));
        }
        return properties;
    }

    @Override
    public void modify(NativeId id, Map<String, String> parameters, Work work) {
        Map<String, String> news = new TreeMap<>(read(parameters));
        DatasetEntry found = require(id, work);
        notes.requireNone(found); // also if it has them: another change may be under way
        // A value that it inherits is set all the same, since its parent's may change later.
        if (news.entrySet().stream().allMatch(entry -> has(found, entry.getKey(), entry.getValue()))) {
            return;
        }
        CallNotes.CallNote noted = notes.note(found.name(), work).orElseThrow(() -> notFound(id));
        DatasetEntry before = noted.entry();
        news.entrySet().removeIf(entry -> has(before, entry.getKey(), entry.getValue()));
        switch (notes.change(noted, DatasetFields.updated(news), work)) {
            case ApiResult.Done done -> {
                DatasetEntry after = datasets.answered(done, before.name(), work);
                if (!news.entrySet().stream().allMatch(entry -> has(after, entry.getKey(), entry.getValue()))) {
                    throw datasets.untrue("properties of " + before.name() + " were set, and read back differently");
                }
            }
            case ApiResult.Refused refused -> {
                setBack(require(id, work), before, news.keySet(), work);
                notes.withdraw(noted, work);
                throw refused.fields().isEmpty() ? refused.failure() : refusal(refused);
            }
        }
    }

    private static StorageException refusal(ApiResult.Refused refused) {
        return new StorageException(
                new Failure.InvalidRequest("mutable_parameters", refused.what() + ": " + refused.text()));
    }

    private void setBack(DatasetEntry now, DatasetEntry before, Set<String> keys, Work work) {
        List<String> changed = keys.stream()
                .filter(key -> !now.own(key).equals(before.own(key)))
                .toList();
        if (changed.isEmpty()) {
            return;
        }
        Map<String, String> own = new HashMap<>();
        changed.forEach(key -> before.own(key).ifPresent(value -> own.put(key, value)));
        JsonObject fields = DatasetFields.updated(own);
        changed.stream().filter(key -> !own.containsKey(key)).forEach(key -> fields.addProperty(key, INHERIT));
        ApiResult result = datasets.update(before.name(), fields, work);
        boolean back = result instanceof ApiResult.Done done
                && changed.stream()
                        .allMatch(key -> datasets.answered(done, before.name(), work)
                                .own(key)
                                .equals(before.own(key)));
        if (!back) {
            throw datasets.unavailable("the box refused some properties of " + before.name() + ", and " + changed
                    + " could not be set back");
        }
    }

    private DatasetEntry require(NativeId id, Work work) {
        return look.apply(id, work).orElseThrow(() -> notFound(id));
    }

    private static StorageException notFound(NativeId id) {
        return new StorageException(new Failure.VolumeNotFound(id.value()));
    }

    private static boolean has(DatasetEntry entry, String key, String value) {
        return entry.own(key).filter(value::equals).isPresent();
    }
}
