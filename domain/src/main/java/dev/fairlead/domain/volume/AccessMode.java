package dev.fairlead.domain.volume;

/** Says who may use a volume at the same time (CSI {@code VolumeCapability.AccessMode}, same names). */
public enum AccessMode {
    UNKNOWN,
    SINGLE_NODE_WRITER,
    SINGLE_NODE_READER_ONLY,
    MULTI_NODE_READER_ONLY,
    MULTI_NODE_SINGLE_WRITER,
    MULTI_NODE_MULTI_WRITER,
    SINGLE_NODE_SINGLE_WRITER,
    SINGLE_NODE_MULTI_WRITER;

    /** Says whether nobody writes to such a volume. */
    public boolean isForReading() {
        return this == SINGLE_NODE_READER_ONLY || this == MULTI_NODE_READER_ONLY;
    }

    /** Says whether a node may publish such a volume at more than one target path (CSI, NodePublishVolume). */
    public boolean manyTargets() {
        return switch (this) {
            case MULTI_NODE_READER_ONLY, MULTI_NODE_SINGLE_WRITER, MULTI_NODE_MULTI_WRITER, SINGLE_NODE_MULTI_WRITER ->
                true;
            case UNKNOWN, SINGLE_NODE_WRITER, SINGLE_NODE_READER_ONLY ->
                true; // kubelet publishes one volume to many pods
            case SINGLE_NODE_SINGLE_WRITER -> false;
        };
    }
}
