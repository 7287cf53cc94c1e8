package dev.fairlead.testkit;

import dev.fairlead.application.port.out.store.VolumeModification;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.NativeId;
import java.util.Map;
import java.util.Set;

/** A modification of a sound store, of which a subclass spoils one method. */
abstract class FaultyModification implements VolumeModification {
    final VolumeModification sound;

    FaultyModification(VolumeModification sound) {
        this.sound = sound;
    }

    @Override
    public Set<String> keys() {
        return sound.keys();
    }

    @Override
    public void check(Map<String, String> parameters) {
        sound.check(parameters);
    }

    @Override
    public void modify(NativeId id, Map<String, String> parameters, Work work) {
        sound.modify(id, parameters, work);
    }

    static final class Hasty extends FaultyModification {
        Hasty(VolumeModification sound) {
            super(sound);
        }

        @Override
        public void modify(NativeId id, Map<String, String> parameters, Work work) {
            parameters.forEach((key, value) -> Failing.works(() -> sound.modify(id, Map.of(key, value), work)));
            sound.modify(id, parameters, work);
        }
    }

    static final class Slow extends FaultyModification {
        Slow(VolumeModification sound) {
            super(sound);
        }

        @Override
        public void modify(NativeId id, Map<String, String> parameters, Work work) {
            sound.check(parameters);
            parameters.forEach((key, value) -> sound.modify(id, Map.of(key, value), work));
        }
    }

    static final class Idle extends FaultyModification {
        Idle(VolumeModification sound) {
            super(sound);
        }

        @Override
        public void modify(NativeId id, Map<String, String> parameters, Work work) {
            sound.check(parameters);
        }
    }

    static final class Blind extends FaultyModification {
        Blind(VolumeModification sound) {
            super(sound);
        }

        @Override
        public void check(Map<String, String> parameters) {
            // anything goes
        }
    }
}
