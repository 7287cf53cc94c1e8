package dev.fairlead.adapter.freenas.client;

import com.google.gson.JsonElement;
import java.util.List;

/**
 * Describes a job that a box has begun; it goes on when the connection is cut, and is found again by its number until
 * the box restarts, after which its number may be another job's.
 *
 * @param method the box's name of the method that the job runs
 * @param arguments those of the method; by both another job of that number is told from it. They may hold secrets, so
 *     {@link #toString} does not show them
 */
public record ApiJob(long id, String method, List<JsonElement> arguments) {
    public ApiJob {
        arguments = List.copyOf(arguments);
    }

    @Override
    public String toString() {
        return "job " + id + " of " + method;
    }
}
