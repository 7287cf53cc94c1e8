package dev.fairlead.testkit;

import dev.fairlead.application.port.out.store.ContentProbe;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.format.HostFinding;
import dev.fairlead.domain.volume.NativeId;
import java.util.function.UnaryOperator;

/** A probe of a sound store of which a fault changes what it finds. */
record FaultyProbe(ContentProbe sound, UnaryOperator<HostFinding> fault) implements ContentProbe {
    @Override
    public HostFinding probe(NativeId id, Work work) {
        return fault.apply(sound.probe(id, work));
    }

    static ContentProbe blind(ContentProbe sound) {
        return new FaultyProbe(sound, _ -> HostFinding.BLANK);
    }

    static ContentProbe anxious(ContentProbe sound) {
        return new FaultyProbe(sound, _ -> HostFinding.WRITTEN);
    }

    /** Takes what is missing for blank. */
    static ContentProbe careless(ContentProbe sound) {
        return (id, work) -> {
            try {
                return sound.probe(id, work);
            } catch (StorageException _) {
                return HostFinding.BLANK;
            }
        };
    }
}
