package dev.fairlead.application.port.out.placement;

/**
 * Says what became of a change of a PersistentVolume's affinity.
 *
 * @param text for people
 */
public record ChangeOutcome(String volume, Result result, String text) {
    /** Lists the ends of a change. */
    public enum Result {
        /** The object was changed and stays the same object. */
        IN_PLACE,
        /** A new object has taken its place, and its claim is bound again. */
        REPLACED,
        /** Nothing was changed, since something else has changed meanwhile; the next plan decides anew. */
        ABANDONED,
        /** The claim was deleted in the middle; the volume is there and retained. */
        RETAINED,
        /** It is not finished, and will be. */
        UNFINISHED,
        /** A person has to look; nothing is deleted. */
        BLOCKED
    }
}
