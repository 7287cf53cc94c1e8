package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.store.VolumeStore;

/** Passes all calls on to a sound store; a subclass spoils one method. */
public class FaultyStore extends ForwardingStore {
    public final InMemoryStorage storage;
    public final VolumeStore sound;

    public FaultyStore(InMemoryStorage storage) {
        this(storage, new InMemoryVolumeStore(storage));
    }

    private FaultyStore(InMemoryStorage storage, VolumeStore sound) {
        super(sound);
        this.storage = storage;
        this.sound = sound;
    }
}
