package dev.fairlead.lab.soak;

/** Names what is done to the machines while volumes live on them. */
enum TormentKind {
    NODE_PLUGIN("node plugin killed"),
    CONTROLLER("controller killed"),
    NODE_CUT("node cut off for 15 s"),
    STORAGE_POWER("storage host without power for 10 s"),
    STORAGE_SLOW("storage host slow for 20 s");

    private final String words;

    TormentKind(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    boolean isOfNode() {
        return this == NODE_PLUGIN || this == NODE_CUT;
    }
}
