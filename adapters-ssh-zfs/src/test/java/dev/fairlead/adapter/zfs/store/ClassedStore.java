package dev.fairlead.adapter.zfs.store;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.fake.ForwardingStore;
import java.util.Map;
import java.util.TreeMap;

/** A store as those see it who use one class: it adds the parameters of the class to every request. */
final class ClassedStore extends ForwardingStore {
    private final Map<String, String> parameters;

    ClassedStore(VolumeStore store, Map<String, String> parameters) {
        super(store);
        this.parameters = Map.copyOf(parameters);
    }

    /** The request as it comes from the class. */
    static CreateRequest with(CreateRequest request, Map<String, String> more) {
        return new CreateRequest(
                request.name(),
                request.capacity(),
                request.capabilities(),
                joined(request.parameters(), more),
                request.content(),
                request.mutable(),
                request.reach());
    }

    @Override
    public Birth plan(CreateRequest request, NativeId suggested) {
        return super.plan(with(request, parameters), suggested);
    }

    @Override
    public Room room(Map<String, String> more, Work work) {
        return super.room(joined(more, parameters), work);
    }

    private static Map<String, String> joined(Map<String, String> some, Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(some);
        all.putAll(more);
        return all;
    }
}
