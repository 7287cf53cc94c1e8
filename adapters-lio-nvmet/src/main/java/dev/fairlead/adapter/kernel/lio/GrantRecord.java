package dev.fairlead.adapter.kernel.lio;

import dev.fairlead.application.port.out.host.PosixShell;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Holds the grants that a volume's record had when a script was planned from it. A script may outlive its call, and get
 * the lock after other scripts that were planned from a later record; it then does nothing.
 *
 * @param seen the record as it was
 * @param look a program on the storage host that prints it; empty if the volume's store has none, so that a script that
 *     comes late is not held up
 */
record GrantRecord(String seen, List<String> look) {
    GrantRecord {
        look = List.copyOf(look);
    }

    String variables() {
        return "RECORD=" + PosixShell.quote(seen) + "\nrecorded() {\n  "
                + (look.isEmpty()
                        ? "echo -"
                        : look.stream().map(PosixShell::quote).collect(Collectors.joining(" ")))
                + "\n}\n";
    }
}
