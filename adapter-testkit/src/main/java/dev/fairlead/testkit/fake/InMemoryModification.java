package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.store.VolumeModification;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Properties of volumes of an {@link InMemoryStorage} that may change: {@code speed} and {@code cache}. */
final class InMemoryModification implements VolumeModification {
    private static final Map<String, Set<String>> KNOWN =
            Map.of("speed", Set.of("slow", "fast"), "cache", Set.of("on", "off"));

    private final InMemoryStorage storage;

    InMemoryModification(InMemoryStorage storage) {
        this.storage = storage;
    }

    @Override
    public Set<String> keys() {
        return KNOWN.keySet();
    }

    @Override
    public void check(Map<String, String> parameters) {
        parameters.forEach((key, value) -> {
            if (!KNOWN.getOrDefault(key, Set.of()).contains(value)) {
                throw new StorageException(new Failure.InvalidRequest(
                        "mutable_parameters", key + ": " + value + " (expected: one of " + KNOWN + ")"));
            }
        });
    }

    @Override
    public void modify(NativeId id, Map<String, String> parameters, Work work) {
        check(parameters);
        storage.called();
        if (!storage.volumes().containsKey(id)) {
            throw new StorageException(new Failure.VolumeNotFound(id.value()));
        }
        if (isSo(id, parameters)) {
            return;
        }
        Map<String, String> all = new TreeMap<>(storage.mutable(id));
        all.putAll(parameters);
        work.effect(new Effect("modify", id.value()), () -> storage.modify(id, all));
        if (!isSo(id, parameters)) {
            throw new StorageException(
                    new Failure.Unintelligible(storage.name, id + " was modified, and reads back differently"));
        }
    }

    private boolean isSo(NativeId id, Map<String, String> parameters) {
        return storage.mutable(id).entrySet().containsAll(parameters.entrySet());
    }
}
