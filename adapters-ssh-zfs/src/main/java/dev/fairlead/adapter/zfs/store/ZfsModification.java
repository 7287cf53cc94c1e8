package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.out.store.VolumeModification;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.MutableProperty;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Changes native properties of a volume's dataset with one {@code zfs set}.
 *
 * <p>That command checks all values before it sets any, but not whether the pool has the features that they need, and
 * then it sets only some of them. So the same script restores the old values.
 */
final class ZfsModification implements VolumeModification {
    private static final String NONE = "-";

    private final ZfsConnection connection;
    private final ZfsHost host;
    private final VolumeMedium.Kind kind;

    ZfsModification(ZfsConnection connection, VolumeMedium.Kind kind) {
        this.connection = connection;
        this.host = connection.host();
        this.kind = kind;
    }

    @Override
    public Set<String> keys() {
        return MutableProperty.keys(kind);
    }

    @Override
    public void check(Map<String, String> parameters) {
        MutableProperty.read(parameters, kind);
    }

    @Override
    public void modify(NativeId id, Map<String, String> parameters, Work work) {
        Map<String, String> news = new TreeMap<>(MutableProperty.read(parameters, kind));
        DatasetName name = connection.layout().volume(id).orElseThrow(() -> notFound(id));
        List<String> asked = asked(news.keySet());
        Map<String, Property> before = look(name, asked, work).orElseThrow(() -> notFound(id));
        // A value that it inherits is set all the same, since its parent's may change later.
        news.entrySet().removeIf(entry -> has(before, entry.getKey(), entry.getValue()));
        if (news.isEmpty()) {
            return;
        }
        Steps steps = new Steps()
                .undoing(host.zfs().set(name.value(), news), undo(name, before, news.keySet()))
                .then(host.zfs().get(name.value(), asked));
        StepsOutcome outcome = host.run("zfs set", name.value(), steps, work);
        if (!outcome.succeeded()) {
            throw refusal(id, name, outcome, before, look(name, asked, work), news.keySet());
        }
        Map<String, Property> after = host.rows(outcome, name.value(), asked).getOrDefault(name.value(), Map.of());
        if (!news.entrySet().stream().allMatch(entry -> has(after, entry.getKey(), entry.getValue()))) {
            throw host.untrue("properties of " + name + " were set, and read back differently");
        }
    }

    private static List<String> asked(Set<String> keys) {
        List<String> asked = new ArrayList<>(VolumeProperties.ASKED);
        asked.addAll(keys);
        return asked;
    }

    /** Returns the rows of a volume that is ours, of this store's kind, and complete; empty for any other. */
    private Optional<Map<String, Property>> look(DatasetName name, List<String> asked, Work work) {
        return host.get(name.value(), asked, work).filter(rows -> {
            var volume = new VolumeProperties(name, rows);
            return volume.isManaged()
                    && volume.isWhole()
                    && volume.isBlockDevice() == (kind == VolumeMedium.Kind.BLOCK_DEVICE);
        });
    }

    private static boolean has(Map<String, Property> rows, String key, String value) {
        return Optional.ofNullable(rows.get(key))
                .filter(found -> found.isOwn() && found.value().equals(value))
                .isPresent();
    }

    private List<List<String>> undo(DatasetName name, Map<String, Property> before, Set<String> keys) {
        Map<String, String> own = new TreeMap<>();
        List<List<String>> undo = new ArrayList<>();
        for (String key : keys) {
            Property property = before.get(key);
            if (property != null && property.isOwn()) {
                own.put(key, property.value());
            } else {
                undo.add(host.zfs().inherit(name.value(), key));
            }
        }
        if (!own.isEmpty()) {
            undo.add(host.zfs().set(name.value(), own));
        }
        return undo;
    }

    private StorageException refusal(
            NativeId id,
            DatasetName name,
            StepsOutcome outcome,
            Map<String, Property> before,
            Optional<Map<String, Property>> after,
            Set<String> keys) {
        if (after.isEmpty()) {
            return notFound(id);
        }
        StorageException failure = host.failure("changing " + name, outcome);
        if (!keys.stream().allMatch(key -> state(before, key).equals(state(after.get(), key)))) {
            return new StorageException(
                    new Failure.BackendUnavailable(
                            connection.scope().name().value(),
                            failure.failure().message() + "; some properties of " + name
                                    + " are changed, and could not be set back"),
                    failure);
        }
        return outcome.complaint() == Complaint.BAD_PROPERTY
                ? new StorageException(
                        new Failure.InvalidRequest(
                                "mutable_parameters", failure.failure().message()),
                        failure)
                : failure;
    }

    /** Returns a property's value together with whether it is the dataset's own. */
    private static String state(Map<String, Property> rows, String key) {
        return Optional.ofNullable(rows.get(key))
                .map(property -> property.value() + (property.isOwn() ? " own" : ""))
                .orElse(NONE);
    }

    private static StorageException notFound(NativeId id) {
        return new StorageException(new Failure.VolumeNotFound(id.value()));
    }
}
