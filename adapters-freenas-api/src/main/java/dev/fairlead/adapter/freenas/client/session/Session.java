package dev.fairlead.adapter.freenas.client.session;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.TruenasRelease;
import java.time.Duration;
import java.util.Optional;

/** A session is what calls to one box go through after a login; it may be used by many threads. */
public interface Session extends AutoCloseable {
    TruenasRelease release();

    /** Says whether it may still be used; a session that was lost does not come back. */
    boolean isOpen();

    /**
     * Makes a call once, after waiting for its turn, and waits for the reply.
     *
     * @param patience the longest time for both together
     * @param between run every second while it waits; what it throws ends the waiting
     */
    Reply call(ApiCall call, Duration patience, Runnable between) throws SessionException, InterruptedException;

    /**
     * Waits for news of a job, and returns it as it is then; empty if the box knows no such job.
     *
     * @param patience the longest time to wait for the job's end
     */
    Optional<JsonObject> job(long id, Duration patience, Runnable between)
            throws SessionException, InterruptedException;

    /** Takes no more calls; the session ends once those under way have ended. */
    void retire();

    /** Ends the session; calls that wait are told. */
    @Override
    void close();
}
