package dev.fairlead.adapter.freenas.store;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.zfs.dataset.DatasetName;
import java.time.Duration;

/**
 * Makes a dataset just before snapshots are taken together, and gives it another name a few times, each time after
 * snapshots were looked for and before one of them is deleted.
 */
final class SlippingVolume {
    private static final int MOST = 3;

    private final SimulatedBox box;
    private int made;
    private boolean looked;

    SlippingVolume(SimulatedBox box) {
        this.box = box;
    }

    /** Does what comes before a call of this method. */
    void before(String method) {
        if (method.endsWith("snapshot.create")) {
            box.putDataset(name(), "FILESYSTEM", new JsonObject());
            made++;
        } else if (method.endsWith("snapshot.query")) {
            looked = true;
        } else if (looked && made > 0 && made <= MOST) {
            looked = false;
            String from = name(made - 1);
            new DatasetCalls(box.client().get())
                    .rename(dataset(from), dataset(name()), Duration.ofSeconds(10), TestWork.patient());
            made++;
        }
    }

    int renamings() {
        return made - 1;
    }

    private String name() {
        return name(made);
    }

    private static String name(int number) {
        return SimulatedBox.PARENT + "/pvc-late-" + number;
    }

    private static DatasetName dataset(String name) {
        return DatasetName.of(name).orElseThrow();
    }
}
