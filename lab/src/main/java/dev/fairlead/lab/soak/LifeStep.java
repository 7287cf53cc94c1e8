package dev.fairlead.lab.soak;

/** The steps of a volume's life that are timed. */
enum LifeStep {
    BOUND("claim to bound"),
    RUNNING("pod to running"),
    KEPT("pod to records"),
    AWAY("pod to gone"),
    GROWN("size to grown"),
    GONE("claim to gone");

    private final String words;

    LifeStep(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }
}
