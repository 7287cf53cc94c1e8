package dev.fairlead.testkit.fake;

import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.volume.VolumeModificationContract;
import java.util.Map;

/** Knows the mutable parameters of a store in memory. */
public interface InMemoryModificationSubject extends InMemorySubject, VolumeModificationContract {
    @Override
    default Map<String, String> parameters() {
        return Map.of("speed", "fast", "cache", "on");
    }

    @Override
    default Map<String, String> otherParameters() {
        return Map.of("speed", "slow", "cache", "off");
    }

    @Override
    default Map<String, String> modified(StoredVolume volume) {
        return storage().mutable(volume.id());
    }
}
