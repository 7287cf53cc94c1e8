package dev.fairlead.application.port.work;

/**
 * One change to the outside world.
 *
 * @param kind what is done, from a small fixed vocabulary ({@code mkdir}, {@code rename}, {@code mount}); a metric
 *     label
 * @param target on what; for the log, never a secret
 */
public record Effect(String kind, String target) {}
