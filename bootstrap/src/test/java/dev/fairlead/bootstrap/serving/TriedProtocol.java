package dev.fairlead.bootstrap.serving;

import java.util.Optional;

/** A protocol over the network, and how its volume is used; {@code FAIRLEAD_STOR} names the storage machine. */
enum TriedProtocol {
    NFS,
    SMB,
    ISCSI,
    ISCSI_RAW,
    NVMEOF,
    NVMEOF_RAW;

    TriedVolume volume() {
        StorageMachine storage = new StorageMachine(variable("FAIRLEAD_STOR"), variable("FAIRLEAD_STOR_KEY"));
        return switch (this) {
            case NFS -> new TriedShare(storage, false);
            case SMB -> new TriedShare(storage, true);
            case ISCSI -> new TriedDisk(storage, false, false);
            case ISCSI_RAW -> new TriedDisk(storage, false, true);
            case NVMEOF -> new TriedDisk(storage, true, false);
            case NVMEOF_RAW -> new TriedDisk(storage, true, true);
        };
    }

    private static String variable(String name) {
        return Optional.ofNullable(System.getenv(name)).orElse("");
    }
}
