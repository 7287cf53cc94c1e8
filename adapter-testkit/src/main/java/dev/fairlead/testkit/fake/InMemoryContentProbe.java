package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.store.ContentProbe;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.format.HostFinding;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.fake.InMemoryStorage.KeptVolume;
import java.util.Optional;

/** Knows of each volume of an {@link InMemoryStorage} whether anybody has written to it. */
record InMemoryContentProbe(InMemoryStorage storage) implements ContentProbe {
    @Override
    public HostFinding probe(NativeId id, Work work) {
        storage.called();
        KeptVolume kept = Optional.ofNullable(storage.volumes().get(id))
                .orElseThrow(() -> new StorageException(new Failure.VolumeNotFound(id.value())));
        return kept.files().isEmpty() ? HostFinding.BLANK : HostFinding.WRITTEN;
    }
}
