package dev.fairlead.simulator.engine;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Does for real what the engine has decided: it follows the rows of datasets, and serves what is shared. */
public interface RealStorage {
    /** Does nothing: the box is all simulated. */
    RealStorage NONE = new RealStorage() {
        @Override
        public Map<String, Long> pools() {
            return Map.of();
        }

        @Override
        public void change(List<RowChange> changes, Tables now) {
            // There is nothing that could follow.
        }

        @Override
        public void serve(Supplier<Tables> rows) {
            // Nobody can reach anything.
        }
    };

    /** Returns the sizes of its pools by name; none if there is no real storage. */
    Map<String, Long> pools();

    /** Carries out a change before it is kept, or throws, and then it is not kept. */
    void change(List<RowChange> changes, Tables now);

    /** Makes services serve what these rows say, and nothing else. */
    void serve(Supplier<Tables> rows);
}
