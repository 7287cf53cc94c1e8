package dev.fairlead.domain.health;

/** Lists the values of CSI's {@code VolumeHealthErrorType} that a node can tell; loss of data it cannot. */
public enum HealthStatus {
    /** The volume can be used, and not as it should be. */
    DEGRADED,
    /** Nothing can be read or written at the moment. */
    INACCESSIBLE
}
