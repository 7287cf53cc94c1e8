package dev.fairlead.application.port.work;

/**
 * Names one change to the outside world.
 *
 * @param kind the kind of change, from a small fixed vocabulary ({@code mkdir}, {@code rename}, {@code mount}); a
 *     metric label
 * @param target the object that is changed; for the log, never a secret
 */
public record Effect(String kind, String target) {}
