package dev.fairlead.simulator.failure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The faults that are armed. */
public final class Faults {
    private static final class Armed {
        private final Fault fault;
        private int seen;

        private Armed(Fault fault) {
            this.fault = fault;
        }
    }

    private final List<Armed> armed = new ArrayList<>();
    private int strikes;

    /** Arms a fault. */
    public synchronized void arm(Fault fault) {
        armed.add(new Armed(fault));
    }

    /** Disarms all. */
    public synchronized void clear() {
        armed.clear();
        strikes = 0;
    }

    /** Returns how many calls were struck since all were disarmed, those included that are still waiting. */
    public synchronized int strikes() {
        return strikes;
    }

    /** Counts a call and finds what goes wrong with it. */
    public synchronized Optional<Fault.Injury> strike(String method, String arguments) {
        Optional<Fault.Injury> found = Optional.empty();
        for (Armed each : armed) {
            if (!matches(each.fault, method, arguments)) continue;
            each.seen++;
            boolean strikes = each.seen >= each.fault.nth() && each.seen - each.fault.nth() < each.fault.times();
            if (strikes && found.isEmpty()) found = Optional.of(each.fault.injury());
        }
        if (found.isPresent()) strikes++;
        return found;
    }

    private static boolean matches(Fault fault, String method, String arguments) {
        String name = fault.method();
        boolean named =
                name.endsWith("*") ? method.startsWith(name.substring(0, name.length() - 1)) : method.equals(name);
        return named && arguments.contains(fault.having());
    }
}
