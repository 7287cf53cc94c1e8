package dev.fairlead.lab.soak;

/** Names the protocols of the soak, which the slots have by turns. */
enum Protocol {
    NFS("all-nfs", false),
    SMB("all-smb", false),
    ISCSI("all-iscsi", true),
    NVMEOF("all-nvmeof", true);

    private final String storageClass;
    private final boolean disk;

    Protocol(String storageClass, boolean disk) {
        this.storageClass = storageClass;
        this.disk = disk;
    }

    static Protocol ofSlot(int slot) {
        return values()[slot % values().length];
    }

    String storageClass() {
        return storageClass;
    }

    /** Says whether its volumes are disks, on which a node makes a file system. */
    boolean isDisk() {
        return disk;
    }

    String words() {
        return switch (this) {
            case NFS -> "NFS";
            case SMB -> "SMB";
            case ISCSI -> "iSCSI";
            case NVMEOF -> "NVMe-oF";
        };
    }
}
