package dev.fairlead.testkit.contract.export;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Map;

/** Provides the volumes that an exporter's contract is about by a store of another kind than the exporter. */
public interface ExporterStoreSubject extends ExporterContract {
    /** Returns the store of the volumes, the same at each call. */
    VolumeStore store();

    @Override
    default Birth birth(String name) {
        return store().plan(TestVolumes.empty(name), TestVolumes.id(name));
    }

    @Override
    default StoredVolume volume(Birth birth, Map<String, String> notes) {
        return store().create(birth.noting(notes), TestWork.patient()).volume();
    }

    @Override
    default void remove(StoredVolume volume) {
        store().delete(volume.id(), OnDependents.REFUSE, TestWork.patient());
    }
}
