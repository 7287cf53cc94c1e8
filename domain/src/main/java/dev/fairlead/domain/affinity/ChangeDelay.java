package dev.fairlead.domain.affinity;

/**
 * Says that a change waits, and why.
 *
 * @param text for people
 */
public record ChangeDelay(WaitReason reason, String text) {}
