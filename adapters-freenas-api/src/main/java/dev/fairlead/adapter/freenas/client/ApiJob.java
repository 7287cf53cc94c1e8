package dev.fairlead.adapter.freenas.client;

/**
 * Describes a job that a box has begun; it goes on when the connection is cut, and is found again by its number until
 * the box restarts, after which its number may be another job's.
 *
 * @param method the box's name of the method that the job runs, by which another job of that number is told from it
 */
public record ApiJob(long id, String method) {}
