package dev.fairlead.application.port.out.adoption;

import dev.fairlead.application.port.out.placement.ChangeOutcome;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Gives PersistentVolumes of another provisioner this driver's source, or their former one back. */
public interface Adoption {
    /** Returns what would become of all volumes that are meant, in the order of their names. */
    List<Entry> plan();

    /**
     * Ends what earlier processes have begun, and then replaces what the plan of now says.
     *
     * @param told takes what came of each volume
     */
    void act(Consumer<ChangeOutcome> told);

    /**
     * Says what would become of a volume.
     *
     * @param claim the claim that it is bound to, which keeps it
     * @param to empty if it stays as it is
     * @param why the reason for which it stays; empty if it does not
     */
    record Entry(String volume, String uid, String claim, String from, Optional<String> to, String why) {}
}
