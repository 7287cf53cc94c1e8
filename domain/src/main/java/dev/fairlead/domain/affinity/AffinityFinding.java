package dev.fairlead.domain.affinity;

/**
 * Lists what keeps a volume's affinity as it is although nobody asked for that; each has a code that stays the same.
 */
public enum AffinityFinding {
    /** The storage does not tell where the volume is: it does not answer, or its connection's file is broken. */
    NOT_TOLD("FL-AFF-001"),
    /** The storage's answer is not whole, or does not fit the volume. */
    CONTRADICTION("FL-AFF-002"),
    /** Kubernetes does not know a node that matters. */
    UNKNOWN_NODE("FL-AFF-003"),
    /** No replica has the volume's data. */
    NO_DATA("FL-AFF-004"),
    /** Two PersistentVolumes stand for the same storage. */
    SHARED_HANDLE("FL-AFF-005"),
    /** The PersistentVolume was edited, replaced or deleted by others between plan and change. */
    CHANGED_MEANWHILE("FL-AFF-006"),
    /** The record of a replacement that was begun cannot be used. */
    UNUSABLE_INTENT("FL-AFF-007"),
    /** Another process of Fairlead's works on the volume. */
    ANOTHER_AT_WORK("FL-AFF-008"),
    /** The volume's class is gone or cannot be read, and it would decide. */
    CLASS_MISSING("FL-AFF-009"),
    /** A text at the volume, its class or its storage cannot be read as what it ought to be. */
    UNREADABLE("FL-AFF-010");

    private final String code;

    AffinityFinding(String code) {
        this.code = code;
    }

    /** Returns the stable code; the page of that name in {@code docs/errors} explains it. */
    public String code() {
        return code;
    }
}
