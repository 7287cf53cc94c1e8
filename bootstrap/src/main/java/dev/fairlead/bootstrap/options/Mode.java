package dev.fairlead.bootstrap.options;

import java.util.EnumSet;
import java.util.Set;

/** Which half of CSI a process serves; Identity it always does. */
public enum Mode {
    CONTROLLER,
    NODE;

    /** Both halves, as democratic-csi serves where nothing else is said. */
    public static final Set<Mode> ALL = Set.copyOf(EnumSet.allOf(Mode.class));
}
