package dev.fairlead.lab.abuse;

import dev.fairlead.lab.abuse.machine.MachineWatch;
import dev.fairlead.lab.report.Violations;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** A torment is one way of abusing the driver. It undoes all that it made before it ends. */
interface Torment {
    List<String> NAMES =
            List.of("half-requests", "call-flood", "linked-tree", "deep-tree", "absent-base", "copies", "kills");

    /** The torments beside which a copy that takes minutes can still finish. */
    Set<String> PATIENT = Set.of("half-requests", "call-flood", "linked-tree", "deep-tree", "copies");

    /** Returns a new torment of one of the {@link #NAMES}; throws if the name is another. */
    static Torment named(String name) {
        return switch (name) {
            case "half-requests" -> new HalfRequests();
            case "call-flood" -> new CallFlood();
            case "linked-tree" -> new ManyLinks();
            case "deep-tree" -> new DeepTree();
            case "absent-base" -> new AbsentBase();
            case "copies" -> new CopiesAtOnce();
            case "kills" -> new Kills();
            default -> throw new IllegalArgumentException("no torment '" + name + "' (expected: " + NAMES + ")");
        };
    }

    void run(Scene scene) throws Exception;

    /**
     * Holds what a torment works with.
     *
     * @param machine what the machine itself can do meanwhile
     * @param patience repeats calls on the abused connection
     * @param time how long it goes on if it has no end of its own
     * @param large whether trees and copies have the sizes that once took the driver down, rather than a tenth of them
     * @param run a number that no other run of a torment has, for names
     */
    record Scene(
            Installation installation,
            MachineWatch machine,
            Violations violations,
            Patience patience,
            Random random,
            Duration time,
            boolean large,
            int run) {
        int size(int full) {
            return large ? full : full / 10;
        }

        /**
         * Returns how long making what is to be copied may take: then it is left as small as it is. Copying it,
         * comparing and deleting take about ten times as long, on a slow machine as on a fast one. A large turn has
         * full sizes however long they take.
         */
        Duration making() {
            return large ? Duration.ofMinutes(15) : time.dividedBy(2);
        }
    }
}
