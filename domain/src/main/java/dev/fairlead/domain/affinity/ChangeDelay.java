package dev.fairlead.domain.affinity;

/**
 * Says that a change waits, and why.
 *
 * @param text for people
 */
public record ChangeDelay(WaitReason reason, String text) {
    /** Returns the text, behind the code of what was found to be wrong. */
    public String message() {
        return reason.finding().map(finding -> finding.code() + " ").orElse("") + text;
    }
}
