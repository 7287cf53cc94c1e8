package dev.fairlead.bootstrap.options;

import java.util.EnumSet;
import java.util.Set;

/** Lists the halves of CSI that a process can serve; it always serves Identity. */
public enum Mode {
    CONTROLLER,
    NODE;

    /** Both halves, as democratic-csi serves if no mode is given. */
    public static final Set<Mode> ALL = Set.copyOf(EnumSet.allOf(Mode.class));
}
