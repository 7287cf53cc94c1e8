package dev.fairlead.application.port.out.placement;

import dev.fairlead.domain.affinity.AffinityFinding;
import java.util.Optional;

/**
 * Says what became of a change of a PersistentVolume's affinity.
 *
 * @param finding what was found to be wrong; empty if nothing was, or if the text has the code of a failure
 * @param text for people
 */
public record ChangeOutcome(String volume, Result result, Optional<AffinityFinding> finding, String text) {
    public ChangeOutcome(String volume, Result result, String text) {
        this(volume, result, Optional.empty(), text);
    }

    public ChangeOutcome(String volume, Result result, AffinityFinding finding, String text) {
        this(volume, result, Optional.of(finding), text);
    }

    /** Returns the text, behind the code of what was found to be wrong. */
    public String message() {
        return finding.map(found -> found.code() + " ").orElse("") + text;
    }

    /** Returns the same with the reason of the change. */
    public ChangeOutcome because(String reason) {
        return new ChangeOutcome(volume, result, finding, text + "; " + reason);
    }

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
