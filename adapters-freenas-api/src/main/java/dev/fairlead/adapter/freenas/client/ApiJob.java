package dev.fairlead.adapter.freenas.client;

/**
 * Describes a job that a box has begun; it goes on when the connection is cut, and is found again by its number until
 * the box restarts.
 */
public record ApiJob(long id) {}
